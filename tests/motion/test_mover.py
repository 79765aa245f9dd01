"""What takes ticks: three methods, and defaults for the rest."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from keypose.errors import KeyposeError, UnknownNameError
from keypose.motion.mover import FILM_TICK, Mover, MoverView, interpolate_pose, mover_tick, watched_names
from keypose.motion.pose import Pose

UPRIGHT = np.array([1.0, 0, 0, 0])


@dataclass(frozen=True)
class Rolling:
    """Rolls along x; a state is how far it is."""

    speed: float = 1.0

    def begin(self, sight):
        return 0.0

    def step(self, state, sight, dt):
        return state + self.speed * dt

    def pose(self, state):
        return Pose(np.array([state, 0, 0]), UPRIGHT)


class Arching(Rolling):
    tick = 0.01
    watches = ("moon",)

    def between(self, before, after, share):
        return Pose(np.array([before, share * (1 - share), 0]), UPRIGHT)


def test_three_methods_make_a_mover():
    assert isinstance(Rolling(), Mover)
    assert not isinstance(object(), Mover)


def test_a_mover_that_says_no_more_ticks_like_film_and_watches_nobody():
    assert mover_tick(Rolling(), "it") == FILM_TICK == 1 / 24
    assert watched_names(Rolling(), "it") == ()


def test_a_mover_may_say_its_tick_whom_it_watches_and_how_it_gets_along():
    mover = Arching()
    assert mover_tick(mover, "it") == 0.01
    assert watched_names(mover, "it") == ("moon",)
    assert_array_equal(interpolate_pose(mover, 1.0, 2.0, 0.5).position, (1, 0.25, 0))


def test_between_ticks_it_goes_straight():
    assert_array_equal(interpolate_pose(Rolling(), 1.0, 3.0, 0.25).position, (1.5, 0, 0))


def test_sight_shows_the_watched_and_nobody_else():
    sight = MoverView(0.5, ("moon",), lambda name: Pose(np.zeros(3), UPRIGHT))
    assert sight.time == 0.5
    assert_array_equal(sight["moon"].position, (0, 0, 0))
    with pytest.raises(UnknownNameError, match=r"looks at 'mon', which it does not watch\. Did you mean 'moon'"):
        sight["mon"]


@pytest.mark.parametrize("tick", [0, -1, float("nan"), float("inf"), "fast"])
def test_a_tick_that_is_none_gets_a_sentence(tick):
    mover = Arching()
    mover.__dict__["tick"] = tick
    with pytest.raises(KeyposeError, match="tick of it"):
        mover_tick(mover, "it")


@pytest.mark.parametrize("tick", [1e-12, 1e12])
def test_a_tick_too_short_or_too_long_is_told_what_would_do(tick):
    mover = Arching()
    mover.__dict__["tick"] = tick
    with pytest.raises(KeyposeError, match=r"Give 1e-09 to 1e\+09 seconds, as 1/24\."):
        mover_tick(mover, "it")


def test_one_name_instead_of_a_tuple_gets_a_sentence():
    mover = Arching()
    mover.__dict__["watches"] = "moon"
    with pytest.raises(KeyposeError, match=r"Actor 'a' watches 'moon'\. Give a tuple"):
        watched_names(mover, "Actor 'a'")
