"""The poses of a take as a pandas DataFrame or an xarray Dataset; both libraries are imported when first used."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import Floats
from keypose.motion.pose import Pose

if TYPE_CHECKING:
    import pandas
    import xarray

TIME = "time [s]"
QUATERNION_PARTS = ("w", "x", "y", "z")


def axis_name(axis: int) -> str:
    """The name of a coordinate by its number: x, y, z, then x4 and so on."""
    return "xyz"[axis] if axis < 3 else f"x{axis + 1}"


def build_data_frame(times: Floats, poses: Mapping[str, Pose]) -> "pandas.DataFrame":
    """A row per frame, by time [s]; columns by actor and component: x, y, z [m], of a drawing 0.x, and qw to qz."""
    columns, arrays = list[tuple[str, str]](), [np.empty((len(times), 0))]
    for name, pose in poses.items():
        columns += [(name, component) for component in _component_names(pose.position.shape[1:])]
        arrays += [pose.position.reshape(len(times), -1), pose.orientation]
    pd = _import_library("pandas")
    index = pd.MultiIndex.from_tuples(columns, names=("actor", "component"))
    frame: pandas.DataFrame = pd.DataFrame(
        np.concatenate(arrays, axis=1), index=pd.Index(times, name=TIME), columns=index
    )
    return frame


def build_dataset(times: Floats, fps: float, poses: Mapping[str, Pose]) -> "xarray.Dataset":
    """`position` (time, actor, axis) [m] and `orientation` (time, actor, quaternion).

    Positions in the plane have z = 0. A drawing has NaN there, and its points in a variable of its own, named as
    "points of sail" (time, point of sail, axis).
    """
    xr = _import_library("xarray")
    axes = max([3, *(pose.position.shape[-1] for pose in poses.values())])
    positions = np.full((len(times), len(poses), axes), np.nan)
    variables: dict[str, Any] = {}
    for number, (name, pose) in enumerate(poses.items()):
        missing = axes - pose.position.shape[-1]
        padded = np.pad(pose.position, [(0, 0)] * (pose.position.ndim - 1) + [(0, missing)])
        if pose.position.ndim == 2:
            positions[:, number] = padded
        else:
            variables[f"points of {name}"] = (("time", f"point of {name}", "axis"), padded)
    orientations = [pose.orientation for pose in poses.values()]
    variables["position"] = (("time", "actor", "axis"), positions, {"long_name": "position [m]"})
    variables["orientation"] = (
        ("time", "actor", "quaternion"),
        np.stack(orientations, axis=1) if orientations else np.empty((len(times), 0, 4)),
        {"long_name": "orientation, a unit quaternion"},
    )
    coordinates = {
        "time": ("time", times, {"long_name": TIME}),
        "actor": np.array(list(poses), dtype=object),
        "axis": [axis_name(axis) for axis in range(axes)],
        "quaternion": list(QUATERNION_PARTS),
    }
    dataset: xarray.Dataset = xr.Dataset(variables, coords=coordinates, attrs={"fps": fps})
    return dataset


def _component_names(shape: tuple[int, ...]) -> Iterator[str]:
    axes = [axis_name(axis) for axis in range(shape[-1])]
    yield from axes if len(shape) == 1 else (f"{point}.{axis}" for point in range(shape[0]) for axis in axes)
    yield from (f"q{part}" for part in QUATERNION_PARTS)


def _import_library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise KeyposeError(f"take.to_{name}() needs {name}. Install it with: pip install 'keypose[{name}]'.") from error
