"""Updates that the server sends to the page."""
