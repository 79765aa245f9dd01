"""What is seen of a path that a body only follows? The path with its keys, apart from what the body did.

It answers to a hand at once; what the body does on it is shot when the hand rests.
"""

import numpy as np

from keypose.curves import MotionPath
from keypose.maths import Floats
from keypose.physics import Follow, Reach
from keypose.studio.present.trail_samples import MAX_SAMPLES
from keypose.studio.preview.key_passes import to_3d
from keypose.studio.preview.preview import Preview

SAMPLES_PER_SEGMENT = 32  # samples from one key to the next


def path_arrays(path: MotionPath) -> dict[str, Floats]:
    """A rough path and its keys in the world, as a `Curve` has them."""
    count = min(SAMPLES_PER_SEGMENT * path.segments, MAX_SAMPLES)
    u, key = np.linspace(0.0, path.segments, count + 1), np.arange(float(len(path)))
    keys = key if path.geometry.turns is None else path.orientation_at(key)
    orientations = np.tile([1.0, 0.0, 0.0, 0.0], (len(path), 1)) if path.geometry.turns is None else np.asarray(keys)
    return {
        "path": to_3d(np.asarray(path.at(u))),
        "path_u": u,
        "keys": to_3d(np.asarray(path.at(key))),
        "key_orientations": orientations,
        "arrive": to_3d(np.asarray(path.arrive)),
        "leave": to_3d(np.asarray(path.leave)),
    }


def key_passing_times(preview: Preview, name: str, mover: Follow | Reach) -> Floats:
    """About when the target passes each key [s], as it was shot last; before that as if nothing were in the way."""
    path, passes = mover.path, preview.key_passes(name, mover.path)
    if preview.take is None or passes is None:
        return np.asarray(path.distance(np.arange(float(len(path))))) / mover.pace
    return np.asarray(preview.take.times[np.maximum.accumulate(passes.frames)])
