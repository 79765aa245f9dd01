"""How does the command line speak? Answers on standard output, everything else on standard error, errors as sentences.

Bad input ends with exit code 2, an interruption with 130, and no traceback is shown unless it was asked for.
"""

import functools
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import metadata
from typing import Any, TypeVar

import typer

from keypose.errors import KeyposeError

F = TypeVar("F", bound=Callable[..., Any])
BAD_INPUT, INTERRUPTED = 2, 130
Progress = Callable[[int, int], object]


class Answering:
    """A decorator for commands: what they cannot do becomes a sentence."""

    debug = False

    def __call__(self, command: F) -> F:
        """The command, speaking."""

        @functools.wraps(command)
        def spoken(*args: Any, **options: Any) -> None:
            try:
                command(*args, **options)
            except KeyboardInterrupt:
                self._end("Stopped; nothing was written.", INTERRUPTED)
            except (KeyposeError, OSError, MemoryError) as error:
                if self.debug:
                    raise
                self._end(str(error) or "There is not enough memory for this.", BAD_INPUT)

        return spoken  # type: ignore[return-value]

    def _end(self, sentence: str, code: int) -> None:
        typer.echo(f"keypose: {sentence}", err=True)
        raise typer.Exit(code)


answering = Answering()


def version(asked: bool) -> None:
    """Say the version and stop, if that was asked."""
    if asked:
        typer.echo(f"keypose {metadata.version('keypose')}")
        raise typer.Exit


def say(text: str) -> None:
    """An answer."""
    typer.echo(text)


def beside(text: str) -> None:
    """Something to know, which is not the answer itself."""
    typer.echo(text, err=True)


def say_json(value: Any) -> None:
    """An answer for a program."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


@contextmanager
def progress(what: str) -> Iterator[Progress]:
    """A bar with the time left, on a terminal; silence elsewhere. Yields what to call with (done, all)."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
