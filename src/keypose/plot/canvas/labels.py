"""How does every label find a place where it covers neither the curve it names nor another label?

All that is drawn is told to the labels first; then each takes the nearest free place around its point. Numbers of keys
can be spared and stay away where there is no free place; names never do.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.maths.arrays import Floats
from keypose.plot.canvas.label_candidates import Ink, Places, Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text


FAR = 20.0  # points: from here on a thin line leads to what is named
AIR = 2.0  # pixels around a label


@dataclass(frozen=True)
class Wanted:
    """A label for any of some points (n, 2)."""

    points: Floats
    text: str
    color: str
    size: float
    spare: bool


class Labels:
    """Collects what is drawn in some axes, then puts each label where it covers nothing. Call `place` last.

    With `inside` no label reaches out of the axes, where a neighbour's labels may be.
    """

    def __init__(self, ax: "Axes", *, inside: bool = False) -> None:
        self.ax = ax
        self.inside = inside
        self._lines: list[Floats] = []
        self._dots: list[tuple[Floats, float]] = []
        self._texts: list[Text] = []
        self._wanted: list[Wanted] = []

    def avoid(self, points: Floats) -> None:
        """A drawn line through points (n, 2) that no label may cover; NaN lifts it."""
        self._lines.append(np.asarray(points, dtype=np.float64).reshape(-1, 2))

    def avoid_dots(self, points: Floats, size: float = 3.0) -> None:
        """Drawn marks at points (n, 2), of a size in points."""
        self._dots.append((np.asarray(points, dtype=np.float64).reshape(-1, 2), size / 2))

    def avoid_text(self, text: "Text") -> None:
        """Another text in these axes."""
        self._texts.append(text)

    def want(self, point: Floats, text: str, color: str, size: float = 8.0, *, spare: bool = False) -> None:
        """A label for a point (2,) or for any of some (n, 2); one to `spare` is left out where no place is free."""
        points = np.asarray(point, dtype=np.float64).reshape(-1, 2)
        self._wanted.append(Wanted(points, text, color, size, spare))

    def place(self) -> None:
        """Put all labels: names first, earlier ones before later ones. Once put, they stay."""
        wanted = sorted(self._wanted, key=lambda label: label.spare)
        self._wanted.clear()
        if not wanted:
            return
        self.ax.get_xlim()  # settles limits that are still to be found from the data
        self.ax.apply_aspect()
        pixel, scene = self.ax.figure.dpi / 72, self._scene()
        taken: list[Any] = [
            text.get_window_extent().extents for text in (self.ax.title, *self._texts) if text.get_text()
        ]
        anchors = [self.ax.transData.transform(label.points) for label in wanted]
        owner = np.repeat(np.arange(len(anchors)), [len(own) for own in anchors])
        everything = np.concatenate(anchors)
        for index, (label, own) in enumerate(zip(wanted, anchors, strict=True)):
            seen = own[((own >= scene.axes[0] - 1) & (own <= scene.axes[1] + 1)).all(axis=1)]
            if not len(seen):
                continue  # what it names is cut off
            half = self._size(label) / 2 + AIR
            places = Places(seen, half, pixel)
            chosen, free = places.best(scene, np.reshape(taken, (-1, 4)), everything[owner != index])
            if free or not label.spare:
                taken.append(np.concatenate([places.centers[chosen] - half, places.centers[chosen] + half]))
                self._write(label, places, chosen, pixel)

    def _scene(self) -> Scene:
        """All that is drawn, in pixels."""
        to_pixels, pixel = self.ax.transData.transform, self.ax.figure.dpi / 72
        lines = [to_pixels(line) for line in self._lines]
        pieces = np.concatenate([np.empty((0, 2, 2)), *(np.stack([line[:-1], line[1:]], axis=1) for line in lines)])
        marks = np.concatenate([np.empty((0, 2)), *(to_pixels(points) for points, _ in self._dots)])
        thick = np.concatenate([np.empty(0), *(np.full(len(points), half * pixel) for points, half in self._dots)])
        box, picture = self.ax.get_window_extent(), self.ax.figure.bbox
        ink = Ink(
            np.array(picture.size),
            pieces[np.isfinite(pieces).all(axis=(1, 2))],
            marks[np.isfinite(marks).all(axis=1)],
            thick[np.isfinite(marks).all(axis=1)],
        )
        room = box if self.inside else picture
        return Scene(ink, np.stack([box.min, box.max]), np.stack([room.min, room.max]))

    def _size(self, label: Wanted) -> Floats:
        """Width and height of a label in pixels."""
        probe = self.ax.text(0, 0, label.text, fontsize=label.size)
        extent = probe.get_window_extent()
        probe.remove()
        return np.array([extent.width, extent.height])

    def _write(self, label: Wanted, places: Places, chosen: int, pixel: float) -> None:
        """The text, and from far away a thin line to its point."""
        anchor = places.anchors[chosen]
        at = tuple(self.ax.transData.inverted().transform(anchor))
        here: dict[str, Any] = {"xy": at, "textcoords": "offset points", "annotation_clip": False}
        if places.reaches[chosen] >= FAR:
            thin = {"arrowstyle": "-", "color": label.color, "lw": 0.5, "alpha": 0.7, "shrinkA": 0, "shrinkB": 4}
            edge = tuple((places.edges[chosen] - anchor) / pixel)
            self.ax.annotate("", **here, xytext=edge, arrowprops=thin, zorder=1.7)
        middle = tuple((places.centers[chosen] - anchor) / pixel)
        looks: dict[str, Any] = {"fontsize": label.size, "color": label.color, "zorder": 10}
        self.ax.annotate(label.text, **here, xytext=middle, ha="center", va="center", **looks)
