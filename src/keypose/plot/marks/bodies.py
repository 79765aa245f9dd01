"""How does a body look on paper? As large as it is: the outline of its shape from where we look, and how it is turned.

What is before a plane is in the picture, so a plane is the line where it ends, hatched behind, as draughtsmen do.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.maths import Floats, quaternion
from keypose.motion import Pose, pose_to_3d
from keypose.physics import SURFACE_NAME, Body, Box, Capsule, Plane, Shape, Sphere
from keypose.plot.canvas.labels import Labels
from keypose.plot.canvas.views import View
from keypose.plot.marks.outline import MIN_STRENGTH
from keypose.stage import Actor, Stage, link_actors

if TYPE_CHECKING:
    from matplotlib.axes import Axes


CIRCLE_ANGLES = np.linspace(0, 2 * np.pi, 49)
CORNERS = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
EDGES = np.array([(a, b) for a in range(8) for b in range(a + 1, 8) if np.abs(CORNERS[a] - CORNERS[b]).sum() == 1])
HATCH_LENGTH, HATCH_SPACING = 7.0, 6.0  # points: how long the strokes behind a plane are, and how far from each other
EDGE_ON_TOLERANCE = 1e-6
FILL_ALPHA = 0.14  # how strong the inside of a body is


def body_shape(actor: Actor) -> Shape | None:
    """The shape of an actor's body, if it has one."""
    body = getattr(actor.mover, "body", None) if actor.body is None else actor.body
    return body.shape if isinstance(body, Body) else None


def body_shapes(stage: Stage, of: Sequence[str] | None = None) -> dict[str, Shape]:
    """The shapes of all who have bodies on a stage, links of figures too, or of some of them, by their names.

    Those of what is soft have the names of their surfaces, as `ball/skin`: these are where it is to
    be seen.
    """
    names = list(stage.resolved.by_name) if of is None else of
    surface_names = {
        name: f"{name}/{SURFACE_NAME}"
        for name in names
        if f"{name}/{SURFACE_NAME}" in link_actors(stage.resolved.by_name[name])
    }
    shapes_by_name = {surface_names.get(name, name): body_shape(stage.resolved.by_name[name]) for name in names}
    return {name: shape for name, shape in shapes_by_name.items() if shape is not None}


def silhouette(shape: Shape | None, pose: Pose, view: View) -> Floats:
    """The outline of a shape in one pose as it is seen, (points, 2), closed; of a plane or a mesh, nothing."""
    if isinstance(shape, Sphere):
        return sphere_outline(shape.radius, pose.position, view)
    if isinstance(shape, Capsule):
        ends = pose.position + quaternion.rotate(pose.orientation, np.array([(0, -0.5, 0), (0, 0.5, 0)]) * shape.length)
        return convex_hull(np.concatenate([sphere_outline(shape.radius, end, view) for end in ends]))
    if isinstance(shape, Box):
        return convex_hull(view.project(_box_corners(shape, pose)))
    return np.empty((0, 2))


def orientation_lines(shape: Shape | None, pose: Pose, view: View) -> Floats:
    """What shows how a shape is turned, (points, 2): the edges of a box, a spoke of a ball. NaN lifts the pen."""
    if isinstance(shape, Sphere):
        spoke = np.array([(0, 0.35, 0), (0, 0.95, 0)]) * shape.radius
        return view.project(pose.position + quaternion.rotate(pose.orientation, spoke))
    if isinstance(shape, Box):
        edges = view.project(_box_corners(shape, pose))[EDGES]
        return np.concatenate([edges, np.full((len(edges), 1, 2), np.nan)], axis=1).reshape(-1, 2)
    return np.empty((0, 2))


def sphere_outline(radius: float, center: Floats, view: View) -> Floats:
    """The rim of a ball as it is seen, (points, 2): an ellipse by how the view takes short ways from its middle."""
    axis_points = view.project(center + 0.5 * radius * np.concatenate([np.eye(3), -np.eye(3)]))
    squared = (axis_points[:3] - axis_points[3:]).T @ (axis_points[:3] - axis_points[3:])
    area = np.sqrt(max(np.linalg.det(squared), 0.0))
    square_root = (squared + area * np.eye(2)) / np.sqrt(max(np.trace(squared) + 2 * area, np.finfo(float).tiny))
    unit = np.stack([np.cos(CIRCLE_ANGLES), np.sin(CIRCLE_ANGLES)], axis=-1)
    return np.asarray(view.project(center) + unit @ square_root)  # a root has one sign: every rim begins on the right


