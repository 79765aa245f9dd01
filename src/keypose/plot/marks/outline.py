"""How does a thing look in its poses? Its outline, said once in its own axes, goes wherever they take it."""

from typing import TYPE_CHECKING

import numpy as np

from keypose.maths.arrays import Floats
from keypose.maths.quaternion import rotate
from keypose.motion.hierarchy import in_space, middle
from keypose.motion.pose import Pose
from keypose.plot.canvas.labels import Labels
from keypose.plot.canvas.views import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes


PALEST = 0.2  # how strong the first of many poses is


def posed(outline: Floats, pose: Pose) -> Floats:
    """Where an outline (points, 3) is in poses (…): (…, points, 3). NaN lifts the pen, and goes on doing so."""
    there = in_space(pose)
    return middle(there)[..., None, :] + rotate(there.orientation[..., None, :], outline)


def ghosts(
    ax: "Axes", outline: Floats, pose: Pose, view: View, labels: Labels, color: str, width: float, strength: float
) -> None:
    """An outline in one pose, or in many: they go from pale to strong, the last one above the others."""
    papers = view.onto_paper(posed(outline, pose)).reshape(-1, len(outline), 2)
    for paper, share in zip(papers, np.linspace(1.0, PALEST, len(papers))[::-1], strict=True):  # one alone is strong
        ax.plot(*paper.T, color=color, linewidth=width, alpha=float(share) * strength, zorder=2.6)
        labels.avoid(paper)
