"""How does a thing look in its poses? Its outline, said once in its own axes, goes wherever they take it."""

from typing import TYPE_CHECKING

import numpy as np

from keypose.maths import Floats, quaternion
from keypose.motion import Pose, pose_center, pose_to_3d
from keypose.plot.canvas.labels import Labels
from keypose.plot.canvas.views import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MIN_STRENGTH = 0.2  # how strong the first of many poses is


def pose_outline(outline: Floats, pose: Pose) -> Floats:
    """Where an outline (points, 3) is in poses (…): (…, points, 3). NaN lifts the pen, and goes on doing so."""
    pose_3d = pose_to_3d(pose)
    return pose_center(pose_3d)[..., None, :] + quaternion.rotate(pose_3d.orientation[..., None, :], outline)


def draw_outline_poses(
    ax: "Axes", outline: Floats, pose: Pose, view: View, labels: Labels, color: str, width: float, strength: float
) -> None:
    """An outline in one pose, or in many: they go from pale to strong, the last one above the others."""
    papers = view.project(pose_outline(outline, pose)).reshape(-1, len(outline), 2)
    for paper, fraction in zip(
        papers, np.linspace(1.0, MIN_STRENGTH, len(papers))[::-1], strict=True
    ):  # one alone is strong
        ax.plot(*paper.T, color=color, linewidth=width, alpha=float(fraction) * strength, zorder=2.6)
        labels.avoid_line(paper)
