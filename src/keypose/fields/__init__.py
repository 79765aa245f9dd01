"""WHAT PUSHES: fields steer objects, objects carry fields and track each other (PF89)."""
