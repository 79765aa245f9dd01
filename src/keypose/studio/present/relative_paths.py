"""Where is a rough path some of whose keys others carry? Where its carriers are at the moment shown.

A key at which the target has been is pinned: it stays where it was then. A live run knows which are; of what was shot,
those count that the target came to, as it is seen from frame to frame.
"""

import numpy as np

from keypose.curves.path.motion_path import MotionPath
from keypose.curves.relative.relative_path import Frames, Loose
from keypose.maths.arrays import Floats
from keypose.motion.hierarchy import middle
from keypose.physics.relative.relative_keys import loosened
from keypose.stage.followers import racers
from keypose.studio.edits.rough_path import raced_along
from keypose.studio.playback.live_frame import Glimpse
from keypose.studio.present.rough_paths import path_arrays
from keypose.studio.preview.preview import Film

UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


def bent_paths(film: Film, t: float) -> dict[str, MotionPath]:
    """The paths with carried keys at a moment [s], by the names of those who race along them."""
    names = dict.fromkeys(name for name, _ in racers(film.stage))
    return {name: path for name in names if (path := bent_path(film, name, t)) is not None}


def bent_path(film: Film, name: str, t: float) -> MotionPath | None:
    """The path along which somebody goes at a moment [s], if some of its keys are carried; None if not."""
    path = raced_along(film.stage, name)
    loose = None if path is None else loosened(path)
    if loose is None:
        return None
    return loose.settled(key_frames(film, name, loose, t), 0)


def bent_arrays(film: Film, t: float) -> dict[str, Floats]:
    """Those paths and their keys, each array with the number of who races along it behind its name."""
    names = film.stage.names
    return {
        f"{word} {names.index(name)}": values
        for name, path in bent_paths(film, t).items()
        for word, values in path_arrays(path).items()
    }


def key_frames(film: Film, name: str, loose: Loose, t: float) -> Frames:
    """In which frames the carried keys of somebody stand at a moment [s]."""
    known = film.key_frames.get(name) if isinstance(film, Glimpse) else None
    if known is not None and known.place.shape[1] == len(loose.loose):
        return known
    place, turn = np.empty((1, len(loose.loose), 3)), np.empty((1, len(loose.loose), 4))
    passed = _pinned(film, name, loose)
    for slot, carrier in enumerate(_carriers(loose)):
        place[0, slot], turn[0, slot] = _standing(film, carrier, min(t, passed[slot]))
    return Frames(place, turn)


def _standing(film: Film, name: str, t: float) -> tuple[Floats, Floats]:
    """Where a carrier is; before it is shot where it begins."""
    pose = film.poses(name, np.array([t]))
    if pose is not None:
        return middle(pose)[0], pose.orientation[0]
    first = film.beginnings.get(name)
    return (np.zeros(3), UPRIGHT) if first is None else (first.position, first.orientation)


def _pinned(film: Film, name: str, loose: Loose) -> Floats:
    """When the target of somebody came to each carried key that is pinned then [s]; never is infinite."""
    passed, take, raced = np.full(len(loose.loose), np.inf), film.take, film.raced(name, loose.path)
    pins, places = (loose.path.keys.column(word) for word in ("pin", "position"))
    if take is None or raced is None or places is None:
        return passed
    for slot, carrier in enumerate(_carriers(loose)):
        key = loose.loose[slot]
        can_be = (pins is None or pins[key]) and carrier in take and not np.isnan(places[key]).any()
        if can_be and raced.comes[key]:
            passed[slot] = take.times[raced.frame[key]]
    return passed


def _carriers(loose: Loose) -> list[str]:
    names = loose.path.keys.column("relative_to")
    assert names is not None
    return [names[key] for key in loose.loose]
