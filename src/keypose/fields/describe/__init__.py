"""Names of fields and links for titles and messages."""
