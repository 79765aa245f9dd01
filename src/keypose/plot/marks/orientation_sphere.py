"""How does something turn on the spot? The tips of its three axes travel over a ball."""

from typing import TYPE_CHECKING

import numpy as np

from keypose.curves.orientation_path import OrientationPath
from keypose.maths.quaternion import rotate
from keypose.plot.canvas.labels import Labels
from keypose.plot.canvas.theme import Look, bare
from keypose.plot.canvas.views import View, perspective

if TYPE_CHECKING:
    from matplotlib.axes import Axes


PER_TURN = 60  # samples between two keys


def ball(ax: "Axes", turns: OrientationPath, look: Look) -> None:
    """The ways of the tips from key to key, in front of the ball and, fainter, behind it; names where they begin."""
    bare(ax, look)
    ax.margins(0.1)
    view = perspective(np.array([[-1.0, -1, -1], [1, 1, 1]]), distance=4.0)
    _globe(ax, view, look)
    labels = Labels(ax)
    v = np.linspace(0, turns.segments, PER_TURN * turns.segments + 1)
    keys = np.arange(float(len(turns)))
    for axis, color, name in ((0, look.key, "x"), (1, look.leave, "y"), (2, look.path, "z, forward")):
        tips = rotate(turns.at(v), np.eye(3)[axis])
        paper = view.onto_paper(tips)
        behind = view.nearness(tips) < 0
        ax.plot(*np.where(behind[:, None], np.nan, paper).T, color=color, linewidth=1.8)
        ax.plot(*paper.T, color=color, linewidth=1.0, alpha=0.45, zorder=1.9)
        at_keys = view.onto_paper(rotate(turns.at(keys), np.eye(3)[axis]))
        ax.plot(*at_keys.T, "s", markersize=6, markerfacecolor="none", markeredgecolor=color, markeredgewidth=1.2)
        labels.avoid(paper)
        labels.avoid_dots(at_keys, 7.0)
        labels.want(at_keys[0], name, color)
        for key, place in enumerate(at_keys[1:], start=1):
            labels.want(place, str(key), color, 7.0, spare=True)
    labels.place()


def _globe(ax: "Axes", view: View, look: Look) -> None:
    """A round ball with the three great circles across the axes."""
    angle = np.linspace(0, 2 * np.pi, 121)
    longitude, latitude = np.meshgrid(angle, angle / 2)
    surface = [np.sin(latitude) * np.cos(longitude), np.cos(latitude), np.sin(latitude) * np.sin(longitude)]
    rim = float(np.linalg.norm(view.onto_paper(np.stack(surface, axis=-1)), axis=-1).max())
    ax.fill(rim * np.cos(angle), rim * np.sin(angle), color=look.faint, alpha=0.25, linewidth=0)
    for left_out in range(3):
        ring = np.insert(np.stack([np.cos(angle), np.sin(angle)], axis=-1), left_out, 0.0, axis=-1)
        ax.plot(*view.onto_paper(ring).T, color=look.faint, linewidth=0.8)
