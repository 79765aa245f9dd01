"""What hangs on a body turns it, and makes it harder to turn, as weights on levers do."""

import numpy as np
from numpy.testing import assert_allclose

from keypose import Body, Box, Orientation, Sphere
from keypose.physics.engine.engine import Engine
from keypose.physics.engine.model_spec import BodySpec, EqualitySpec

UPRIGHT = (1.0, 0, 0, 0)
CUBE = BodySpec("cube", Body(Box(0.3), 2.0), (1, 2, 3), UPRIGHT)
INERTIA = 2.0 * 0.3**2 / 6  # [kg m²], about any axis


def ball(mass, *position):
    return BodySpec("ball", Body(Sphere(0.1), mass), position, UPRIGHT)


def payload_of(*equalities, solids, gravity=(0, -10, 0)):
    return Engine(solids, gravity, 0.002, equalities).payload[0]


def test_body_without_joints_has_no_payload():
    assert_allclose(payload_of(solids=[CUBE, ball(1, 1.2, 2, 3)]), (0, 1))


def test_payload_on_a_ball_joint_acts_at_the_joint_with_its_whole_subtree():
    solids = [CUBE, ball(1, 1.2, 1.5, 3), ball(4, 1.2, 1, 3)]
    equalities = EqualitySpec(1, 0, ((1.2, 2, 3),)), EqualitySpec(1, 2, ())
    assert_allclose(payload_of(*equalities, solids=solids), (10 * 5 * 0.2 / INERTIA, 1 + 5 * 0.2**2 / INERTIA))


def test_pinned_payload_acts_at_its_own_position_and_includes_its_children():
    solids = [CUBE, ball(1, 1, 2.5, 3), ball(4, 1, 3, 3)]
    equalities = EqualitySpec(1, 0, ()), EqualitySpec(2, 1, ((1, 2.7, 3),))
    ball_inertia = 0.4 * 1 * 0.1**2
    found = payload_of(*equalities, solids=solids)
    assert_allclose(found[0], 10 * (1 * 0.5 + 4 * 0.7) / INERTIA)
    assert_allclose(found[1], 1 + (1 * 0.5**2 + 4 * 0.7**2 + ball_inertia) / INERTIA)


def test_lever_arms_are_measured_about_the_principal_axes():
    rod = BodySpec("rod", Body(Box((0.02, 0.02, 1)), 1.0), (0, 0, 0), tuple(Orientation.turned(90, "x").wxyz))
    found = payload_of(EqualitySpec(1, 0, ((0, 0.5, 0),)), solids=[rod, ball(1, 0, 1, 0)])  # it hangs on its end
    assert_allclose(found[0], 10 * 0.5 / ((1 + 0.02**2) / 12), rtol=1e-6)
    assert_allclose(found[1], 1 + 0.5**2 / ((1 + 0.02**2) / 12), rtol=1e-6)


def test_world_still_bodies_and_loop_joints_add_no_payload():
    floor = BodySpec("floor", Body(Box(1)), (0, 0, 0), UPRIGHT, is_movable=False)
    solids = [CUBE, ball(1, 1.2, 2, 3), ball(4, 1.4, 2, 3), floor]
    equalities = EqualitySpec(0, None, ()), EqualitySpec(0, 3, ()), EqualitySpec(1, None, ())
    assert_allclose(payload_of(*equalities, solids=solids), (0, 1))
    loop = EqualitySpec(0, 1, ((1.1, 2, 3),)), EqualitySpec(1, 2, ((1.3, 2, 3),)), EqualitySpec(2, 0, ((1.1, 2, 3),))
    assert_allclose(payload_of(*loop, solids=solids)[0], 10 * 5 * 0.1 / INERTIA, rtol=1e-12)


def test_payload_without_gravity_only_adds_inertia():
    torque, inertia_ratio = payload_of(
        EqualitySpec(1, 0, ((1.2, 2, 3),)), solids=[CUBE, ball(1, 1.2, 1.5, 3)], gravity=(0, 0, 0)
    )
    assert torque == 0.0
    assert inertia_ratio > 1
    assert np.isfinite(inertia_ratio)
