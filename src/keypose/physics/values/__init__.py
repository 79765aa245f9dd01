"""What the animator states: shapes, bodies, movers, figures and connections. No arrays, no MuJoCo."""
