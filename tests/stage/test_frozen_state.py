"""What is kept of a mover's state is nobody's to change; what is the mover's own stays its own."""

from collections import OrderedDict, namedtuple
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Actor, KeyposeError, Pose, Run, Stage, shoot
from keypose.stage.run.frozen_state import NotFiniteError, freeze, thaw

UPRIGHT = np.array([1.0, 0, 0, 0])
Pair = namedtuple("Pair", "place heat")


@dataclass
class MutableState:
    place: np.ndarray
    trail: list = field(default_factory=list)


@dataclass(frozen=True)
class FrozenState:
    place: np.ndarray
    heat: float = 1.0


class MutatingMover:
    """Changes in place whatever it is given."""

    tick = 0.1

    def __init__(self, begin, place):
        self.first, self.place = begin, place

    def begin(self, view):
        return self.first()

    def step(self, state, view, dt):
        trail = state if isinstance(state, list) else state.trail if isinstance(state, MutableState) else state["trail"]
        trail.append(len(trail) + 0.5)
        return state

    def pose(self, state):
        return Pose(np.array([self.place(state), 0.0, 0.0]), UPRIGHT)


MUTABLE_STATES = {
    "a list": (list, len),
    "a dict": (lambda: {"trail": [], "more": {"x": np.zeros(2)}}, lambda state: len(state["trail"])),
    "an ordered dict": (lambda: OrderedDict(trail=[]), lambda state: len(state["trail"])),
    "a dataclass": (lambda: MutableState(np.zeros(3)), lambda state: len(state.trail)),
}


@pytest.mark.parametrize("heap", MUTABLE_STATES)
def test_state_mutated_in_place_is_rewound_correctly(heap):
    run = Run(Stage([Actor("a", MutatingMover(*MUTABLE_STATES[heap]))]))
    for _ in range(30):
        run.tick()
    for back, expected in ((1.0, 10), (2.9, 29), (0.3, 3)):
        run.rewind(back)
        assert run.poses["a"].position[0] == expected
        while run.ticks < 30:
            run.tick()
        assert run.poses["a"].position[0] == 30
    assert_array_equal(shoot(run.stage, 1.0, 10)["a"].position[:, 0], np.arange(11))


class BufferedMover:
    """Works in arrays of its own."""

    tick = 0.1

    def __init__(self):
        self.place, self.facing = np.zeros(3), UPRIGHT.copy()

    def begin(self, view):
        self.place[:] = 0
        return self.place

    def step(self, state, view, dt):
        self.place[:] = state + dt
        return self.place

    def pose(self, state):
        return Pose(self.place, self.facing)


def test_mover_may_reuse_its_own_arrays():
    mover = BufferedMover()
    run = Run(Stage([Actor("a", mover)]))
    positions = [run.poses["a"].position]
    for _ in range(10):
        run.tick()
        positions.append(run.poses["a"].position)
    assert_allclose([place[0] for place in positions], np.arange(11) / 10)
    assert mover.place.flags.writeable
    assert mover.facing.flags.writeable


def test_random_generator_state_is_restored_by_a_rewind():
    class Trembling(BufferedMover):
        def begin(self, view):
            return np.random.default_rng(1), np.zeros(3)

        def step(self, state, view, dt):
            return state[0], state[1] + state[0].normal(size=3)

        def pose(self, state):
            return Pose(state[1], UPRIGHT)

    run = Run(Stage([Actor("a", Trembling())]))
    for _ in range(20):
        run.tick()
    expected = run.poses["a"]
    run.rewind(0.7)
    for _ in range(13):
        run.tick()
    assert run.poses["a"] == expected


STATES = [
    3.0,
    np.arange(3.0),
    (np.zeros(3), [np.ones(2), {"x": (1, "a", None)}], {1, 2}),
    Pair(np.zeros(2), 1.0),
    FrozenState(np.zeros(3)),
    MutableState(np.zeros(3), [1]),
    Pose(np.zeros(3), UPRIGHT),
    np.array([1, [2]], dtype=object),
]


@pytest.mark.parametrize("state", STATES, ids=lambda state: type(state).__name__)
def test_freeze_and_thaw_keep_type_and_value(state):
    for copied in (freeze(state), thaw(freeze(state))):
        assert type(copied) is type(state)
        assert repr(copied) == repr(state)


def test_frozen_state_shares_no_mutable_data():
    place, trail = np.zeros(3), [1]
    own = freeze((place, {"trail": trail}, FrozenState(place), MutableState(place, trail)))
    place += 1
    trail.append(2)
    assert_array_equal(own[0], np.zeros(3))
    assert own[1] == {"trail": [1]}
    assert_array_equal(own[2].place, np.zeros(3))
    assert own[3].trail == [1]
    given = thaw(own)
    given[1]["trail"].append(2)
    given[3].place = None
    assert own[1] == {"trail": [1]}
    assert own[3].place is not None
    with pytest.raises(ValueError, match="read-only"):
        given[0][:] = 1
    assert freeze(own)[0] is own[0]


NONFINITE_STATES = [
    np.nan,
    np.inf,
    np.array([0, np.nan]),
    {"x": [np.float32("inf")]},
    FrozenState(np.zeros(1), np.nan),
    [complex(np.nan)],
]


@pytest.mark.parametrize("state", NONFINITE_STATES, ids=range(len(NONFINITE_STATES)))
def test_nonfinite_number_is_found_at_any_depth(state):
    with pytest.raises(NotFiniteError):
        freeze((1.0, state))
    with pytest.raises(KeyposeError, match=r"'a' came to a place or a state that is not finite at 0 s"):
        Run(Stage([Actor("a", MutatingMover(lambda: [state], len))]))


def test_large_finite_numbers_are_accepted():
    assert freeze(np.array([1e200, 1e300]))[1] == 1e300
