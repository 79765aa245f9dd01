"""The open document: undo history, journal, recovery, folder and files."""
