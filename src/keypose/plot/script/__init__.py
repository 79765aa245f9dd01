"""The sheet of a script: the graph of its meetings, and the report on a take."""
