"""How is time let pass, and what is on screen?"""

from typing import Literal

from keypose.maths import Vec3
from keypose.studio.protocol.commands.command import Command, Index


class Play(Command, frozen=True, kw_only=True, tag="play"):
    """Show poses from now on, as time goes by. `speed` is negative backwards."""

    time: float
    speed: float = 1.0
    repeat: Literal["once", "cycle", "ping-pong"] = "once"


class Pause(Command, frozen=True, kw_only=True, tag="pause"):
    """Stop where it is."""


class Seek(Command, frozen=True, kw_only=True, tag="seek"):
    """Show the poses at a moment [s]."""

    time: float


class Ping(Command, frozen=True, kw_only=True, tag="ping"):
    """Nothing: shows how long the way there and back takes."""


class Hello(Command, frozen=True, kw_only=True, tag="hello"):
    """What is on screen: frames per second of trails and stripes."""

    fps: float = 24.0
    protocol: Index | None = None
    """The protocol version that the page was built for; None is not checked."""


class Live(Command, frozen=True, kw_only=True, tag="live"):
    """Begin a live run of the scene from its first moment, or end it and show the document again.

    While it is live, `play` and `pause` let ticks pass or not, `seek` rewinds, and every edit changes what runs.
    """

    is_on: bool


class Point(Command, frozen=True, kw_only=True, tag="point"):
    """Where the mouse holds the actor "pointer" now [m], in a live run."""

    to: Vec3
