"""WHERE + WHEN: a path and a timing make a motion, a pure function of time that answers with poses."""
