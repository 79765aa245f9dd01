"""Where channels stop."""

import pytest

from keypose.motion.sync_protocol import ACTIVE, DONE, FAILED, NO_STOP, WAITING
from keypose.script.sync.rules.arrivals import is_new_arrival
from keypose.script.sync.rules.stops import LOOKAHEAD_GOALS, find_stop, goals_on_channel
from tests.script.meetings import SECONDS, Meetings


@pytest.mark.parametrize(
    ("count", "stop"),
    [
        (LOOKAHEAD_GOALS, NO_STOP),
        (LOOKAHEAD_GOALS + 1, LOOKAHEAD_GOALS + 1.0),
        (LOOKAHEAD_GOALS + 9, LOOKAHEAD_GOALS + 1.0),
    ],
)
def test_stop_point_lies_behind_the_last_lookahead_goal(count, stop):
    goals = [[float(number)] for number in range(count + 1)]
    meetings = Meetings(*goals, channels=[0] * (count + 1), state=WAITING)
    meetings.state[0] = ACTIVE
    statuses = goals_on_channel(meetings.graph, meetings.records, 0)
    assert statuses[0].is_last, "and all others are of nobody else"
    assert meetings.set_stops().tolist() == [find_stop(0.0, statuses)] == [stop]


# ---- one by one ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "gates", "progress", "stops"),
    [
        (WAITING, False, 0.0, False),
        (WAITING, True, 0.0, True),
        (WAITING, True, 2.0, True),
        (WAITING, True, 2.5, False),
        (ACTIVE, False, 0.0, True),
        (ACTIVE, False, 2.0, True),
        (ACTIVE, False, 2.5, False),
        (DONE, True, 0.0, False),
        (FAILED, True, 0.0, False),
    ],
)
def test_channel_stops_at_its_goal_unless_it_has_passed_it(state, gates, progress, stops):
    meetings = Meetings([2.0, 9.0], state=state, gates=gates)
    meetings.channel_progress[:] = progress
    assert meetings.set_stops()[0] == (2.0 if stops else NO_STOP)


def test_at_goals_of_bodies_only_an_early_channel_stops():
    meetings = Meetings([2.0, 2.0], waits_for_bodies=True)
    meetings.channel_progress[:], meetings.is_early[:] = 2.3, (True, False)
    assert meetings.set_stops().tolist() == [2.0, NO_STOP]


@pytest.mark.parametrize(("progress", "stop"), [(1.0, 2.0), (2.0, 2.0), (2.3, NO_STOP)])
def test_target_stops_at_a_reversing_goal_unless_it_has_passed_it(progress, stop):
    meetings = Meetings([2.0, 2.0], waits_for_bodies=True)
    meetings.channel_progress[:], meetings.holds_target[0] = progress, True
    assert meetings.set_stops().tolist() == [stop, NO_STOP]
    meetings.state[:] = DONE
    assert meetings.set_stops().tolist() == [NO_STOP, NO_STOP]


@pytest.mark.parametrize(("distance_left", "waits"), [(0.0, True), (-0.5 * SECONDS, True), (-0.1, False)])
def test_body_that_has_just_arrived_waits_and_one_that_passed_earlier_does_not(distance_left, waits):
    meetings = Meetings([2.0, 2.0], waits_for_bodies=True)
    meetings.channel_progress[:], meetings.speed_factor[:] = (2.3, 0.0), (0.5, 1.0)
    assert is_new_arrival(distance_left, 1.0, SECONDS) == waits
    for _ in range(3):
        meetings.regulate([distance_left, 1.0])
        assert meetings.stop_at[0] == (2.0 if waits else NO_STOP)
    assert meetings.speed_factor[0] == pytest.approx(0.5) if waits else meetings.speed_factor[0] > 0.9
    meetings.state[:] = DONE
    assert meetings.set_stops()[0] == NO_STOP


def test_channel_in_two_meetings_stops_at_the_nearer_goal():
    meetings = Meetings([3.0, 9.0], [2.0, 9.0], channels=[0, 1, 0, 2])
    assert meetings.set_stops().tolist() == [2.0, 9.0, 9.0]


def test_last_participant_stops_only_at_the_next_shared_goal():
    meetings = Meetings([2.0], [3.0], [4.0], [5.0, 9.0], channels=[0, 0, 0, 0, 1])
    meetings.state[1:] = WAITING
    assert meetings.set_stops().tolist() == [5.0, NO_STOP], "that may be active as soon as it has come to the others"
    meetings.is_gate[1] = True
    assert meetings.set_stops().tolist() == [3.0, NO_STOP]
    meetings.state[1:], meetings.is_gate[:] = DONE, False
    assert meetings.set_stops().tolist() == [NO_STOP, NO_STOP]


def test_channel_that_passed_its_goal_earlier_returns_to_nominal_speed():
    meetings = Meetings([2.0, 9.0])
    meetings.channel_progress[0], meetings.reached_at[0], meetings.speed_factor[0] = 3.0, 0.5, 0.3
    for _ in range(10):
        meetings.regulate([-1.0, 5.0])
    assert meetings.speed_factor[0] > 0.99
    assert meetings.stop_at[0] == NO_STOP
