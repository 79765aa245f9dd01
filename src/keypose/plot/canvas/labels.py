"""How does every label find a place where it covers neither the curve it names nor another label?

All that is drawn is told to the labels first; then each takes the nearest free place around its point. Numbers of keys
can be spared and stay away where there is no free place; names never do.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.maths import Floats
from keypose.plot.canvas.label_candidates import DrawnScene, InkMap, LabelCandidates

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text


LEADER_DISTANCE = 20.0  # points: from here on a thin line leads to what is named
PADDING = 2.0  # pixels around a label


@dataclass(frozen=True)
class LabelRequest:
    """A label for any of some points (n, 2)."""

    points: Floats
    text: str
    color: str
    size: float
    is_optional: bool


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
        self._requests: list[LabelRequest] = []

    def avoid_line(self, points: Floats) -> None:
        """A drawn line through points (n, 2) that no label may cover; NaN lifts it."""
        self._lines.append(np.asarray(points, dtype=np.float64).reshape(-1, 2))

    def avoid_dots(self, points: Floats, size: float = 3.0) -> None:
        """Drawn marks at points (n, 2), of a size in points."""
        self._dots.append((np.asarray(points, dtype=np.float64).reshape(-1, 2), size / 2))

    def avoid_text(self, text: "Text") -> None:
        """Another text in these axes."""
        self._texts.append(text)

    def add(self, point: Floats, text: str, color: str, size: float = 8.0, *, optional: bool = False) -> None:
        """A label for a point (2,) or for any of some (n, 2); one to `optional` is left out where no place is free."""
        points = np.asarray(point, dtype=np.float64).reshape(-1, 2)
        self._requests.append(LabelRequest(points, text, color, size, optional))

    def place(self) -> None:
        """Put all labels: names first, earlier ones before later ones. Once put, they stay."""
        requests = sorted(self._requests, key=lambda request: request.is_optional)
        self._requests.clear()
        if not requests:
            return
        self.ax.get_xlim()  # settles limits that are still to be found from the data
        self.ax.apply_aspect()
        pixel, scene = self.ax.figure.dpi / 72, self._drawn_scene()
        boxes_taken: list[Any] = [
            text.get_window_extent().extents for text in (self.ax.title, *self._texts) if text.get_text()
        ]
        anchors = [self.ax.transData.transform(request.points) for request in requests]
        owner = np.repeat(np.arange(len(anchors)), [len(own_anchors) for own_anchors in anchors])
        all_anchors = np.concatenate(anchors)
        for index, (request, own_anchors) in enumerate(zip(requests, anchors, strict=True)):
            visible = own_anchors[((own_anchors >= scene.axes[0] - 1) & (own_anchors <= scene.axes[1] + 1)).all(axis=1)]
            if not len(visible):
                continue  # what it names is cut off
            half = self._label_size(request) / 2 + PADDING
            candidates = LabelCandidates(visible, half, pixel)
            chosen, is_free = candidates.best(scene, np.reshape(boxes_taken, (-1, 4)), all_anchors[owner != index])
            if is_free or not request.is_optional:
                boxes_taken.append(
                    np.concatenate([candidates.centers[chosen] - half, candidates.centers[chosen] + half])
                )
                self._draw_label(request, candidates, chosen, pixel)

    def _drawn_scene(self) -> DrawnScene:
        """All that is drawn, in pixels."""
        to_pixels, pixel = self.ax.transData.transform, self.ax.figure.dpi / 72
        lines = [to_pixels(line) for line in self._lines]
        pieces = np.concatenate([np.empty((0, 2, 2)), *(np.stack([line[:-1], line[1:]], axis=1) for line in lines)])
        marks = np.concatenate([np.empty((0, 2)), *(to_pixels(points) for points, _ in self._dots)])
        half_sizes = np.concatenate([np.empty(0), *(np.full(len(points), half * pixel) for points, half in self._dots)])
        box, picture = self.ax.get_window_extent(), self.ax.figure.bbox
        ink = InkMap(
            np.array(picture.size),
            pieces[np.isfinite(pieces).all(axis=(1, 2))],
            marks[np.isfinite(marks).all(axis=1)],
            half_sizes[np.isfinite(marks).all(axis=1)],
        )
        bounds_box = box if self.inside else picture
        return DrawnScene(ink, np.stack([box.min, box.max]), np.stack([bounds_box.min, bounds_box.max]))

    def _label_size(self, request: LabelRequest) -> Floats:
        """Width and height of a label in pixels."""
        probe = self.ax.text(0, 0, request.text, fontsize=request.size)
        extent = probe.get_window_extent()
        probe.remove()
        return np.array([extent.width, extent.height])

    def _draw_label(self, request: LabelRequest, candidates: LabelCandidates, chosen: int, pixel: float) -> None:
        """The text, and from far away a thin line to its point."""
        anchor = candidates.anchors[chosen]
        data_point = tuple(self.ax.transData.inverted().transform(anchor))
        placement: dict[str, Any] = {"xy": data_point, "textcoords": "offset points", "annotation_clip": False}
        if candidates.distances[chosen] >= LEADER_DISTANCE:
            leader = {"arrowstyle": "-", "color": request.color, "lw": 0.5, "alpha": 0.7, "shrinkA": 0, "shrinkB": 4}
            edge = tuple((candidates.edges[chosen] - anchor) / pixel)
            self.ax.annotate("", **placement, xytext=edge, arrowprops=leader, zorder=1.7)
        middle = tuple((candidates.centers[chosen] - anchor) / pixel)
        text_style: dict[str, Any] = {"fontsize": request.size, "color": request.color, "zorder": 10}
        self.ax.annotate(request.text, **placement, xytext=middle, ha="center", va="center", **text_style)
