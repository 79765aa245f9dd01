"""The command line: check, shoot and plot scene files without writing Python."""
