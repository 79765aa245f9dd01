"""In a live run the arrows of a field that travels show what was sent before, and nothing where nobody knows that."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Actor, Body, DynamicSpline, Free, Motion, MotionPath, Sphere, Stage, fields, shoot
from keypose.studio.present.field_arrows import pack_arrows, pose_lookup, sample_accelerations
from keypose.studio.preview.preview import Preview
from tests.studio.living import playing
from tests.studio.visiting import unpacked

RUN = Motion(MotionPath([(0, 0, 0), (20, 0, 0)]), duration=2.0)
PLACES = np.array([[0.0, 5, 0], [3, 0, 3], [12, 1, 0]])


def calling(carrier, ears=1.0):
    """Somebody fast who calls, a bird that flies and calls, and one that hears."""
    return Stage(
        [
            Actor("car", RUN),
            Actor("bird", DynamicSpline((0, 0, 0), (9, 0, 0), senses={"wind": 1})),
            Actor("dog", DynamicSpline((0, 0, 5), senses={"call": ears} if ears else {})),
        ],
        fields={
            "wind": fields.Uniform((0, 3, 0)),
            "call": fields.Attractor(1).carried_by(carrier).delayed(15),
        },
    )


@pytest.mark.parametrize("carrier", ["car", "bird"])
def test_what_travels_is_shown_as_it_was_sent(carrier):
    stage = calling(carrier)

    def script(live):
        live.wait(1.5)
        return sample_accelerations(stage.fields["call"], pose_lookup(live.run.preview), PLACES, live.run.time)

    film = Preview(stage, shoot(stage, 2.0, fps=240))
    wanted = sample_accelerations(stage.fields["call"], pose_lookup(film), PLACES, 1.5)
    assert_allclose(playing(script, stage), wanted, rtol=0.01)


def test_what_travels_from_a_body_that_another_one_hears_is_shown_as_it_was_sent():
    ball, call = Body(Sphere(0.1)), fields.Attractor(1).carried_by("bird").delayed(15)
    cast = [Actor("bird", Free(ball, (0, 0, 0), (9, 3, 0))), Actor("dog", Free(ball, (0, 0, 5), senses={"call": 1}))]
    stage = Stage(cast, fields={"call": call})

    def script(live):
        live.wait(0.5)
        return sample_accelerations(call, pose_lookup(live.run.preview), PLACES, live.run.time)

    film = Preview(stage, shoot(stage, 1.0, fps=240))
    assert_allclose(playing(script, stage), sample_accelerations(call, pose_lookup(film), PLACES, 0.5), rtol=0.01)


def test_where_nobody_remembers_what_was_sent_there_are_no_arrows():
    def script(live):
        live.wait(1.5)
        return unpacked(pack_arrows(live.run.preview, "call", live.run.time, 5.0, 1))

    assert np.isnan(playing(script, calling("bird", ears=0))["pushes"]).all()
    assert np.isfinite(playing(script, calling("bird"))["pushes"]).any()
    assert np.isfinite(playing(script, calling("car", ears=0))["pushes"]).any()
