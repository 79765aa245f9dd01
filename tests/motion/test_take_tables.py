"""A take is a DataFrame of pandas or a Dataset of xarray where these are wanted."""

import sys

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from keypose.errors import KeyposeError
from keypose.motion.pose import Pose
from keypose.motion.take import Take

TIMES = np.arange(5) / 24
TURNS = np.broadcast_to([0.6, 0.0, 0.8, 0.0], (5, 4))
BALL = Pose(np.arange(15.0).reshape(5, 3), TURNS)
FLAT = Pose(np.arange(10.0).reshape(5, 2), TURNS)
SAIL = Pose(np.arange(20.0).reshape(5, 2, 2), TURNS)
TAKE = Take(TIMES, 24, {"ball": BALL, "flat": FLAT, "sail": SAIL})


def test_data_frame_has_a_row_per_frame_and_columns_by_actor():
    frame = TAKE.to_pandas()
    assert frame.index.name == "time [s]"
    assert_array_equal(frame.index, TIMES)
    assert list(frame["ball"].columns) == ["x", "y", "z", "qw", "qx", "qy", "qz"]
    assert list(frame["flat"].columns) == ["x", "y", "qw", "qx", "qy", "qz"]
    assert list(frame["sail"].columns) == ["0.x", "0.y", "1.x", "1.y", "qw", "qx", "qy", "qz"]
    assert_array_equal(frame["ball"][["x", "y", "z"]], BALL.position)
    assert_array_equal(frame[("sail", "1.y")], SAIL.position[:, 1, 1])
    assert_array_equal(frame["ball"]["qy"], TURNS[:, 2])
    assert frame.columns.names == ["actor", "component"]
    assert frame.stack("actor").loc[(TIMES[2], "ball")]["y"] == BALL.position[2, 1]


def test_dataset_has_positions_and_orientations_by_actor():
    data = TAKE.to_xarray()
    assert dict(data.sizes) == {"time": 5, "actor": 3, "axis": 3, "quaternion": 4, "point of sail": 2}
    assert data.attrs == {"fps": 24}
    assert_array_equal(data["time"], TIMES)
    assert_array_equal(data["position"].sel(actor="ball"), BALL.position)
    assert_array_equal(data["position"].sel(actor="flat", axis="z"), 0)
    assert np.isnan(data["position"].sel(actor="sail")).all()
    assert_array_equal(data["points of sail"].sel(axis=["x", "y"]), SAIL.position)
    assert_array_equal(data["orientation"].sel(actor="flat", quaternion="w"), TURNS[:, 0])


def test_take_without_actors_gives_empty_tables():
    empty = Take(TIMES, 24, {})
    assert empty.to_pandas().shape == (5, 0)
    assert empty.to_xarray()["position"].shape == (5, 0, 3)


@pytest.mark.parametrize("library", ["pandas", "xarray"])
def test_missing_library_is_named_with_the_command_that_installs_it(library, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(KeyposeError, match=rf"needs {library}\. Install it with: pip install 'keypose\[{library}\]'"):
        getattr(TAKE, f"to_{library}")()
