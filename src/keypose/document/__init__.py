"""The scene file: what an animator said, as text that people read, compare and edit, and the other way round."""
