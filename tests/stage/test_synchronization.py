"""Motions of any shape keep appointments: lines, flat ways and drawings stand in space as they do without a script."""

import numpy as np
import pytest

from keypose import Actor, Body, FaceForward, Follow, Key, Motion, MotionPath, Script, Sphere, Stage, shoot

PATHS = {
    "a line": MotionPath([(0,), (2,), (3,)]),
    "a flat way": MotionPath([(0, 0), (1, 1), (3, 0)]),
    "a drawing": MotionPath(np.arange(24.0).reshape(3, 4, 2)),
}
FOLLOWER = Follow(MotionPath([Key((0, 5, 0)), Key((3, 5, 0), name="end")]), Body(Sphere(0.1)), within=0.4)


@pytest.mark.parametrize("path_name", PATHS)
@pytest.mark.parametrize("other", [FOLLOWER, Motion(FOLLOWER.path, duration=2.0)], ids=["a body", "a motion"])
@pytest.mark.parametrize("facing", [None, FaceForward(0.5)], ids=["as it is", "forward"])
def test_synchronized_motion_has_three_dimensional_poses(path_name, other, facing):
    script = Script()
    script.meet({"pen": 1.0, "other": "end"})
    cast = [
        Actor("pen", Motion(PATHS[path_name], duration=1.0), facing=facing),
        Actor("other", other),
        Actor("eye", Motion(FOLLOWER.path, duration=1.0), parent="pen"),
    ]
    take = shoot(Stage(cast, script=script), 4)
    alone = shoot(Stage(cast), 4)
    assert [event.state for event in take.events][-1] == "done"
    assert take.poses["pen"].position.shape == alone.poses["pen"].position.shape
    np.testing.assert_allclose(take.poses["pen"].position[-1], alone.poses["pen"].position[-1], atol=1e-9)
    np.testing.assert_allclose(take.poses["eye"].position[-1], alone.poses["eye"].position[-1], atol=0.05)
