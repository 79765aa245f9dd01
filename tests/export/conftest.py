"""A small take to write and read."""

import numpy as np
import pytest

from keypose.motion.events import Event
from keypose.motion.pose import Pose
from keypose.motion.take import Take


@pytest.fixture
def take():
    """Two actors and a drawing, three frames."""
    place = np.arange(9.0).reshape(3, 3) / 8
    still = np.broadcast_to([1.0, 0, 0, 0], (3, 4))
    poses = {
        "glass": Pose(place, still),
        "hand": Pose(-place, np.array([[0.6, 0.8, 0, 0]] * 3)),
        "sail": Pose(np.arange(12.0).reshape(3, 2, 2), still),
    }
    events = [Event(0.04, "hand", "Took the glass."), Event(0.05, "sail", "Torn.", "warning")]
    return Take(np.arange(3) / 24, 24, poses, events)
