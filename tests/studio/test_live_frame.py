"""In a live run the arrows of a field that travels show what was sent before, and nothing where nobody knows that."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Actor, Body, DynamicSpline, Free, Motion, MotionPath, Sphere, Stage, fields, shoot
from keypose.studio.present.field_arrows import pack_arrows, pose_lookup, sample_accelerations
from keypose.studio.preview.preview import Preview
from tests.studio.live_scenes import play_live
from tests.studio.studio_client import unpack_update

CAR_MOTION = Motion(MotionPath([(0, 0, 0), (20, 0, 0)]), duration=2.0)
POSITIONS = np.array([[0.0, 5, 0], [3, 0, 3], [12, 1, 0]])


def delayed_call_stage(carrier, ears=1.0):
    """Somebody fast who calls, a bird that flies and calls, and one that hears."""
    return Stage(
        [
            Actor("car", CAR_MOTION),
            Actor("bird", DynamicSpline((0, 0, 0), (9, 0, 0), senses={"wind": 1})),
            Actor("dog", DynamicSpline((0, 0, 5), senses={"call": ears} if ears else {})),
        ],
        fields={
            "wind": fields.Uniform((0, 3, 0)),
            "call": fields.Attractor(1).carried_by(carrier).delayed(15),
        },
    )


@pytest.mark.parametrize("carrier", ["car", "bird"])
def test_delayed_field_of_a_live_run_equals_the_take(carrier):
    stage = delayed_call_stage(carrier)

    def script(live):
        live.wait(1.5)
        return sample_accelerations(stage.fields["call"], pose_lookup(live.run.preview), POSITIONS, live.run.time)

    preview = Preview(stage, shoot(stage, 2.0, fps=240))
    expected = sample_accelerations(stage.fields["call"], pose_lookup(preview), POSITIONS, 1.5)
    assert_allclose(play_live(script, stage), expected, rtol=0.01)


def test_delayed_field_of_a_body_in_a_live_run_equals_the_take():
    ball, call = Body(Sphere(0.1)), fields.Attractor(1).carried_by("bird").delayed(15)
    actors = [Actor("bird", Free(ball, (0, 0, 0), (9, 3, 0))), Actor("dog", Free(ball, (0, 0, 5), senses={"call": 1}))]
    stage = Stage(actors, fields={"call": call})

    def script(live):
        live.wait(0.5)
        return sample_accelerations(call, pose_lookup(live.run.preview), POSITIONS, live.run.time)

    preview = Preview(stage, shoot(stage, 1.0, fps=240))
    assert_allclose(
        play_live(script, stage), sample_accelerations(call, pose_lookup(preview), POSITIONS, 0.5), rtol=0.01
    )


def test_delayed_field_without_history_has_no_arrows():
    def script(live):
        live.wait(1.5)
        return unpack_update(pack_arrows(live.run.preview, "call", live.run.time, 5.0, 1))

    assert np.isnan(play_live(script, delayed_call_stage("bird", ears=0))["pushes"]).all()
    assert np.isfinite(play_live(script, delayed_call_stage("bird"))["pushes"]).any()
    assert np.isfinite(play_live(script, delayed_call_stage("car", ears=0))["pushes"]).any()
