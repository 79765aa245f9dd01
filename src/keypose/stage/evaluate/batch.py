"""Where are a thousand keyed actors? Asked together: what their motions are made of lies in a few arrays.

First all clocks say how far along its path each actor is (`clocks`, `rulers`), then all paths where that is (`places`)
and which way it faces there (`turnings`, `forward`). Each step goes through all actors in one kernel, or in one numpy
expression.

Asked one by one are those who would be alone in a batch, or gain nothing: paths of very many keys, which would be
copied whole to lie beside the others, and drawings so large that a call each is nothing beside the work. So are carried
keys, which are not a matter of one motion alone.

How do the keys of many actors lie in one array? End to end, with a note of where each actor's begin.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod

import numpy as np

from keypose.maths.arrays import Floats
from keypose.maths.hermite import WIDE
from keypose.motion.facing import FaceForward
from keypose.motion.motion import Motion
from keypose.motion.pose import Pose
from keypose.stage.evaluate.face_forward import Forward
from keypose.stage.evaluate.orientations import Turnings
from keypose.stage.evaluate.positions import Places
from keypose.stage.evaluate.time_maps import Clock, by_clock, clock_of
from keypose.timing.extrapolation import check_finite

MOST_SEGMENTS = 4096
NOBODY: Mapping[str, FaceForward] = {}
ANSWERS = ("at", "velocity", "parameter", "sense")


@dataclass(frozen=True, eq=False)
class Batch:
    """Motions of one place each, or of drawings with equally many points, that are asked together."""

    names: tuple[str, ...]
    shape: tuple[int, ...]
    """Shape of a place in space: (3,) or (points, 3)."""
    repeats: bool
    """Whether any of them has no place at infinity."""
    clocks: tuple[Clock, ...]
    places: Places
    turnings: Turnings
    forward: Forward | None

    @classmethod
    def of(cls, named: Mapping[str, Motion], facings: Mapping[str, FaceForward] = NOBODY) -> "Batch":
        """Motions that `fits` lets in, all with equally many points; `facings` are of those that face forward."""
        motions = list(named.values())
        paths = [motion.path for motion in motions]
        facing = {row: facings[name] for row, name in enumerate(named) if name in facings}
        repeats = any(motion.outside != "hold" for motion in motions)
        shape = (*paths[0].shape[:-1], 3)
        return cls(
            tuple(named),
            shape,
            repeats,
            tuple(clock_of(rows, [motions[row] for row in rows]) for rows in by_clock(motions)),
            Places.along(paths),
            Turnings.along(paths),
            Forward.of(facing, motions),
        )

    def poses(self, t: Floats) -> dict[str, Pose]:
        """Everybody's poses in space at times (n,): to the bit what each motion says itself, facings but for a sine."""
        return dict(zip(self.names, map(Pose.of, *self.rows(t)), strict=True))

    def rows(self, t: Floats) -> tuple[Floats, list[Floats]]:
        """The same without names, in their order: places (actors, n, …), and of each actor its facings (n, 4)."""
        u = self.parameters(t)
        places = self.places.at(u).reshape(*u.shape, *self.shape)
        facings = self.turnings.at(u)
        if self.forward is not None:
            forward = self.forward.facings(np.asarray(t), u, facings.__getitem__)
            for row, facing in zip(self.forward.rows.tolist(), forward, strict=True):
                facings[row] = facing
        return places, facings

    def parameters(self, t: Floats) -> Floats:
        """Everybody's parameter u at times (n,): (actors, n)."""
        if self.repeats:
            check_finite(t)
        u = np.empty((len(self.names), len(t)))
        moments = np.require(t, requirements=["C", "W"])  # numba would compile anew for any other kind of array
        for clock in self.clocks:
            clock.tell(moments, u)
        return u


def fits(motion: Motion) -> bool:
    """Whether a motion can be asked together with others, and gains by it."""
    if any(getattr(type(motion), word) is not getattr(Motion, word) for word in ANSWERS):  # it has an answer of its own
        return False
    path = motion.path
    if path.shape[-1] > 3 or prod(path.shape[:-1]) * 3 >= WIDE or path.segments > MOST_SEGMENTS:
        return False
    carriers = path.keys.column("relative_to")
    return carriers is None or all(carrier is None for carrier in carriers)


def batches(motions: Iterable[tuple[str, Motion]], facings: Mapping[str, FaceForward] = NOBODY) -> tuple[Batch, ...]:
    """Those that fit, by the number of their points, where there are two or more."""
    groups: dict[tuple[int, ...], dict[str, Motion]] = {}
    for name, motion in motions:
        if fits(motion):
            groups.setdefault(motion.path.shape[:-1], {})[name] = motion
    return tuple(Batch.of(group, facings) for group in groups.values() if len(group) > 1)
