"""`python -m keypose.cli` is `keypose`."""

from keypose.cli.app import app

app()
