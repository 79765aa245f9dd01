"""Which places around a point are free? Eighty to try for each label, and what speaks against each, in pixels."""

from dataclasses import dataclass

import numpy as np

from keypose.maths import Bools, Floats, Ints

ANGLES = np.radians([45, 135, 315, 225, 90, 270, 0, 180, 67.5, 112.5, 292.5, 247.5, 22.5, 157.5, 337.5, 202.5])
LABEL_DISTANCES = np.array([7.0, 11.0, 16.0, 22.0, 30.0])  # points
ANGLE_PENALTY = 0.25  # points that an angle later in the row is worse

# What speaks against a place, in points of reach: all of it is worse than to stand farther away.
LINE_PENALTY, PIXEL_PENALTY, OVERLAP_PENALTY = 400.0, 2.0, 1500.0
BOUNDS_PENALTY, AXES_PENALTY, AMBIGUITY_PENALTY = 9000.0, 300.0, 40.0


class InkMap:
    """Which pixels of a picture are drawn on; asks for a box cost the same however much is drawn.

    `pieces` (n, 2, 2) are straight lines from pixel to pixel; `marks` squares around (n, 2), `thick` (n,) each way.
    """

    def __init__(self, size: Floats, pieces: Floats, marks: Floats, half_sizes: Floats) -> None:
        wide, tall = (int(side) + 1 for side in size)
        is_drawn = np.zeros((tall, wide), dtype=np.int64)
        points = _line_pixels(pieces, longest=4 * float(size.sum()))
        across, up = np.floor(points[((points >= 0) & (points < (wide, tall))).all(axis=1)]).astype(np.int64).T
        is_drawn[up, across] = 1
        for (x, y), half_size in zip(marks, half_sizes, strict=True):
            low, high = (
                np.maximum(np.floor((x - half_size, y - half_size)), 0),
                np.maximum(np.ceil((x + half_size, y + half_size)), 0),
            )
            is_drawn[int(low[1]) : int(high[1]), int(low[0]) : int(high[0])] = 1
        self._sums = np.zeros((tall + 1, wide + 1), dtype=np.int64)  # of all pixels to the left and below
        self._sums[1:, 1:] = is_drawn.cumsum(axis=0).cumsum(axis=1)

    def count_pixels(self, low: Floats, high: Floats) -> Ints:
        """How many pixels are drawn on in each box, (n, 2) and (n, 2) → (n,)."""
        end = np.array(self._sums.shape)[::-1] - 1
        left, bottom = np.clip(np.floor(low), 0, end).astype(np.int64).T
        right, top = np.clip(np.ceil(high), 0, end).astype(np.int64).T
        return np.asarray(
            self._sums[top, right] - self._sums[bottom, right] - self._sums[top, left] + self._sums[bottom, left]
        )


@dataclass(frozen=True)
class DrawnScene:
    """What is drawn, and the frames (low, high), (2, 2), of the axes and of where a label can be at all."""

    ink: InkMap
    axes: Floats
    bounds: Floats


class LabelCandidates:
    """The places to try for a label of size 2 `half` around some anchors (n, 2): arrays of 80 n."""

    def __init__(self, anchors: Floats, half: Floats, pixel: float) -> None:
        directions = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=-1)
        pixel_distances = LABEL_DISTANCES[:, None] * pixel
        center_distances = pixel_distances + np.abs(directions) @ half  # the label itself reaches towards its anchor
        shape = (len(anchors), len(LABEL_DISTANCES), len(ANGLES))
        origins = anchors[:, None, None]
        self.half = half
        self.anchors = np.broadcast_to(origins, (*shape, 2)).reshape(-1, 2)
        self.centers = (origins + directions * center_distances[..., None]).reshape(-1, 2)
        self.edges = (origins + directions * pixel_distances[..., None]).reshape(-1, 2)
        self.distances = np.broadcast_to(LABEL_DISTANCES[:, None], shape).reshape(-1)
        self.base_cost = np.broadcast_to(
            LABEL_DISTANCES[:, None] + ANGLE_PENALTY * np.arange(len(ANGLES)), shape
        ).reshape(-1)

    def best(self, scene: DrawnScene, boxes_taken: Floats, others: Floats) -> tuple[int, bool]:
        """The best place beside `boxes_taken` boxes (n, 4), away from `others` (n, 2); and whether it is free."""
        covered_pixels = scene.ink.count_pixels(self.centers - self.half, self.centers + self.half)
        conflict = (
            LINE_PENALTY * (covered_pixels > 0)
            + PIXEL_PENALTY * covered_pixels
            + OVERLAP_PENALTY * self.count_overlaps(boxes_taken)
        )
        conflict += BOUNDS_PENALTY * self.is_outside(scene.bounds)
        cost = (
            self.base_cost + AMBIGUITY_PENALTY * self.is_ambiguous(others) + AXES_PENALTY * self.is_outside(scene.axes)
        )
        chosen = int(np.argmin(cost + conflict))
        return chosen, bool(conflict[chosen] == 0)

    def count_overlaps(self, boxes: Floats) -> Ints:
        """How many of these boxes (n, 4) each place overlaps."""
        low, high = self.centers - self.half, self.centers + self.half
        is_overlapping = (low[:, None] < boxes[:, 2:]).all(axis=2) & (high[:, None] > boxes[:, :2]).all(axis=2)
        return np.asarray(is_overlapping.sum(axis=1))

    def is_outside(self, frame: Floats) -> Bools:
        """Which places reach out of a frame."""
        outside = (self.centers - self.half < frame[0]) | (self.centers + self.half > frame[1])
        return np.asarray(outside.any(axis=1))

    def is_ambiguous(self, points: Floats) -> Bools:
        """Which places are nearer to one of these points (n, 2) than to their own."""
        own_distance = np.linalg.norm(self.centers - self.anchors, axis=1)
        other_distances = np.linalg.norm(self.centers[:, None] - points, axis=2)
        return np.asarray((other_distances < 0.999 * own_distance[:, None]).any(axis=1))


def _line_pixels(pieces: Floats, longest: float) -> Floats:
    """Points (m, 2) along straight pieces (n, 2, 2), at most half a pixel apart; a piece can leave far from sight."""
    start, direction = pieces[:, 0], pieces[:, 1] - pieces[:, 0]
    steps = np.ceil(2 * np.minimum(np.abs(direction).max(axis=1, initial=0.0), longest)).astype(np.int64) + 1
    piece = np.repeat(np.arange(len(pieces)), steps)
    step = np.arange(len(piece)) - np.repeat(np.cumsum(steps) - steps, steps)
    fraction = step / np.maximum(steps - 1, 1)[piece]
    return np.asarray(start[piece] + direction[piece] * fraction[:, None])
