"""What can be typed after `keypose`? The commands, and how each of them answers when something is wrong.

Everything heavy is imported by the command that needs it: asking for help does not even load numpy.
"""

from pathlib import Path
from typing import Annotated, Literal

import typer

from keypose.cli.console import Debug, print_version, report_errors

app = typer.Typer(
    name="keypose",
    help="Motion design: key poses, drawn speed, orientation and rendez-vous.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Scene = Annotated[Path, typer.Argument(help="A scene file (.json).", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Answer as JSON, for programs.")]
Imports = Annotated[
    list[str],
    typer.Option(
        "--import", metavar="MODULE", help="Run this Python first, a module or a file.py, for movers of your own."
    ),
]
Fps = Annotated[float, typer.Option("--fps", help="Frames per second.")]


@app.callback()
def keypose(
    debug: Debug = False,
    version: Annotated[
        bool, typer.Option("--version", help="Say which Keypose this is.", callback=print_version, is_eager=True)
    ] = False,
) -> None:
    """Motion design: key poses, drawn speed, orientation and rendez-vous."""
    del version
    report_errors.debug = debug


@app.command()
@report_errors
def check(
    scenes: Annotated[list[Path], typer.Argument(help="Scene files (.json).", show_default=False)],
    json: Json = False,
    imports: Imports = [],  # noqa: B006  # typer hands over a new list
) -> None:
    """Read scene files and tell everything that is wrong with them."""
    from keypose.cli.check_command import check
    from keypose.cli.user_imports import import_modules

    import_modules(imports)
    check(scenes, json)


@app.command()
@report_errors
def shoot(
    scene: Scene,
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write the take: .csv or .npz.")],
    seconds: Annotated[
        float | None,
        typer.Option(help="How long; else until motions end and all meetings are over. Say it for what never ends."),
    ] = None,
    fps: Fps = 24,
    tick: Annotated[float | None, typer.Option(help="Seconds a tick takes; else as the movers need it.")] = None,
    json: Json = False,
    imports: Imports = [],  # noqa: B006
) -> None:
    """Shoot a scene into a take."""
    from keypose.cli.shoot_command import shoot
    from keypose.cli.user_imports import import_modules

    import_modules(imports)
    shoot(scene, output, seconds, fps, tick, json)


@app.command()
@report_errors
def plot(
    scene: Scene,
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to draw it: .svg, .png or .pdf.")],
    actor: Annotated[str | None, typer.Option(help="Draw this actor alone: its motion, or how it was shot.")] = None,
    field: Annotated[str | None, typer.Option(help="Draw this field of the scene on a plane.")] = None,
    graph: Annotated[
        bool, typer.Option("--graph", help="Draw the graph of its meetings: who, where, after what.")
    ] = False,
    script: Annotated[bool, typer.Option("--script", help="Draw how its meetings were kept: who waited when.")] = False,
    plane: Annotated[Literal["xy", "xz", "yz"] | None, typer.Option(help="Of a field; else xy.")] = None,
    time: Annotated[float | None, typer.Option(help="When a field is looked at [s]; else at 0.")] = None,
    fps: Fps = 24,
    theme: Annotated[Literal["light", "dark"], typer.Option(help="On light or dark paper.")] = "light",
    imports: Imports = [],  # noqa: B006
) -> None:
    """Draw a sheet of a scene: where everybody goes, and how fast; or one of its fields, or its script.

    With movers it is shot until motions end and all meetings are over; a scene that never ends by itself for 5 s.
    """
    from keypose.cli.plot_command import PlotOptions, plot
    from keypose.cli.user_imports import import_modules

    import_modules(imports)
    plot(scene, output, PlotOptions(actor, field, plane, time, graph, script), fps, theme)


@app.command()
@report_errors
def studio(
    scene: Annotated[Path | None, typer.Argument(help="A scene file (.json); else begin empty.")] = None,
    example: Annotated[
        str | None,
        typer.Option(help="Begin with a copy of an example, as 20_three_arches; it has no file until it is saved."),
    ] = None,
    port: Annotated[int, typer.Option(help="Where to listen; 0 takes any free port.")] = 0,
    host: Annotated[str, typer.Option(help="Who may come; 127.0.0.1 is this machine alone.")] = "127.0.0.1",
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser, where there is one.")] = True,
) -> None:
    """Open the studio on a scene: see it, grab its keys, draw its speed, play it."""
    from keypose.studio import serve

    serve(scene, example=example, host=host, port=port, browser=browser)


@app.command()
@report_errors
def schema(
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write it here; else it is printed.")] = None,
    imports: Imports = [],  # noqa: B006
) -> None:
    """Give the JSON Schema of scene files, from which editors complete."""
    from keypose.cli.plot_command import schema
    from keypose.cli.user_imports import import_modules

    import_modules(imports)
    schema(output)


@app.command()
@report_errors
def gallery(
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to draw into.")],
) -> None:
    """Redraw the figures of the papers, with a page to read them."""
    from keypose.cli.plot_command import gallery

    gallery(output)
