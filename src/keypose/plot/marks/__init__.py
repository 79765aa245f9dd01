"""One thing drawn into given axes: paths, bodies, bones, orientations, diagrams."""
