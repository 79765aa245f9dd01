"""Where are a thousand keyed actors? Asked together: what their motions are made of lies in a few arrays.

First all clocks say how far along its path each actor is (`clocks`, `arc_lengths`), then all paths where that
is (`positions`) and which way it faces there (`orientations`, `face_forward`). Each step goes through all actors in one
kernel, or in one numpy expression.

Asked one by one are those who would be alone in a batch, or gain nothing: paths of very many keys, which would be
copied whole to lie beside the others, and drawings so large that a call each is nothing beside the work. So are carried
keys, which are not a matter of one motion alone.

How do the keys of many actors lie in one array? End to end, with a note of where each actor's begin.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod

import numpy as np

from keypose.maths import Floats, hermite
from keypose.motion import FaceForward, Motion, Pose
from keypose.stage.evaluate.face_forward import FaceForwardBatch
from keypose.stage.evaluate.orientations import PathOrientations
from keypose.stage.evaluate.positions import PathPositions
from keypose.stage.evaluate.time_maps import ClockArrays, build_clock, group_by_clock
from keypose.timing import check_finite

MAX_SEGMENTS = 4096
NO_FACINGS: Mapping[str, FaceForward] = {}
MOTION_METHODS = ("at", "velocity", "parameter", "time_direction")


@dataclass(frozen=True, eq=False)
class Batch:
    """Motions of one place each, or of drawings with equally many points, that are asked together."""

    names: tuple[str, ...]
    shape: tuple[int, ...]
    """Shape of a place in space: (3,) or (points, 3)."""
    repeats: bool
    """Whether any of them has no place at infinity."""
    clocks: tuple[ClockArrays, ...]
    positions: PathPositions
    orientations: PathOrientations
    face_forward: FaceForwardBatch | None

    @classmethod
    def of(cls, motions_by_name: Mapping[str, Motion], facings: Mapping[str, FaceForward] = NO_FACINGS) -> "Batch":
        """Motions that `can_batch` lets in, all with equally many points; `facings` are of those that face forward."""
        motions = list(motions_by_name.values())
        paths = [motion.path for motion in motions]
        facing_by_row = {row: facings[name] for row, name in enumerate(motions_by_name) if name in facings}
        repeats = any(motion.outside != "hold" for motion in motions)
        shape = (*paths[0].shape[:-1], 3)
        return cls(
            tuple(motions_by_name),
            shape,
            repeats,
            tuple(build_clock(rows, [motions[row] for row in rows]) for rows in group_by_clock(motions)),
            PathPositions.from_paths(paths),
            PathOrientations.from_paths(paths),
            FaceForwardBatch.of(facing_by_row, motions),
        )

    def poses(self, t: Floats) -> dict[str, Pose]:
        """Everybody's poses in space at times (n,): to the bit what each motion says itself, facings but for a sine."""
        return dict(zip(self.names, map(Pose.of, *self.pose_arrays(t)), strict=True))

    def pose_arrays(self, t: Floats) -> tuple[Floats, list[Floats]]:
        """The same without names, in their order: places (actors, n, …), and of each actor its facings (n, 4)."""
        u = self.parameters(t)
        positions = self.positions.at(u).reshape(*u.shape, *self.shape)
        orientations = self.orientations.at(u)
        if self.face_forward is not None:
            forward_orientations = self.face_forward.orientations(np.asarray(t), u, orientations.__getitem__)
            for row, orientation in zip(self.face_forward.rows.tolist(), forward_orientations, strict=True):
                orientations[row] = orientation
        return positions, orientations

    def parameters(self, t: Floats) -> Floats:
        """Everybody's parameter u at times (n,): (actors, n)."""
        if self.repeats:
            check_finite(t)
        u = np.empty((len(self.names), len(t)))
        times = np.require(t, requirements=["C", "W"])  # numba would compile anew for any other kind of array
        for clock in self.clocks:
            clock.write_parameters(times, u)
        return u


def can_batch(motion: Motion) -> bool:
    """Whether a motion can be asked together with others, and gains by it."""
    if any(
        getattr(type(motion), method) is not getattr(Motion, method) for method in MOTION_METHODS
    ):  # it has an answer of its own
        return False
    path = motion.path
    if path.shape[-1] > 3 or prod(path.shape[:-1]) * 3 >= hermite.WIDE_SAMPLE or path.segments > MAX_SEGMENTS:
        return False
    carriers = path.keys.column("relative_to")
    return carriers is None or all(carrier is None for carrier in carriers)


def build_batches(
    motions: Iterable[tuple[str, Motion]], facings: Mapping[str, FaceForward] = NO_FACINGS
) -> tuple[Batch, ...]:
    """Those that fit, by the number of their points, where there are two or more."""
    groups: dict[tuple[int, ...], dict[str, Motion]] = {}
    for name, motion in motions:
        if can_batch(motion):
            groups.setdefault(motion.path.shape[:-1], {})[name] = motion
    return tuple(Batch.of(group, facings) for group in groups.values() if len(group) > 1)
