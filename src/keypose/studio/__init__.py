"""The studio: one document, edited by hand in the browser and from Python, kept safe and undone by name."""
