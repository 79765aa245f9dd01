"""What hangs on a body turns it, and makes it harder to turn, as weights on levers do."""

import numpy as np
from numpy.testing import assert_allclose

from keypose import Body, Box, Orientation, Sphere
from keypose.physics.engine.engine import Engine
from keypose.physics.engine.model_spec import BodySpec, EqualitySpec

UPRIGHT = (1.0, 0, 0, 0)
CUBE = BodySpec("cube", Body(Box(0.3), 2.0), (1, 2, 3), UPRIGHT)
RESISTS = 2.0 * 0.3**2 / 6  # [kg m²], about any axis


def ball(mass, *place):
    return BodySpec("ball", Body(Sphere(0.1), mass), place, UPRIGHT)


def load(*ties, solids, gravity=(0, -10, 0)):
    return Engine(solids, gravity, 0.002, ties).payload[0]


def test_on_whom_nothing_hangs_bears_nothing():
    assert_allclose(load(solids=[CUBE, ball(1, 1.2, 2, 3)]), (0, 1))


def test_what_turns_about_a_place_weighs_there_with_all_that_hangs_on_it():
    solids = [CUBE, ball(1, 1.2, 1.5, 3), ball(4, 1.2, 1, 3)]
    ties = EqualitySpec(1, 0, ((1.2, 2, 3),)), EqualitySpec(1, 2, ())
    assert_allclose(load(*ties, solids=solids), (10 * 5 * 0.2 / RESISTS, 1 + 5 * 0.2**2 / RESISTS))


def test_what_is_pinned_weighs_where_it_is_and_bears_the_next_one():
    solids = [CUBE, ball(1, 1, 2.5, 3), ball(4, 1, 3, 3)]
    ties = EqualitySpec(1, 0, ()), EqualitySpec(2, 1, ((1, 2.7, 3),))
    own = 0.4 * 1 * 0.1**2
    found = load(*ties, solids=solids)
    assert_allclose(found[0], 10 * (1 * 0.5 + 4 * 0.7) / RESISTS)
    assert_allclose(found[1], 1 + (1 * 0.5**2 + 4 * 0.7**2 + own) / RESISTS)


def test_levers_are_measured_about_the_axes_of_the_inertia():
    rod = BodySpec("rod", Body(Box((0.02, 0.02, 1)), 1.0), (0, 0, 0), tuple(Orientation.turned(90, "x").wxyz))
    found = load(EqualitySpec(1, 0, ((0, 0.5, 0),)), solids=[rod, ball(1, 0, 1, 0)])  # it hangs on its end
    assert_allclose(found[0], 10 * 0.5 / ((1 + 0.02**2) / 12), rtol=1e-6)
    assert_allclose(found[1], 1 + 0.5**2 / ((1 + 0.02**2) / 12), rtol=1e-6)


def test_the_world_what_is_still_and_rings_are_no_loads_of_their_own():
    floor = BodySpec("floor", Body(Box(1)), (0, 0, 0), UPRIGHT, is_movable=False)
    solids = [CUBE, ball(1, 1.2, 2, 3), ball(4, 1.4, 2, 3), floor]
    held = EqualitySpec(0, None, ()), EqualitySpec(0, 3, ()), EqualitySpec(1, None, ())
    assert_allclose(load(*held, solids=solids), (0, 1))
    ring = EqualitySpec(0, 1, ((1.1, 2, 3),)), EqualitySpec(1, 2, ((1.3, 2, 3),)), EqualitySpec(2, 0, ((1.1, 2, 3),))
    assert_allclose(load(*ring, solids=solids)[0], 10 * 5 * 0.1 / RESISTS, rtol=1e-12)


def test_without_gravity_a_load_only_resists():
    turned, harder = load(EqualitySpec(1, 0, ((1.2, 2, 3),)), solids=[CUBE, ball(1, 1.2, 1.5, 3)], gravity=(0, 0, 0))
    assert turned == 0.0
    assert harder > 1
    assert np.isfinite(harder)
