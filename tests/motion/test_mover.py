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
class RollingMover:
    """Rolls along x; a state is how far it is."""

    speed: float = 1.0

    def begin(self, view):
        return 0.0

    def step(self, state, view, dt):
        return state + self.speed * dt

    def pose(self, state):
        return Pose(np.array([state, 0, 0]), UPRIGHT)


class ArchingMover(RollingMover):
    tick = 0.01
    watches = ("moon",)

    def between(self, before, after, share):
        return Pose(np.array([before, share * (1 - share), 0]), UPRIGHT)


def test_three_methods_make_a_mover():
    assert isinstance(RollingMover(), Mover)
    assert not isinstance(object(), Mover)


def test_default_mover_ticks_at_film_rate_and_watches_no_actor():
    assert mover_tick(RollingMover(), "it") == FILM_TICK == 1 / 24
    assert watched_names(RollingMover(), "it") == ()


def test_mover_may_define_tick_watched_names_and_interpolation():
    mover = ArchingMover()
    assert mover_tick(mover, "it") == 0.01
    assert watched_names(mover, "it") == ("moon",)
    assert_array_equal(interpolate_pose(mover, 1.0, 2.0, 0.5).position, (1, 0.25, 0))


def test_default_interpolation_between_ticks_is_linear():
    assert_array_equal(interpolate_pose(RollingMover(), 1.0, 3.0, 0.25).position, (1.5, 0, 0))


def test_mover_view_contains_only_watched_actors():
    view = MoverView(0.5, ("moon",), lambda name: Pose(np.zeros(3), UPRIGHT))
    assert view.time == 0.5
    assert_array_equal(view["moon"].position, (0, 0, 0))
    with pytest.raises(UnknownNameError, match=r"looks at 'mon', which it does not watch\. Did you mean 'moon'"):
        view["mon"]


@pytest.mark.parametrize("tick", [0, -1, float("nan"), float("inf"), "fast"])
def test_invalid_tick_is_refused_with_reason(tick):
    mover = ArchingMover()
    mover.__dict__["tick"] = tick
    with pytest.raises(KeyposeError, match="tick of it"):
        mover_tick(mover, "it")


@pytest.mark.parametrize("tick", [1e-12, 1e12])
def test_tick_out_of_range_is_refused_with_the_valid_range(tick):
    mover = ArchingMover()
    mover.__dict__["tick"] = tick
    with pytest.raises(KeyposeError, match=r"Give 1e-09 to 1e\+09 seconds, as 1/24\."):
        mover_tick(mover, "it")


def test_watches_given_as_a_single_name_is_refused_with_reason():
    mover = ArchingMover()
    mover.__dict__["watches"] = "moon"
    with pytest.raises(KeyposeError, match=r"Actor 'a' watches 'moon'\. Give a tuple"):
        watched_names(mover, "Actor 'a'")
