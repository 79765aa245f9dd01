"""How does an articulated figure look on paper? A link from each actor to the parent it turns on, thinner towards the
tips; of many poses the early ones pale, the last one strong (GL95 fig. 7).
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import Floats
from keypose.motion import Pose, pose_center
from keypose.plot.canvas.labels import Labels
from keypose.plot.canvas.theme import Palette
from keypose.plot.canvas.views import View
from keypose.stage import Stage

if TYPE_CHECKING:
    from matplotlib.axes import Axes


LINK_WIDTH = 9.0  # points: a link on a root
TAPER = 0.8  # of the link it continues
PIVOT_SIZE = 0.5  # of a link: the hole it turns about
RIM_WIDTH = 2.0  # points of paper around a link, so that overlapping poses can be told apart
MIN_STRENGTH = 0.16  # how strong the first of many poses is
LABEL_SAMPLES = 24  # along a link, to keep labels off its whole thickness


def link_depths(stage: Stage) -> dict[str, int]:
    """Everybody with a parent, from the root up, and how many links their parent is away from its root."""
    depths: dict[str, int] = {}
    for name, _ in stage.resolved.steps:
        parent = stage.resolved.by_name[name].parent
        if parent is not None:
            depths[name] = depths.get(parent, -1) + 1
    return depths


class BonesArtist:
    """The links of a stage in one pose; `move` takes another. `strength` from 1 to 0 fades them into the paper."""

    def __init__(
        self,
        ax: "Axes",
        stage: Stage,
        view: View,
        palette: Palette,
        color: str,
        width: float = LINK_WIDTH,
        strength: float = 1.0,
        zorder: float = 2.6,
    ) -> None:
        depths = link_depths(stage)
        if not depths:
            raise KeyposeError("Nobody on this stage has a parent, so there are no links to draw. Give an actor one.")
        self.pairs = [(str(stage.resolved.by_name[name].parent), name) for name in depths]
        self.widths = [width * TAPER**count for count in depths.values()]
        self._view = view
        line: dict[str, Any] = {"solid_capstyle": "round", "zorder": zorder}
        hole: dict[str, Any] = {"marker": "o", "color": palette.paper, "markeredgewidth": 0, "zorder": zorder}
        link_color = fade_color(color, palette.paper, strength)
        self._rims = [
            ax.plot([], [], color=palette.paper, linewidth=link_width + RIM_WIDTH, **line)[0]
            for link_width in self.widths
        ]
        self._links = [ax.plot([], [], color=link_color, linewidth=link_width, **line)[0] for link_width in self.widths]
        self._pivots = [ax.plot([], [], markersize=PIVOT_SIZE * link_width, **hole)[0] for link_width in self.widths]

    def set_poses(self, poses: Mapping[str, Pose]) -> Floats:
        """Take these poses of one instant; where the links begin and end on paper, (links, 2, 2)."""
        for name in sorted({name for pair in self.pairs for name in pair}):
            if name not in poses:
                raise KeyposeError(f"There is no pose of {name!r}. Give everybody's, as stage.at and take.at do.")
        paper = self._view.project(
            np.array([[pose_center(poses[parent]), pose_center(poses[child])] for parent, child in self.pairs])
        )
        for rim, link, pivot, ends in zip(self._rims, self._links, self._pivots, paper, strict=True):
            rim.set_data(*ends.T)
            link.set_data(*ends.T)
            pivot.set_data(*ends[:1].T)
        return paper


def draw_onion_skin(
    ax: "Axes",
    stage: Stage,
    poses: Mapping[str, Pose],
    view: View,
    palette: Palette,
    labels: Labels,
    color: str,
    width: float,
) -> None:
    """The links in poses of one instant (…) or of many (n, …), those from pale to strong."""
    orientations = [pose.orientation for pose in poses.values()]
    count = len(orientations[0]) if orientations and orientations[0].ndim > 1 else 1
    fraction = np.linspace(0, 1, LABEL_SAMPLES)[:, None]
    for index, strength in enumerate(np.linspace(1.0, MIN_STRENGTH, count)[::-1]):  # one alone is strong
        artist = BonesArtist(ax, stage, view, palette, color, width, float(strength))
        current = {name: pose[index] if pose.orientation.ndim > 1 else pose for name, pose in poses.items()}
        for (start, stop), link_width in zip(artist.set_poses(current), artist.widths, strict=True):
            ax.update_datalim([start, stop])
            labels.avoid_dots(start + fraction * (stop - start), link_width + RIM_WIDTH)
    ax.autoscale_view()


def fade_color(color: str, paper: str, strength: float) -> str:
    """A colour thinned with paper; unlike a transparent one, it does not darken where poses overlap."""
    from matplotlib.colors import to_hex, to_rgb

    ink, ground = np.array(to_rgb(color)), np.array(to_rgb(paper))
    return to_hex(tuple(strength * ink + (1 - strength) * ground))
