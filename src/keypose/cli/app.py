"""What can be typed after `keypose`? The commands, and how each of them answers when something is wrong.

Everything heavy is imported by the command that needs it: asking for help does not even load numpy.
"""

from pathlib import Path
from typing import Annotated, Literal

import typer

from keypose.cli.answers import answering, version

app = typer.Typer(
    name="keypose",
    help="Motion design: key poses, drawn speed, orientation and rendez-vous.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Scene = Annotated[Path, typer.Argument(help="A scene file (.json).", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Answer as JSON, for programs.")]
Fps = Annotated[float, typer.Option("--fps", help="Frames per second.")]


@app.callback()
def keypose(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool, typer.Option("--version", help="Say which Keypose this is.", callback=version, is_eager=True)
    ] = False,
) -> None:
    """Motion design: key poses, drawn speed, orientation and rendez-vous."""
    del version
    answering.debug = debug


@app.command()
@answering
def check(
    scenes: Annotated[list[Path], typer.Argument(help="Scene files (.json).", show_default=False)], json: Json = False
) -> None:
    """Read scene files and tell everything that is wrong with them."""
    from keypose.cli.checking import check

    check(scenes, json)


@app.command()
@answering
def shoot(
    scene: Scene,
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write the take: .csv or .npz.")],
    seconds: Annotated[float | None, typer.Option(help="How long; else until the last motion ends.")] = None,
    fps: Fps = 24,
    tick: Annotated[float | None, typer.Option(help="Seconds a tick takes; else as the movers need it.")] = None,
    json: Json = False,
) -> None:
    """Shoot a scene into a take."""
    from keypose.cli.shooting import shoot

    shoot(scene, output, seconds, fps, tick, json)


@app.command()
@answering
def plot(
    scene: Scene,
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to draw it: .svg, .png or .pdf.")],
    actor: Annotated[str | None, typer.Option(help="Draw this actor's motion alone.")] = None,
    fps: Fps = 24,
    theme: Annotated[Literal["light", "dark"], typer.Option(help="On light or dark paper.")] = "light",
) -> None:
    """Draw a sheet of a scene: where everybody goes, and how fast."""
    from keypose.cli.plotting import plot

    plot(scene, output, actor, fps, theme)


@app.command()
@answering
def studio(
    scene: Annotated[Path | None, typer.Argument(help="A scene file (.json); else begin empty.")] = None,
    port: Annotated[int, typer.Option(help="Where to listen; 0 takes any free port.")] = 0,
    host: Annotated[str, typer.Option(help="Who may come; 127.0.0.1 is this machine alone.")] = "127.0.0.1",
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser, where there is one.")] = True,
) -> None:
    """Open the studio on a scene: see it, grab its keys, draw its speed, play it."""
    from keypose.studio.open import serve

    serve(scene, host=host, port=port, browser=browser)


@app.command()
@answering
def schema(
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write it here; else it is printed.")] = None,
) -> None:
    """Give the JSON Schema of scene files, from which editors complete."""
    from keypose.cli.plotting import schema

    schema(output)


@app.command()
@answering
def gallery(
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to draw into.")],
) -> None:
    """Redraw the figures of the papers, with a page to read them."""
    from keypose.cli.plotting import gallery

    gallery(output)
