"""Where can a label stand without covering the curve it names? In the emptiest of sixteen places around its point."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

ANGLES = np.radians([45, 135, 315, 225, 90, 270, 0, 180])
REACHES = (8.0, 14.0, 22.0)  # points
MARGIN = 2.0  # pixels of air around a label


class Labels:
    """Collects what is drawn in some axes, then puts each label where it covers least. Call `place` last."""

    def __init__(self, ax: "Axes") -> None:
        self.ax = ax
        self._drawn: list[Floats] = []
        self._wanted: list[tuple[float, float, str, str, float]] = []

    def avoid(self, points: Floats) -> None:
        """Points (n, 2) of the drawing that no label may cover."""
        self._drawn.append(np.asarray(points, dtype=np.float64).reshape(-1, 2))

    def want(self, point: Floats, text: str, color: str, size: float = 8.0) -> None:
        """A label for a point."""
        self._wanted.append((float(point[0]), float(point[1]), text, color, size))

    def place(self) -> None:
        """Put all labels; earlier ones choose first. Once put, they stay."""
        figure = self.ax.figure
        renderer = figure.canvas.get_renderer()  # type: ignore[attr-defined]
        self.ax.get_xlim()  # settles limits that are still to be found from the data
        self.ax.apply_aspect()
        to_pixels = self.ax.transData.transform
        drawn = to_pixels(np.concatenate(self._drawn)) if self._drawn else np.empty((0, 2))
        taken: list[Floats] = []
        frame = self.ax.get_window_extent(renderer)
        pixel = figure.dpi / 72
        for x, y, text, color, size in self._wanted:
            anchor = to_pixels((x, y))
            if not frame.padded(1.0).contains(*anchor):
                continue  # what it names is cut off
            probe = self.ax.text(0, 0, text, fontsize=size)
            extent = probe.get_window_extent(renderer)
            probe.remove()
            half = np.array([extent.width, extent.height]) / 2 + MARGIN
            best, best_cost = anchor, np.inf
            for reach in REACHES:
                for angle in ANGLES:
                    way = np.array([np.cos(angle), np.sin(angle)])
                    center = anchor + way * (reach * pixel + np.abs(way) @ half)
                    cost = self._cost(center, half, drawn, taken, frame) + 0.02 * reach
                    if cost < best_cost - 1e-9:
                        best, best_cost = center, cost
            taken.append(np.concatenate([best - half, best + half]))
            offset = (best - anchor) / pixel
            self.ax.annotate(
                text,
                (x, y),
                xytext=tuple(offset),
                textcoords="offset points",
                ha="center",
                va="center",
                fontsize=size,
                color=color,
                annotation_clip=False,
                zorder=10,
            )
        self._wanted.clear()

    @staticmethod
    def _cost(center: Floats, half: Floats, drawn: Floats, taken: list[Floats], frame: object) -> float:
        low, high = center - half, center + half
        covered = ((drawn > low) & (drawn < high)).all(axis=1).sum() if len(drawn) else 0
        overlaps = sum(bool((low < box[2:]).all() and (high > box[:2]).all()) for box in taken)
        outside = low[0] < frame.x0 or low[1] < frame.y0 or high[0] > frame.x1 or high[1] > frame.y1  # type: ignore[attr-defined]
        return float(covered + 40 * overlaps + 25 * outside)
