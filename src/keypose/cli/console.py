"""How does the command line speak? Answers on standard output, everything else on standard error, errors as sentences.

Bad input ends with exit code 2, an interruption with 130, and no traceback is shown unless it was asked for.
"""

import functools
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TextIO, TypeVar

import typer

from keypose.cli.terminal_text import escape_json, escape_line, escape_text, escape_unencodable
from keypose.errors import KeyposeError

if TYPE_CHECKING:
    from keypose.motion import Event

F = TypeVar("F", bound=Callable[..., Any])
INTERNAL_ERROR, BAD_INPUT, INTERRUPTED = 1, 2, 130
MAX_EVENTS = 20  # lines of events that are printed unless all are asked for
Progress = Callable[[int, int], object]
Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]


class ErrorReporter:
    """A decorator for commands: what they cannot do becomes a sentence, and each takes --debug."""

    debug = False

    def __call__(self, command: F) -> F:
        """The command, speaking."""

        @functools.wraps(command)
        def wrapper(*args: Any, debug: bool = False, **options: Any) -> None:
            self.debug = self.debug or debug
            try:
                command(*args, **options)
            except KeyboardInterrupt:
                self._exit("Stopped. No file was left half-written.", INTERRUPTED)
            except (typer.Exit, BrokenPipeError):  # nobody listens any more: typer ends without a word
                raise
            except KeyposeError as error:
                self._exit(str(error), BAD_INPUT)
            except OSError as error:
                self._exit(os_error_text(error), BAD_INPUT)
            except MemoryError:
                self._exit("There is not enough memory for this. Give it less to do at once.", BAD_INPUT)
            except Exception as error:
                what = f"{type(error).__name__}: {error}"
                self._exit(f"Something went wrong inside ({what:.200}). See where with --debug.", INTERNAL_ERROR)

        signature = inspect.signature(command)
        debug_parameter = inspect.Parameter("debug", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Debug)
        wrapper.__signature__ = signature.replace(parameters=[*signature.parameters.values(), debug_parameter])  # type: ignore[attr-defined]
        wrapper.__annotations__ = {**command.__annotations__, "debug": Debug}
        return wrapper  # type: ignore[return-value]

    def _exit(self, sentence: str, code: int) -> NoReturn:
        if self.debug:
            import traceback

            print_note(traceback.format_exc())
        print_note(f"keypose: {sentence}")
        raise typer.Exit(code)


report_errors = ErrorReporter()


def print_version(requested: bool) -> None:
    """Say the version and stop, if that was asked."""
    if requested:
        from importlib import metadata

        print_result(f"keypose {metadata.version('keypose')}")
        raise typer.Exit


def print_result(text: str) -> None:
    """An answer."""
    typer.echo(escape_unencodable(escape_text(text), _stream_encoding(sys.stdout)))


def print_note(text: str) -> None:
    """Something to know, which is not the answer itself."""
    typer.echo(escape_unencodable(escape_text(text), _stream_encoding(sys.stderr)), err=True)


def print_events(events: "Sequence[Event]", show_all: bool = False) -> None:
    """The events of a take, a line each; unless all are to be shown, hits are counted and a long list is cut."""
    from keypose.motion import CollisionEvent

    hits = [] if show_all else [event for event in events if isinstance(event, CollisionEvent)]
    others = events if show_all else [event for event in events if not isinstance(event, CollisionEvent)]
    shown = others if show_all else others[:MAX_EVENTS]
    for event in shown:
        print_note(_event_line(event))
    if len(shown) < len(others):
        print_note(f"… and {len(others) - len(shown):,} more events. --events prints all.")
    if len(hits) == 1:
        print_note(_event_line(hits[0]))
    elif hits:
        hardest = max(hits, key=lambda hit: hit.speed)
        print_note(f"{len(hits):,} hits, the hardest at {_event_line(hardest)} --events prints all.")


def _event_line(event: "Event") -> str:
    return f"{event.time:g} s, {escape_line(event.actor)}: {escape_line(event.text)}"


def print_json(value: Any) -> None:
    """An answer for a program."""
    typer.echo(escape_json(value, _stream_encoding(sys.stdout)))


def _stream_encoding(stream: TextIO | None) -> str | None:
    """That of a stream; Python has none where it was closed before we began."""
    return None if stream is None else stream.encoding


@contextmanager
def progress(what: str) -> Iterator[Progress]:
    """A bar with the time left, on a terminal; silence elsewhere. Yields what to call with (done, all).

    As long as it is not called, the bar only shows that something goes on.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from keypose.maths import on_compile

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        with on_compile(lambda name: bar.update(task, description=f"{what}, compiling kernels once", refresh=True)):
            yield lambda done, total: bar.update(task, completed=done, total=total, description=what)


def os_error_text(error: OSError) -> str:
    """What the system refused, as a sentence rather than a number."""
    from keypose.files import translate_os_errors

    if not isinstance(error.filename, str):
        return f"The system says {error.strerror or str(error)!r}. Try again, or choose another folder."
    try:
        with translate_os_errors(error.filename, "could not be used"):
            raise error
    except KeyposeError as translated:
        return str(translated)
