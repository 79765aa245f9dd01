"""Edits of a stage: each command of the studio gives a new stage and the name of the step. `apply` starts here."""
