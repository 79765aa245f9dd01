"""What does a page see? What it is told, declared once: the document in words, and drawings as numbers.

Words go as JSON. Numbers (trails, tangents, poses) go as one binary message: the length of a JSON head in four bytes,
little-endian, the head, zeros up to a multiple of four, then float32 arrays one behind the other. Nothing here says how
a spline is made: a page only draws.
"""

from typing import Any, Literal

import msgspec

from keypose.studio.protocol.updates.bodies import (
    BodyView,
    CollisionView,
    ConnectionView,
    FollowView,
    LinkView,
    StartView,
)
from keypose.studio.protocol.updates.fields import FieldView, SenseView, SplineView
from keypose.studio.protocol.updates.meetings import MeetingEventView, MeetingView


class Update(msgspec.Struct, frozen=True, tag_field="is", tag=True, kw_only=True, omit_defaults=False):
    """An update that the server sends to the page."""


class KeyView(msgspec.Struct, frozen=True, kw_only=True):
    """A key as its file says it, and when it is passed."""

    spec: dict[str, Any]
    """The key's words in the scene file."""
    time: float
    """[s]"""
    tension: float
    """What holds here, the key's own value or its path's."""
    continuity: float
    bias: float
    is_manual: tuple[bool, bool]
    """Whether its tangents on the side of arrival and of departure are set by hand."""
    is_pinned: bool
    """Whether its passing time is fixed, by capture or by its own time; else the speed decides it."""
    effect: str | None = None
    """The named effect these values are, if any."""
    degrees: tuple[float, float, float] | None = None
    """Yaw, pitch and roll of its orientation [degrees], where it has one."""


class SpeedView(msgspec.Struct, frozen=True, kw_only=True):
    """How a path is travelled."""

    kind: Literal["steady", "drawn", "through", "times", "recorded", "mover"]
    x: tuple[float, ...] = ()
    """Where its control values are, x = 0 … 1."""
    values: tuple[float, ...] = ()


class ActorView(msgspec.Struct, frozen=True, kw_only=True):
    """An actor and what can be said of it."""

    name: str
    kind: Literal["motion", "recorded", "mover"]
    parent: str | None
    facing: dict[str, Any] | None
    look: Any
    is_camera: bool
    fov: float | None
    points: int
    """Of a drawing; 0 for one place."""
    dimension: int
    path: dict[str, Any]
    """The path's own words in the scene file, without its keys."""
    closed: bool
    keys: tuple[KeyView, ...]
    speed: SpeedView
    span: tuple[float, float]
    outside: str
    spline: SplineView | None = None
    """If it is steered by fields."""
    body: BodyView | None = None
    """What has weight about it."""
    follow: FollowView | None = None
    """If it follows its path as a body does; then `keys` are those of that path."""
    is_driven: bool = False
    """If a reach leads it along a path; then `keys` are those of that path."""
    start: StartView | None = None
    """If it is a free or a still body."""
    senses: tuple[SenseView, ...] | None = None
    """What pushes it, if fields can."""
    warnings: tuple[str, ...] = ()
    """What to beware of, in sentences: that it will not settle, that it had to stop, and when."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """What undo and redo would do."""

    undo: str | None
    redo: str | None


class Scene(Update, frozen=True, kw_only=True, tag="scene"):
    """The document at a revision. `is_complete`: actors not listed here are gone; else they are unchanged."""

    revision: int
    opened_at: int
    """The revision at which this document came in place of another: from there on it is a new scene to look at."""
    is_complete: bool
    actors: tuple[ActorView, ...]
    order: tuple[str, ...]
    steps: Step
    file: str | None
    is_saved: bool
    duration: float
    effects: dict[str, dict[str, float]]
    """Named effects: the built-in ones and the scene's own."""
    fields: tuple[FieldView, ...] = ()
    """What pushes on the stage; always all of it."""
    links: tuple[LinkView, ...] = ()
    """Parts of figures; always all of them. They have poses as actors have, in `order`."""
    driven: tuple[ActorView, ...] = ()
    """Those parts of figures that are led along paths, with the keys of these; always all of them."""
    connections: tuple[ConnectionView, ...] = ()
    """What holds bodies together; always all of it."""
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """[m/s²]"""
    meetings: tuple[MeetingView, ...] = ()
    """Who meets whom; always all of it, in the order it was said."""


class Done(Update, frozen=True, kw_only=True, tag="done"):
    """A message was carried out; an edit is on disk by now."""

    id: int
    revision: int
    text: str | None = None


class Refused(Update, frozen=True, kw_only=True, tag="refused"):
    """A message was not carried out, with the reason; the document is unchanged."""

    id: int
    reason: str


class Notice(Update, frozen=True, kw_only=True, tag="notice"):
    """Something a person should know, with what to do."""

    kind: Literal["note", "warning", "error"]
    text: str


class Progress(Update, frozen=True, kw_only=True, tag="progress"):
    """How far a long task is: `fraction` is 0 … 1."""

    task: str
    fraction: float
    seconds_left: float | None = None
    is_over: bool = False


class CardTrail(msgspec.Struct, frozen=True, kw_only=True):
    """An actor's way on the card of an example, 240 wide and 120 high."""

    look: str | None
    """Its colour; None: by its place in the cast."""
    line: tuple[tuple[float, float], ...]
    keys: tuple[tuple[float, float], ...]
    bodies: tuple[tuple[tuple[float, float], ...], ...] = ()
    """The outlines of what it has of bodies, halfway through."""


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """A scene to begin with."""

    name: str
    title: str
    text: str
    trails: tuple[CardTrail, ...] = ()


