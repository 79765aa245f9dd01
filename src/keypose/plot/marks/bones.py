"""How does an articulated figure look on paper? A link from each actor to the parent it turns on, thinner towards the
tips; of many poses the early ones pale, the last one strong (GL95 fig. 7).
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths.arrays import Floats
from keypose.motion.hierarchy import middle
from keypose.motion.pose import Pose
from keypose.plot.canvas.labels import Labels
from keypose.plot.canvas.theme import Look
from keypose.plot.canvas.views import View
from keypose.stage.stage import Stage

if TYPE_CHECKING:
    from matplotlib.axes import Axes


WIDTH = 9.0  # points: a link on a root
TAPER = 0.8  # of the link it continues
PIVOT = 0.5  # of a link: the hole it turns about
RIM = 2.0  # points of paper around a link, so that overlapping poses can be told apart
PALEST = 0.16  # how strong the first of many poses is
MARKS = 24  # along a link, to keep labels off its whole thickness


def links(stage: Stage) -> dict[str, int]:
    """Everybody with a parent, from the root up, and how many links their parent is away from its root."""
    below: dict[str, int] = {}
    for name, _ in stage.steps:
        parent = stage.by_name[name].parent
        if parent is not None:
            below[name] = below.get(parent, -1) + 1
    return below


class Bones:
    """The links of a stage in one pose; `move` takes another. `strength` from 1 to 0 fades them into the paper."""

    def __init__(
        self,
        ax: "Axes",
        stage: Stage,
        view: View,
        look: Look,
        color: str,
        width: float = WIDTH,
        strength: float = 1.0,
        zorder: float = 2.6,
    ) -> None:
        below = links(stage)
        if not below:
            raise KeyposeError("Nobody on this stage has a parent, so there are no links to draw. Give an actor one.")
        self.pairs = [(str(stage.by_name[name].parent), name) for name in below]
        self.widths = [width * TAPER**count for count in below.values()]
        self._view = view
        line: dict[str, Any] = {"solid_capstyle": "round", "zorder": zorder}
        hole: dict[str, Any] = {"marker": "o", "color": look.paper, "markeredgewidth": 0, "zorder": zorder}
        own = faded(color, look.paper, strength)
        self._rims = [ax.plot([], [], color=look.paper, linewidth=wide + RIM, **line)[0] for wide in self.widths]
        self._links = [ax.plot([], [], color=own, linewidth=wide, **line)[0] for wide in self.widths]
        self._pivots = [ax.plot([], [], markersize=PIVOT * wide, **hole)[0] for wide in self.widths]

    def move(self, poses: Mapping[str, Pose]) -> Floats:
        """Take these poses of one instant; where the links begin and end on paper, (links, 2, 2)."""
        for name in sorted({name for pair in self.pairs for name in pair}):
            if name not in poses:
                raise KeyposeError(f"There is no pose of {name!r}. Give everybody's, as stage.at and take.at do.")
        paper = self._view.onto_paper(
            np.array([[middle(poses[parent]), middle(poses[child])] for parent, child in self.pairs])
        )
        for rim, link, pivot, ends in zip(self._rims, self._links, self._pivots, paper, strict=True):
            rim.set_data(*ends.T)
            link.set_data(*ends.T)
            pivot.set_data(*ends[:1].T)
        return paper


def onion_skin(
    ax: "Axes",
    stage: Stage,
    poses: Mapping[str, Pose],
    view: View,
    look: Look,
    labels: Labels,
    color: str,
    width: float,
) -> None:
    """The links in poses of one instant (…) or of many (n, …), those from pale to strong."""
    turns = [pose.orientation for pose in poses.values()]
    count = len(turns[0]) if turns and turns[0].ndim > 1 else 1
    share = np.linspace(0, 1, MARKS)[:, None]
    for index, strength in enumerate(np.linspace(1.0, PALEST, count)[::-1]):  # one alone is strong
        bones = Bones(ax, stage, view, look, color, width, float(strength))
        now = {name: pose[index] if pose.orientation.ndim > 1 else pose for name, pose in poses.items()}
        for (start, stop), wide in zip(bones.move(now), bones.widths, strict=True):
            ax.update_datalim([start, stop])
            labels.avoid_dots(start + share * (stop - start), wide + RIM)
    ax.autoscale_view()


def faded(color: str, paper: str, strength: float) -> str:
    """A colour thinned with paper; unlike a transparent one, it does not darken where poses overlap."""
    from matplotlib.colors import to_hex, to_rgb

    ink, ground = np.array(to_rgb(color)), np.array(to_rgb(paper))
    return to_hex(tuple(strength * ink + (1 - strength) * ground))
