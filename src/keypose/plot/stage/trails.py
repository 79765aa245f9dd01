"""Where does everybody go? One view of a whole cast: trails with a dot per frame, keys, bones, cameras, meetings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.maths.arrays import Floats
from keypose.maths.quaternion import rotate
from keypose.physics.values.shapes import Plane
from keypose.plot.canvas.labels import Labels
from keypose.plot.canvas.theme import Look, bare
from keypose.plot.canvas.views import FLAT, FRONT, SIDE, TOP, View, perspective
from keypose.plot.marks.actor_colours import legible
from keypose.plot.marks.bodies import Solid, ground
from keypose.plot.marks.bones import faded
from keypose.plot.marks.path_marks import lifted
from keypose.plot.marks.viewport import fit, head
from keypose.plot.stage.tracks import Cast, Player

if TYPE_CHECKING:
    from matplotlib.axes import Axes


FLATNESS = 1e-9  # of the size of a scene: thinner than this it is flat
FEW, MANY = 8, 24  # actors: up to these, trails are wide, and middling; more are thin
ALL_NAMED = 12  # names of more actors stay away where no place is free
ANCHORS = 9  # places along a trail that are tried for a name
MEMBERS = 60  # of a group beside whom its name is tried
SKINS = 5  # instants at which bones are shown …
FEW_LINKS = 12  # … of up to so many; of more, only at the end
AIMED = 0.6  # how strong the way of a target is
PALE = 0.35  # how strong what is shown of the beginning is
DEPTH = 0.08  # of the size of the scene: how far a camera's frustum reaches
WIDEST = 100.0  # degrees: wider ones are drawn so, or they would fill the picture
ASPECT = 16 / 9


@dataclass(frozen=True)
class Board:
    """What is drawn on, seen through a view; its labels keep off all lines."""

    ax: "Axes"
    view: View
    look: Look
    labels: Labels

    def line(self, paper: Floats, **style: Any) -> None:
        """A line through points (n, 2) that no label covers."""
        self.ax.plot(*paper.T, **style)
        self.labels.avoid(paper)

    def marks(self, paper: Floats, marker: str, size: float, **style: Any) -> None:
        """Marks at points (n, 2) that no label covers."""
        self.ax.plot(*paper.T, marker=marker, linestyle="none", markersize=size, **style)
        self.labels.avoid_dots(paper, size + 1.5)


def views_of_all(cast: Cast) -> list[View]:
    """One view of a scene in a plane, from where it is seen whole; four of a scene in space."""
    spread = np.ptp(cast.places, axis=0)
    for axis, view in ((2, FLAT), (1, TOP), (0, SIDE)):
        if spread[axis] <= max(FLATNESS * spread.max(), cast.rounding):
            return [view]
    return [TOP, perspective(cast.places), FRONT, SIDE]


def crowd(
    ax: "Axes",
    cast: Cast,
    colors: Mapping[str, str],
    names: Mapping[str, str],
    groups: Mapping[str, Sequence[str]],
    view: View,
    look: Look,
) -> None:
    """A cast in one view, as large as fits; `names` are written at their trails, those of `groups` beside them all."""
    bare(ax, look)
    board = Board(ax, view, look, Labels(ax, inside=True))
    _bones(board, cast)
    for player in cast.players:
        color = colors[player.name]
        _trail(board, cast, player, color)
        if player.outline is not None and player.shape is None:
            _outlines(board, player.outline, color)
        if len(player.aims):
            dashes: dict[str, Any] = {"linestyle": (0, (4, 3)), "linewidth": 0.9, "zorder": 1.6}
            board.line(view.onto_paper(player.aims), color=faded(color, look.paper, AIMED), **dashes)
        _bodies(board, player, color)
        if player.fov is not None:
            _camera(board, player, player.fov, DEPTH * (cast.size or 1.0), color)
        if len(player.key_places):
            square: dict[str, Any] = {"markerfacecolor": "none", "markeredgewidth": 1.1}
            board.marks(view.onto_paper(player.key_places), "s", 6.5, markeredgecolor=color, zorder=3.2, **square)
    _meetings(board, cast)
    everybody = cast.by_name
    for name, text in names.items():
        anchors = _anchors(view.onto_paper(everybody[name].places))
        if len(anchors):
            board.labels.want(anchors, text, legible(colors[name], look), 8.0, spare=len(cast.players) > ALL_NAMED)
    for text, members in groups.items():
        ends = view.onto_paper(np.array([everybody[name].places[-1] for name in members]))
        board.labels.want(ends[np.isfinite(ends).all(axis=1)][:: -(-len(ends) // MEMBERS)], text, look.ink, 8.5)
    fit(ax, *_corners(ax))
    for player in cast.players:
        if isinstance(player.shape, Plane):
            ground(ax, player.shape, player.pose[0], view, colors[player.name])
    head(ax, view, look, board.labels)
    board.labels.place()


def _trail(board: Board, cast: Cast, player: Player, color: str) -> None:
    """The way of one actor, lifted where it jumps: a dot per frame, a ring where it begins, a ball where it ends."""
    wide, dot, ball = _sizes(len(cast.players))
    paper = board.view.onto_paper(player.places)
    jumps = np.flatnonzero(np.isnan(cast.speeds[player.name])) + 1
    line = np.insert(paper, jumps, np.nan, axis=0)
    board.line(line, color=color, linewidth=wide, alpha=0.75, zorder=2, label=player.name)
    board.marks(paper[cast.dots], "o", dot, color=color, markeredgewidth=0, zorder=3)
    if len(cast.players) <= MANY:
        board.marks(paper[:1], "o", ball, color=color, markerfacecolor=board.look.paper, zorder=3.5)
    board.marks(paper[-1:], "o", ball, color=color, markeredgewidth=0.6, markeredgecolor=board.look.paper, zorder=4)


def _sizes(actors: int) -> tuple[float, float, float]:
    """How wide a trail is, and how large its dots and its ends [points]."""
    if actors <= FEW:
        return 1.3, 2.8, 6.0
    return (1.0, 2.0, 5.0) if actors <= MANY else (0.6, 1.3, 2.6)


def _outlines(board: Board, outline: Floats, color: str) -> None:
    """A drawing as it is at first, paler, and at last."""
    for frame, strength in ((outline[0], PALE), (outline[-1], 1.0)):
        shade = faded(color, board.look.paper, strength)
        board.line(board.view.onto_paper(frame), color=shade, linewidth=1.2, zorder=2.5)


def _bodies(board: Board, player: Player, color: str) -> None:
    """A body and all that hangs on it as they are at first, paler, and at last; of what is soft, its surface."""
    solid = player.shape is not None and not isinstance(player.shape, Plane)
    own = [(player.shape, player.pose)] if solid and player.skin is None else []
    soft = [] if player.skin is None else [(player.shape, player.skin)]
    for frame, strength in ((0, PALE), (-1, 1.0)):
        for shape, pose in (*own, *soft, *player.parts):
            rim = Solid(board.ax, shape, board.view, color, 1.0, strength, zorder=2.4).move(pose[frame])
            board.labels.avoid(rim)
            if len(rim):
                board.ax.update_datalim(rim)


def _camera(board: Board, player: Player, fov: float, depth: float, color: str) -> None:
    """What a camera sees at first, paler, and at last: a small pyramid, with a roof where up is."""
    tall = depth * float(np.tan(np.radians(min(fov, WIDEST) / 2)))
    wide = ASPECT * tall
    a, b, c, d = ((x, y, depth) for x, y in ((-wide, -tall), (wide, -tall), (wide, tall), (-wide, tall)))
    eye, roof = (0.0, 0.0, 0.0), (0.0, 1.6 * tall, depth)
    wires = np.array([eye, a, b, eye, c, d, eye, a, d, roof, c, b])
    for frame, strength in ((0, PALE), (-1, 1.0)):
        seen = player.places[frame] + rotate(player.pose.orientation[frame], wires)
        shade = faded(color, board.look.paper, strength)
        board.line(board.view.onto_paper(seen), color=shade, linewidth=0.8, zorder=2.4)


def _bones(board: Board, cast: Cast) -> None:
    """A line from everybody to who it stands on, at some instants, from pale to strong; of many, only at the end."""
    players = cast.by_name
    pairs = [(player, players[player.parent]) for player in cast.players if player.parent in players]
    last, wide = len(cast.times) - 1, 2.2 if len(pairs) <= FEW_LINKS else 0.8
    instants = np.unique(np.linspace(0, last, SKINS).astype(int)) if len(pairs) <= FEW_LINKS else np.array([last])
    for instant, strength in zip(instants, np.linspace(0.7, 0.2, len(instants))[::-1], strict=True):
        links = np.array([[child.places[instant], parent.places[instant]] for child, parent in pairs])
        shade = faded(board.look.quiet, board.look.paper, float(strength))
        if len(pairs):
            board.line(lifted(board.view.onto_paper(links)), color=shade, linewidth=wide, zorder=1.5)


def _meetings(board: Board, cast: Cast) -> None:
    """A ring where somebody passes a key that another carries, and when."""
    if not cast.meetings:
        return
    paper = board.view.onto_paper(np.array([meeting.place for meeting in cast.meetings]))
    ink = board.look.ink
    board.marks(paper, "o", 11.0, markerfacecolor="none", markeredgewidth=1.4, markeredgecolor=ink, zorder=5)
    for meeting, place in zip(cast.meetings, paper, strict=True):
        board.labels.want(place, f"{meeting.time:.2f} s", ink, 7.0, spare=True)


def _anchors(paper: Floats) -> Floats:
    """Some places along a trail (n, 2), evenly by distance."""
    paper = paper[np.isfinite(paper).all(axis=1)]
    if len(paper) < 2:
        return paper
    steps = np.abs(np.diff(paper, axis=0)).max(axis=1)
    way = np.append(0.0, np.cumsum(steps / (steps.max() or 1.0)))
    return np.asarray(paper[np.unique(np.searchsorted(way, np.linspace(0, way[-1], ANCHORS)))])


def _corners(ax: "Axes") -> tuple[Floats, Floats]:
    """The lowest and the highest of what is drawn; the origin if nothing is."""
    low, high = np.array(ax.dataLim.min), np.array(ax.dataLim.max)
    return (low, high) if np.isfinite([low, high]).all() else (np.zeros(2), np.zeros(2))
