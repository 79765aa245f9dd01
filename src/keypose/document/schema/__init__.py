"""What may stand in a scene file: typed values, lists, records and kinds, which read, refuse and describe."""
