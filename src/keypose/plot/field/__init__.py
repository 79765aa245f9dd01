"""The sheet of a field: arrows and flow lines on a plane."""