def convex_hull(points: Floats) -> Floats:
    """What a rubber band around points (n, 2) is, closed."""
    ordered = points[np.lexsort(points.T[::-1])]
    sides: list[list[Floats]] = []
    for direction in (ordered, ordered[::-1]):
        side: list[Floats] = []
        for point in direction:
            while len(side) > 1 and _turn_sign(side[-2], side[-1], point) <= 0:
                side.pop()
            side.append(point)
        sides.append(side)
    return np.array([*sides[0], *sides[1][1:]])


def draw_ground(ax: "Axes", plane: Plane, pose: Pose, view: View, color: str) -> None:
    """The line where a plane is seen edge-on, hatched behind it, across all that the axes show by now."""
    line = ground_line(plane, pose, view)
    if line is None:
        return
    from matplotlib.collections import LineCollection
    from matplotlib.lines import Line2D

    foot, along, behind = line
    ax.apply_aspect()
    low, high = np.transpose([ax.get_xlim(), ax.get_ylim()])
    corners = np.array([(x, y) for x in (low[0], high[0]) for y in (low[1], high[1])])
    first, last = np.sort((corners - foot) @ along)[[0, -1]]
    box = ax.get_window_extent()
    metre = float(box.width * 72 / ax.figure.dpi / (high[0] - low[0]))  # points
    starts = foot + np.arange(first, last, HATCH_SPACING / metre)[:, None] * along
    strokes = np.stack([starts, starts + (behind - along) * HATCH_LENGTH / metre / np.sqrt(2)], axis=1)
    ends = np.stack([foot + first * along, foot + last * along])
    style: Any = {"color": color, "zorder": 1.2}
    ax.add_artist(Line2D(*ends.T, linewidth=1.1, **style))
    ax.add_artist(LineCollection(list(strokes), linewidth=0.5, alpha=0.7, **style))


def ground_line(plane: Plane, pose: Pose, view: View) -> tuple[Floats, Floats, Floats] | None:
    """A point of the line a plane is seen as, its direction and that behind it, (2,) each; none if it is seen flat."""
    if not view.has_scale:
        return None
    outward = quaternion.rotate(pose.orientation, np.array(plane.normal))
    projected = view.project(np.stack([outward, np.zeros(3)]))
    normal = projected[0] - projected[1]
    if abs(np.linalg.norm(normal) - 1) > EDGE_ON_TOLERANCE:
        return None
    return view.project(pose.position + plane.offset * outward), np.array([-normal[1], normal[0]]), -normal


class BodyArtist:
    """A shape in some axes, its inside filled a little; `move` takes a pose. `strength` from 1 to 0 fades it."""

    def __init__(
        self,
        ax: "Axes",
        shape: Shape | None,
        view: View,
        color: str,
        width: float,
        strength: float = 1.0,
        zorder: float = 2.6,
    ) -> None:
        (self._fill,) = ax.fill([], [], color=color, alpha=FILL_ALPHA * strength, linewidth=0, zorder=zorder - 0.01)
        style: Any = {"color": color, "alpha": strength, "zorder": zorder}
        (self._outline,) = ax.plot([], [], linewidth=width, **style)
        (self._orientation_line,) = ax.plot([], [], linewidth=0.5 * width, **style)
        self._shape, self._view = shape, view

    def set_pose(self, pose: Pose) -> Floats:
        """Take a pose of one instant, or of the surface of what is soft; the outline on paper, (points, 2)."""
        pose_3d = pose_to_3d(pose)
        is_soft = pose_3d.position.ndim > 1
        outline = (
            convex_hull(self._view.project(pose_3d.position))
            if is_soft
            else silhouette(self._shape, pose_3d, self._view)
        )
        self._fill.set_xy(outline)
        self._outline.set_data(*outline.T)
        if not is_soft:
            self._orientation_line.set_data(*orientation_lines(self._shape, pose_3d, self._view).T)
        return outline


def draw_body_poses(
    ax: "Axes", shape: Shape, pose: Pose, view: View, labels: Labels, color: str, width: float, strength: float
) -> None:
    """A shape in one pose, or in many: they go from pale to strong, the last one above the others."""
    poses = [pose] if pose.orientation.ndim == 1 else list(pose)
    for single, fraction in zip(
        poses, np.linspace(1.0, MIN_STRENGTH, len(poses))[::-1], strict=True
    ):  # one alone is strong
        outline = BodyArtist(ax, shape, view, color, width, float(fraction) * strength).set_pose(single)
        labels.avoid_line(outline)
        if len(outline):
            ax.update_datalim(outline)
    ax.autoscale_view()


def _box_corners(box: Box, pose: Pose) -> Floats:
    return pose.position + quaternion.rotate(pose.orientation, CORNERS * box.size)


def _turn_sign(one: Floats, two: Floats, three: Floats) -> float:
    """More than zero if the way through three points turns left."""
    (ax, ay), (bx, by) = two - one, three - two
    return float(ax * by - ay * bx)
