"""Scene files as text: parsing, layout, and the place of a problem in the file."""
