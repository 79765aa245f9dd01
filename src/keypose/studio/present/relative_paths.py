"""Where is a rough path some of whose keys others carry? Where its carriers are at the moment shown.

A key at which the target has been is pinned: it stays where it was then. A live run knows which are; of what was shot,
those count that the target came to, as it is seen from frame to frame.
"""

import numpy as np

from keypose.curves import CarrierFrames, MotionPath, RelativePath
from keypose.maths import Floats
from keypose.motion import pose_center
from keypose.physics import as_relative_path
from keypose.stage import find_followers
from keypose.studio.edits.rough_path import rough_path_of
from keypose.studio.playback.live_frame import LiveFrame
from keypose.studio.present.rough_paths import path_arrays
from keypose.studio.preview.preview import Preview

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


def current_relative_paths(preview: Preview, t: float) -> dict[str, MotionPath]:
    """The paths with carried keys at a moment [s], by the names of those who race along them."""
    names = dict.fromkeys(name for name, _ in find_followers(preview.stage))
    return {name: path for name in names if (path := current_relative_path(preview, name, t)) is not None}


def current_relative_path(preview: Preview, name: str, t: float) -> MotionPath | None:
    """The path along which somebody goes at a moment [s], if some of its keys are carried; None if not."""
    path = rough_path_of(preview.stage, name)
    relative_path = None if path is None else as_relative_path(path)
    if relative_path is None:
        return None
    return relative_path.resolved(carrier_frames(preview, name, relative_path, t), 0)


def relative_path_arrays(preview: Preview, t: float) -> dict[str, Floats]:
    """Those paths and their keys, each array with the number of who races along it behind its name."""
    names = preview.stage.names
    return {
        f"{array_name} {names.index(name)}": values
        for name, path in current_relative_paths(preview, t).items()
        for array_name, values in path_arrays(path).items()
    }


def carrier_frames(preview: Preview, name: str, relative_path: RelativePath, t: float) -> CarrierFrames:
    """In which frames the carried keys of somebody stand at a moment [s]."""
    known = preview.carrier_frames.get(name) if isinstance(preview, LiveFrame) else None
    if known is not None and known.position.shape[1] == len(relative_path.relative_keys):
        return known
    position, orientation = (
        np.empty((1, len(relative_path.relative_keys), 3)),
        np.empty((1, len(relative_path.relative_keys), 4)),
    )
    pin_times = _pin_times(preview, name, relative_path)
    for slot, carrier in enumerate(_carrier_names(relative_path)):
        position[0, slot], orientation[0, slot] = _carrier_pose(preview, carrier, min(t, pin_times[slot]))
    return CarrierFrames(position, orientation)


def _carrier_pose(preview: Preview, name: str, t: float) -> tuple[Floats, Floats]:
    """Where a carrier is; before it is shot where it begins."""
    pose = preview.poses(name, np.array([t]))
    if pose is not None:
        return pose_center(pose)[0], pose.orientation[0]
    first = preview.initial_poses.get(name)
    return (np.zeros(3), IDENTITY) if first is None else (first.position, first.orientation)


def _pin_times(preview: Preview, name: str, relative_path: RelativePath) -> Floats:
    """When the target of somebody came to each carried key that is pinned then [s]; never is infinite."""
    pin_times, take, passes = (
        np.full(len(relative_path.relative_keys), np.inf),
        preview.take,
        preview.key_passes(name, relative_path.path),
    )
    pins, positions = (relative_path.path.keys.column(column) for column in ("pin", "position"))
    if take is None or passes is None or positions is None:
        return pin_times
    for slot, carrier in enumerate(_carrier_names(relative_path)):
        key = relative_path.relative_keys[slot]
        can_pin = (pins is None or pins[key]) and carrier in take and not np.isnan(positions[key]).any()
        if can_pin and passes.is_reached[key]:
            pin_times[slot] = take.times[passes.frames[key]]
    return pin_times


def _carrier_names(relative_path: RelativePath) -> list[str]:
    names = relative_path.path.keys.column("relative_to")
    assert names is not None
    return [names[key] for key in relative_path.relative_keys]
