"""`python -m keypose.cli` is `keypose`."""

import sys


def main() -> None:
    """Do what was typed."""
    try:
        from keypose.cli.app import app

        app(prog_name="keypose")
    except KeyboardInterrupt:  # before there was a command that could answer
        sys.exit(130)


if __name__ == "__main__":
    main()
