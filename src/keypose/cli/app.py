"""What can be typed after `keypose`? The commands, and how each of them answers when something is wrong.

Everything heavy is imported by the command that needs it: asking for help does not even load numpy.
"""

from pathlib import Path
from typing import Annotated, Literal

import typer

from keypose.cli.console import Debug, print_version, report_errors

app = typer.Typer(
    name="keypose",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Scene = Annotated[Path, typer.Argument(help="A scene file (.json); - reads standard input.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Imports = Annotated[
    list[str],
    typer.Option(
        "--import",
        metavar="MODULE",
        help="Run this Python first, a module or a file.py: it defines movers of your own.",
    ),
]
Fps = Annotated[float, typer.Option("--fps", help="Frames per second.")]
AllEvents = Annotated[
    bool, typer.Option("--events", help="Print every event; else hits are counted and long lists are cut.")
]


@app.callback()
def keypose(
    debug: Debug = False,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version of Keypose.", callback=print_version, is_eager=True)
    ] = False,
) -> None:
    """Motion design: key poses, drawn speed, force fields, rigid bodies and meetings."""
    del version
    report_errors.debug = debug


@app.command()
@report_errors
def check(
    scenes: Annotated[
        list[Path],
        typer.Argument(
            help="Scene files (.json), or takes (.csv, .npz); - reads a scene from standard input.", show_default=False
        ),
    ],
    json: Json = False,
    imports: Imports = [],  # noqa: B006  # typer hands over a new list
) -> None:
    """Summarize scene files, or list all problems in them."""
    from keypose.cli.check_command import check
    from keypose.cli.user_imports import import_modules

    import_modules(imports)
    check(scenes, json)


@app.command()
@report_errors
def shoot(
    scene: Scene,
    output: Annotated[Path, typer.Option("--output", "-o", help="The file for the take: .csv or .npz.")],
    seconds: Annotated[
        float | None,
        typer.Option(
            help="The duration; by default until all motions and meetings have ended. Needed for scenes that never end."
        ),
    ] = None,
    fps: Fps = 24,
    tick: Annotated[
        float | None, typer.Option(help="The time step of the simulation [s]; by default as its movers need it.")
    ] = None,
    events: AllEvents = False,
    json: Json = False,
    imports: Imports = [],  # noqa: B006
) -> None:
    """Shoot a scene: record the poses of all actors, frame by frame, as a take."""
    from keypose.cli.shoot_command import shoot
    from keypose.cli.user_imports import import_modules

    import_modules(imports)
    shoot(scene, output, seconds, fps, tick, as_json=json, all_events=events)


@app.command()
@report_errors
def plot(
    scene: Scene,
    *,
    output: Annotated[Path, typer.Option("--output", "-o", help="The file for the picture: .svg, .png or .pdf.")],
    actor: Annotated[
        str | None, typer.Option(help="Draw this actor alone: its motion, or its part of the take.")
    ] = None,
    field: Annotated[str | None, typer.Option(help="Draw this force field of the scene on a plane.")] = None,
    graph: Annotated[bool, typer.Option("--graph", help="Draw the graph of its meetings.")] = False,
    script: Annotated[
        bool, typer.Option("--script", help="Draw how its meetings went: speeds and waits over time.")
    ] = False,
    plane: Annotated[
        Literal["xy", "xz", "yz"] | None, typer.Option(help="The plane of a field; xy by default.")
    ] = None,
    time: Annotated[float | None, typer.Option(help="The time at which a field is drawn [s]; 0 by default.")] = None,
    fps: Fps = 24,
    theme: Annotated[Literal["light", "dark"], typer.Option(help="Light or dark background.")] = "light",
    events: AllEvents = False,
    imports: Imports = [],  # noqa: B006
) -> None:
    """Draw a scene or take: paths and speeds of all actors; or one force field, or the meetings.

    A scene with movers is shot first, until all motions and meetings have ended; one that never ends by itself for 5 s.
    """
    from keypose.cli.plot_command import PlotOptions, plot
    from keypose.cli.user_imports import import_modules

    import_modules(imports)
    plot(scene, output, PlotOptions(actor, field, plane, time, graph, script, events), fps, theme)


@app.command()
@report_errors
def studio(
    scene: Annotated[Path | None, typer.Argument(help="A scene file (.json); by default an empty scene.")] = None,
    example: Annotated[
        str | None,
        typer.Option(help="Open a copy of an example, as 20_three_arches; it has no file until it is saved."),
    ] = None,
    port: Annotated[int, typer.Option(help="The port to listen on; 0 takes any free one.")] = 0,
    host: Annotated[
        str, typer.Option(help="The address to listen on; 127.0.0.1 is for this machine alone.")
    ] = "127.0.0.1",
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser, if there is one.")] = True,
) -> None:
    """Open a scene in the studio: move its keys, draw its speed, play it."""
    from keypose.studio import serve

    serve(scene, example=example, host=host, port=port, browser=browser)


@app.command()
@report_errors
def schema(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write; by default it is printed.")
    ] = None,
    imports: Imports = [],  # noqa: B006
) -> None:
    """Print the JSON Schema of scene files, with which editors complete and check them."""
    from keypose.cli.plot_command import schema
    from keypose.cli.user_imports import import_modules

    import_modules(imports)
    schema(output)


@app.command()
@report_errors
def gallery(
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to draw into.")],
) -> None:
    """Draw the figures of the papers, with a page that shows them."""
    from keypose.cli.plot_command import gallery

    gallery(output)


@app.command()
@report_errors
def warm() -> None:
    """Compile all numba kernels now, so that no first shoot waits for them."""
    from keypose.cli.warm_command import warm

    warm()
