"""Where does everybody go? One view of a whole cast: trails with a dot per frame, keys, bones, cameras, meetings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.maths import Floats, quaternion
from keypose.physics import Plane
from keypose.plot.canvas.labels import Labels
from keypose.plot.canvas.theme import Palette, set_up_space_axes
from keypose.plot.canvas.views import FLAT, FRONT, SIDE, TOP, View, perspective
from keypose.plot.marks.actor_colours import legible_color
from keypose.plot.marks.bodies import BodyArtist, draw_ground
from keypose.plot.marks.bones import fade_color
from keypose.plot.marks.path_marks import join_with_gaps
from keypose.plot.marks.viewport import draw_header, fit_limits
from keypose.plot.stage.tracks import ActorTrack, StageTracks

if TYPE_CHECKING:
    from matplotlib.axes import Axes


FLAT_TOLERANCE = 1e-9  # of the size of a scene: thinner than this it is flat
MAX_WIDE_TRAILS, MAX_MEDIUM_TRAILS = 8, 24  # actors: up to these, trails are wide, and middling; more are thin
MAX_REQUIRED_NAMES = 12  # names of more actors stay away where no place is free
LABEL_ANCHORS = 9  # places along a trail that are tried for a name
GROUP_LABEL_ANCHORS = 60  # of a group beside whom its name is tried
BONE_INSTANTS = 5  # instants at which bones are shown …
MAX_REPEATED_LINKS = 12  # … of up to so many; of more, only at the end
TARGET_STRENGTH = 0.6  # how strong the way of a target is
START_STRENGTH = 0.35  # how strong what is shown of the beginning is
FRUSTUM_DEPTH = 0.08  # of the size of the scene: how far a camera's frustum reaches
MAX_FOV = 100.0  # degrees: wider ones are drawn so, or they would fill the picture
ASPECT = 16 / 9


@dataclass(frozen=True)
class ViewCanvas:
    """What is drawn on, seen through a view; its labels keep off all lines."""

    ax: "Axes"
    view: View
    palette: Palette
    labels: Labels

    def draw_line(self, paper: Floats, **style: Any) -> None:
        """A line through points (n, 2) that no label covers."""
        self.ax.plot(*paper.T, **style)
        self.labels.avoid_line(paper)

    def draw_marks(self, paper: Floats, marker: str, size: float, **style: Any) -> None:
        """Marks at points (n, 2) that no label covers."""
        self.ax.plot(*paper.T, marker=marker, linestyle="none", markersize=size, **style)
        self.labels.avoid_dots(paper, size + 1.5)


def stage_views(tracks: StageTracks) -> list[View]:
    """One view of a scene in a plane, from where it is seen whole; four of a scene in space."""
    spread = np.ptp(tracks.positions, axis=0)
    for axis, view in ((2, FLAT), (1, TOP), (0, SIDE)):
        if spread[axis] <= max(FLAT_TOLERANCE * spread.max(), tracks.position_tolerance):
            return [view]
    return [TOP, perspective(tracks.positions), FRONT, SIDE]


def draw_trails(
    ax: "Axes",
    tracks: StageTracks,
    colors: Mapping[str, str],
    names: Mapping[str, str],
    groups: Mapping[str, Sequence[str]],
    view: View,
    palette: Palette,
) -> None:
    """A cast in one view, as large as fits; `names` are written at their trails, those of `groups` beside them all."""
    set_up_space_axes(ax, palette)
    canvas = ViewCanvas(ax, view, palette, Labels(ax, inside=True))
    _draw_bones(canvas, tracks)
    for track in tracks.actors:
        color = colors[track.name]
        _draw_trail(canvas, tracks, track, color)
        if track.outline is not None and track.shape is None:
            _draw_outlines(canvas, track.outline, color)
        if len(track.targets):
            dashes: dict[str, Any] = {"linestyle": (0, (4, 3)), "linewidth": 0.9, "zorder": 1.6}
            canvas.draw_line(
                view.project(track.targets), color=fade_color(color, palette.paper, TARGET_STRENGTH), **dashes
            )
        _draw_bodies(canvas, track, color)
        if track.fov is not None:
            _draw_camera(canvas, track, track.fov, FRUSTUM_DEPTH * (tracks.size or 1.0), color)
        if len(track.key_positions):
            square: dict[str, Any] = {"markerfacecolor": "none", "markeredgewidth": 1.1}
            canvas.draw_marks(view.project(track.key_positions), "s", 6.5, markeredgecolor=color, zorder=3.2, **square)
    _draw_meetings(canvas, tracks)
    tracks_by_name = tracks.by_name
    for name, text in names.items():
        anchors = _label_anchors(view.project(tracks_by_name[name].positions))
        if len(anchors):
            canvas.labels.add(
                anchors,
                text,
                legible_color(colors[name], palette),
                8.0,
                optional=len(tracks.actors) > MAX_REQUIRED_NAMES,
            )
    for text, group_names in groups.items():
        ends = view.project(np.array([tracks_by_name[name].positions[-1] for name in group_names]))
        canvas.labels.add(
            ends[np.isfinite(ends).all(axis=1)][:: -(-len(ends) // GROUP_LABEL_ANCHORS)], text, palette.ink, 8.5
        )
    fit_limits(ax, *_data_corners(ax))
    for track in tracks.actors:
        if isinstance(track.shape, Plane):
            draw_ground(ax, track.shape, track.pose[0], view, colors[track.name])
    draw_header(ax, view, palette, canvas.labels)
    canvas.labels.place()


def _draw_trail(canvas: ViewCanvas, tracks: StageTracks, track: ActorTrack, color: str) -> None:
    """The way of one actor, lifted where it jumps: a dot per frame, a ring where it begins, a ball where it ends."""
    line_width, dot_size, end_size = _trail_sizes(len(tracks.actors))
    paper = canvas.view.project(track.positions)
    jumps = np.flatnonzero(np.isnan(tracks.speeds[track.name])) + 1
    line = np.insert(paper, jumps, np.nan, axis=0)
    canvas.draw_line(line, color=color, linewidth=line_width, alpha=0.75, zorder=2, label=track.name)
    canvas.draw_marks(paper[tracks.dot_indices], "o", dot_size, color=color, markeredgewidth=0, zorder=3)
    if len(tracks.actors) <= MAX_MEDIUM_TRAILS:
        canvas.draw_marks(paper[:1], "o", end_size, color=color, markerfacecolor=canvas.palette.paper, zorder=3.5)
    canvas.draw_marks(
        paper[-1:], "o", end_size, color=color, markeredgewidth=0.6, markeredgecolor=canvas.palette.paper, zorder=4
    )


def _trail_sizes(actors: int) -> tuple[float, float, float]:
    """How wide a trail is, and how large its dots and its ends [points]."""
    if actors <= MAX_WIDE_TRAILS:
        return 1.3, 2.8, 6.0
    return (1.0, 2.0, 5.0) if actors <= MAX_MEDIUM_TRAILS else (0.6, 1.3, 2.6)


def _draw_outlines(canvas: ViewCanvas, outline: Floats, color: str) -> None:
    """A drawing as it is at first, paler, and at last."""
    for frame, strength in ((outline[0], START_STRENGTH), (outline[-1], 1.0)):
        shade = fade_color(color, canvas.palette.paper, strength)
        canvas.draw_line(canvas.view.project(frame), color=shade, linewidth=1.2, zorder=2.5)


def _draw_bodies(canvas: ViewCanvas, track: ActorTrack, color: str) -> None:
    """A body and all that hangs on it as they are at first, paler, and at last; of what is soft, its surface."""
    is_solid = track.shape is not None and not isinstance(track.shape, Plane)
    own_shapes = [(track.shape, track.pose)] if is_solid and track.surface is None else []
    soft_shapes = [] if track.surface is None else [(track.shape, track.surface)]
    for frame, strength in ((0, START_STRENGTH), (-1, 1.0)):
        for shape, pose in (*own_shapes, *soft_shapes, *track.parts):
            outline = BodyArtist(canvas.ax, shape, canvas.view, color, 1.0, strength, zorder=2.4).set_pose(pose[frame])
            canvas.labels.avoid_line(outline)
            if len(outline):
                canvas.ax.update_datalim(outline)


def _draw_camera(canvas: ViewCanvas, track: ActorTrack, fov: float, depth: float, color: str) -> None:
    """What a camera sees at first, paler, and at last: a small pyramid, with a roof where up is."""
    half_height = depth * float(np.tan(np.radians(min(fov, MAX_FOV) / 2)))
    half_width = ASPECT * half_height
    a, b, c, d = (
        (x, y, depth)
        for x, y in (
            (-half_width, -half_height),
            (half_width, -half_height),
            (half_width, half_height),
            (-half_width, half_height),
        )
    )
    eye, roof = (0.0, 0.0, 0.0), (0.0, 1.6 * half_height, depth)
    wires = np.array([eye, a, b, eye, c, d, eye, a, d, roof, c, b])
    for frame, strength in ((0, START_STRENGTH), (-1, 1.0)):
        frustum = track.positions[frame] + quaternion.rotate(track.pose.orientation[frame], wires)
        shade = fade_color(color, canvas.palette.paper, strength)
        canvas.draw_line(canvas.view.project(frustum), color=shade, linewidth=0.8, zorder=2.4)


def _draw_bones(canvas: ViewCanvas, tracks: StageTracks) -> None:
    """A line from everybody to who it stands on, at some instants, from pale to strong; of many, only at the end."""
    tracks_by_name = tracks.by_name
    pairs = [(track, tracks_by_name[track.parent]) for track in tracks.actors if track.parent in tracks_by_name]
    last, line_width = len(tracks.times) - 1, 2.2 if len(pairs) <= MAX_REPEATED_LINKS else 0.8
    instants = (
        np.unique(np.linspace(0, last, BONE_INSTANTS).astype(int))
        if len(pairs) <= MAX_REPEATED_LINKS
        else np.array([last])
    )
    for instant, strength in zip(instants, np.linspace(0.7, 0.2, len(instants))[::-1], strict=True):
        links = np.array([[child.positions[instant], parent.positions[instant]] for child, parent in pairs])
        shade = fade_color(canvas.palette.quiet, canvas.palette.paper, float(strength))
        if len(pairs):
            canvas.draw_line(join_with_gaps(canvas.view.project(links)), color=shade, linewidth=line_width, zorder=1.5)


def _draw_meetings(canvas: ViewCanvas, tracks: StageTracks) -> None:
    """A ring where somebody passes a key that another carries, and when."""
    if not tracks.meetings:
        return
    paper = canvas.view.project(np.array([meeting.position for meeting in tracks.meetings]))
    ink = canvas.palette.ink
    canvas.draw_marks(paper, "o", 11.0, markerfacecolor="none", markeredgewidth=1.4, markeredgecolor=ink, zorder=5)
    for meeting, position in zip(tracks.meetings, paper, strict=True):
        canvas.labels.add(position, f"{meeting.time:.2f} s", ink, 7.0, optional=True)


def _label_anchors(paper: Floats) -> Floats:
    """Some places along a trail (n, 2), evenly by distance."""
    paper = paper[np.isfinite(paper).all(axis=1)]
    if len(paper) < 2:
        return paper
    steps = np.abs(np.diff(paper, axis=0)).max(axis=1)
    distances = np.append(0.0, np.cumsum(steps / (steps.max() or 1.0)))
    return np.asarray(paper[np.unique(np.searchsorted(distances, np.linspace(0, distances[-1], LABEL_ANCHORS)))])


def _data_corners(ax: "Axes") -> tuple[Floats, Floats]:
    """The lowest and the highest of what is drawn; the origin if nothing is."""
    low, high = np.array(ax.dataLim.min), np.array(ax.dataLim.max)
    return (low, high) if np.isfinite([low, high]).all() else (np.zeros(2), np.zeros(2))
