"""How does something turn on the spot? The tips of its three axes travel over a ball."""

from typing import TYPE_CHECKING

import numpy as np

from keypose.curves import OrientationPath
from keypose.maths import quaternion
from keypose.plot.canvas.labels import Labels
from keypose.plot.canvas.theme import Palette, set_up_space_axes
from keypose.plot.canvas.views import View, perspective

if TYPE_CHECKING:
    from matplotlib.axes import Axes


SAMPLES_PER_SEGMENT = 60  # samples between two keys


def draw_orientation_sphere(ax: "Axes", orientations: OrientationPath, palette: Palette) -> None:
    """The ways of the tips from key to key, in front of the ball and, fainter, behind it; names where they begin."""
    set_up_space_axes(ax, palette)
    ax.margins(0.1)
    view = perspective(np.array([[-1.0, -1, -1], [1, 1, 1]]), distance=4.0)
    _draw_sphere(ax, view, palette)
    labels = Labels(ax)
    parameters = np.linspace(0, orientations.segments, SAMPLES_PER_SEGMENT * orientations.segments + 1)
    keys = np.arange(float(len(orientations)))
    for axis, color, name in ((0, palette.key, "x"), (1, palette.leave, "y"), (2, palette.path, "z, forward")):
        tips = quaternion.rotate(orientations.at(parameters), np.eye(3)[axis])
        paper = view.project(tips)
        behind = view.nearness(tips) < 0
        ax.plot(*np.where(behind[:, None], np.nan, paper).T, color=color, linewidth=1.8)
        ax.plot(*paper.T, color=color, linewidth=1.0, alpha=0.45, zorder=1.9)
        at_keys = view.project(quaternion.rotate(orientations.at(keys), np.eye(3)[axis]))
        ax.plot(*at_keys.T, "s", markersize=6, markerfacecolor="none", markeredgecolor=color, markeredgewidth=1.2)
        labels.avoid_line(paper)
        labels.avoid_dots(at_keys, 7.0)
        labels.add(at_keys[0], name, color)
        for key, position in enumerate(at_keys[1:], start=1):
            labels.add(position, str(key), color, 7.0, optional=True)
    labels.place()


def _draw_sphere(ax: "Axes", view: View, palette: Palette) -> None:
    """A round ball with the three great circles across the axes."""
    angle = np.linspace(0, 2 * np.pi, 121)
    longitude, latitude = np.meshgrid(angle, angle / 2)
    surface = [np.sin(latitude) * np.cos(longitude), np.cos(latitude), np.sin(latitude) * np.sin(longitude)]
    rim = float(np.linalg.norm(view.project(np.stack(surface, axis=-1)), axis=-1).max())
    ax.fill(rim * np.cos(angle), rim * np.sin(angle), color=palette.faint, alpha=0.25, linewidth=0)
    for normal_axis in range(3):
        ring = np.insert(np.stack([np.cos(angle), np.sin(angle)], axis=-1), normal_axis, 0.0, axis=-1)
        ax.plot(*view.project(ring).T, color=palette.faint, linewidth=0.8)