class FieldOption(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can be said of a kind of field."""

    name: str
    doc: str
    """What it means, in a person's words, with its unit."""
    form: Literal["number", "vector", "position", "text", "choice", "flag", "target", "other"]
    """How it is said; "vector" of three numbers, "position" where the field is held, which is changed as that is,
    "target" the name of an actor or a group, "other" not by hand."""
    default: Any
    """What holds while it is not said."""
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None


class FieldKind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of field or tracker that can be put on the stage."""

    kind: str
    title: str
    """As a menu calls it: "Vortex", "Keep the distance"."""
    text: str
    """What it does, in a sentence."""
    is_tracker: bool
    """Whether it is about somebody: its words "target" must be said."""
    spec: dict[str, Any]
    """One to begin with, as the scene file writes it; trackers still without their target."""
    options: tuple[FieldOption, ...]


class Welcome(Update, frozen=True, kw_only=True, tag="welcome"):
    """What a page needs to begin."""

    protocol: int
    """The protocol version; the page asks to be reloaded if it was built for another one."""
    version: str
    folder: str
    """The folder's own name, where files are opened and saved."""
    folder_path: str
    """The full path of that folder."""
    files: tuple[str, ...]
    recent: tuple[str, ...]
    examples: tuple[Example, ...]
    endings: tuple[str, ...]
    """What a take can be exported as."""
    recovery: str | None
    """What was not saved when the studio last ended."""
    kinds: tuple[FieldKind, ...] = ()
    """What fields there are."""


class Transport(Update, frozen=True, kw_only=True, tag="transport"):
    """Whether it plays, and where it is."""

    time: float
    is_playing: bool
    speed: float
    is_live: bool = False
    """Whether what is seen is a run, tick by tick, and not what was shot."""
    simulated_until: float = 0.0
    """How far the live run has come so far [s]; between nothing and there it can be rewound."""


class FormulaChecked(Update, frozen=True, kw_only=True, tag="formula_checked"):
    """What is wrong with a formula that is being typed; `reason` is None if nothing is."""

    id: int
    reason: str | None
    column: int | None = None
    """Where, counted from 0."""
    end: int | None = None
    """Just behind what is wrong, if that is more than one letter."""
    missing: tuple[str, ...] = ()
    """Names it uses that nobody has said yet: they could be parameters."""


class Collisions(Update, frozen=True, kw_only=True, tag="collisions"):
    """The collisions in what is shown, the take or the live run so far; of very many the fastest."""

    collisions: tuple[CollisionView, ...]


class MeetingEvents(Update, frozen=True, kw_only=True, tag="meeting_events"):
    """What became of meetings in what is seen, the film or the live run so far."""

    events: tuple[MeetingEventView, ...]


AnyUpdate = (
    Scene | Done | Refused | Notice | Progress | Welcome | Transport | FormulaChecked | Collisions | MeetingEvents
)


# ---- numbers ---------------------------------------------------------------------------------------------------------


class Array(msgspec.Struct, frozen=True, kw_only=True):
    """Where an array lies among the numbers."""

    name: str
    shape: tuple[int, ...]
    begin: int
    """In float32 numbers from the first."""


class Curve(Update, frozen=True, kw_only=True, tag="curve"):
    """How an actor goes, in the world, as these arrays.

    `line` (m, 3) along its way over its span, `line_u` (m,) the path's parameter there, `line_speed` (m,) [m/s];
    `dots` (frames, 3) and `dot_speed` (frames,) one per frame; `keys` (k, 3), `key_orientations` (k, 4) w x y z,
    `arrive` (k, 3) and `leave` (k, 3) the keys' tangents dP/du; `stripes` (frames,) distance along the path [m];
    `profile` (p, 2) the relative speed drawn over x; of a drawing `drawings` (k, points, 3) its keys. Of a
    follower `line` is what its body did, and `path` (m, 3) with `path_u` (m,) the rough path.
    """

    actor: str
    revision: int
    length: float
    """[m]"""
    duration: float
    arrays: tuple[Array, ...]


class Poses(Update, frozen=True, kw_only=True, tag="poses"):
    """Where everybody is at one moment: `poses` (actors, 7), place and w x y z, in the scene's order; of drawings
    `points` one behind the other, (all points, 3); of fields `fields` (fields, 7), place and w x y z of each; where
    somebody follows, `targets` (actors, 3) in the scene's order, NaN for all others. Where others carry keys of a rough
    path, its `path 3`, `path_u 3` and so on, as of a curve, are those of the actor with that number in that order.
    """

    time: float
    revision: int
    arrays: tuple[Array, ...]


class Arrows(Update, frozen=True, kw_only=True, tag="arrows"):
    """How a field pushes at a moment, on lattices in three planes through its place: `positions` (3, n, 3) [m] and
    `pushes` (3, n, 3) [m/s²]. The planes are those of the views from the top (x, z), the front (x, y) and the side
    (z, y); where it has no value it pushes NaN.
    """

    field: str
    time: float
    revision: int
    best: Literal["top", "front", "side"]
    """The plane in which it pushes most."""
    arrays: tuple[Array, ...]


AnyNumbers = Curve | Poses | Arrows


def pack_update(head: AnyNumbers, numbers: bytes) -> bytes:
    """One binary message."""
    options = msgspec.json.encode(head)
    options += b" " * (-len(options) % 4)
    return len(options).to_bytes(4, "little") + options + numbers
