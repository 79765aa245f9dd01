"""`python -m keypose.cli` is `keypose`."""

import signal
import sys
import time
from types import FrameType

IGNORE_SECONDS = (
    3.0  # [s] after Ctrl+C: long enough to clean up, and then it is heard again, should the first have got lost
)


class InterruptHandler:
    """Hears Ctrl+C, but not again while the first is being answered: clean-up is not to be interrupted."""

    last_interrupt = -IGNORE_SECONDS

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Ctrl+C was pressed."""
        now = time.monotonic()
        if now - self.last_interrupt >= IGNORE_SECONDS:
            self.last_interrupt = now
            raise KeyboardInterrupt


def main() -> None:
    """Do what was typed."""
    try:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else nobody is to be interrupted
            signal.signal(signal.SIGINT, InterruptHandler())
        from keypose.cli.app import app

        app(prog_name="keypose")
    except KeyboardInterrupt:  # before there was a command that could answer
        sys.exit(130)
    except OSError as error:  # help that cannot be printed, for example
        from keypose.cli.console import BAD_INPUT, os_error_text, print_note

        print_note(f"keypose: {os_error_text(error)}")
        sys.exit(BAD_INPUT)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done


if __name__ == "__main__":
    main()
