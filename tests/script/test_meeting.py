"""What is a meeting? A value: goals, what it comes after, and how; what is no such thing gets a sentence."""

import pickle
from copy import deepcopy
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from keypose import KeyposeError, Meeting, turn
from keypose.script.meeting import TurnGoal


def test_meeting_maps_actors_to_goals():
    meeting = Meeting(name="kiss", goals={"red": "arch", "blue": 2.5, "arm/hand": turn("raised")})
    assert dict(meeting.goals) == {"red": "arch", "blue": 2.5, "arm/hand": turn("raised")}
    assert (meeting.after, meeting.need, meeting.of, meeting.gate, meeting.patience) == ((), None, "targets", False, 2)


def test_meetings_are_compared_by_value_and_have_a_hash():
    one, two = (Meeting(name="kiss", goals={"red": "arch", "blue": 2}) for _ in range(2))
    assert one == two
    assert hash(one) == hash(two)
    assert one != Meeting(name="kiss", goals={"red": "arch", "blue": 3})
    assert one != Meeting(name="kiss", goals={"red": "arch", "blue": 2}, gate=True)


def test_meeting_survives_pickle_and_deepcopy():
    meeting = Meeting(name="kiss", goals={"a": turn("x"), "b": 1}, after=["m", "n"], need=1, of="bodies", patience=3)
    assert pickle.loads(pickle.dumps(meeting)) == meeting
    assert deepcopy(meeting) == meeting


def test_repr_of_a_meeting_evaluates_to_an_equal_meeting():
    meeting = Meeting(name="kiss", goals={"a": turn("x"), "b": 1}, after=["m", "n"], need=1, of="bodies", patience=3)
    assert eval(repr(meeting), {"Meeting": Meeting, "turn": turn}) == meeting


def test_meeting_is_immutable():
    goals = {"red": "arch"}
    meeting = Meeting(name="kiss", goals=goals)
    goals["blue"] = "arch"
    assert dict(meeting.goals) == {"red": "arch"}
    with pytest.raises(TypeError):
        meeting.goals["blue"] = "arch"
    with pytest.raises(FrozenInstanceError):
        meeting.gate = True


def test_distance_goal_may_be_any_nonnegative_number():
    meeting = Meeting(name="kiss", goals={"a": 0, "b": np.float32(1.5), "c": np.int64(2)})
    assert all(type(goal) is float for goal in meeting.goals.values())
    assert list(meeting.goals.values()) == [0.0, 1.5, 2.0]


def test_after_accepts_one_or_several_meetings_or_names():
    first = Meeting(name="first", goals={"a": 1})
    for after in (first, "first", [first], ["first"], (parent for parent in [first, "first"])):
        assert Meeting(name="m", goals={"a": 1}, after=after).after == ("first",)


def test_turn_goal_is_a_value():
    assert turn("x") == TurnGoal("x") != turn("y")
    assert repr(turn("x")) == "turn('x')"
    assert len({turn("x"), turn("x")}) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"goals": {}}, r"was given \{\}\. Give a goal for each actor"),
        ({"goals": "red"}, "was given 'red'"),
        ({"goals": None}, "was given None"),
        ({"goals": ["red", "blue"]}, "was given"),
        ({"goals": {3: "arch"}}, "has a goal for 3. Name an actor"),
        ({"goals": {"": "arch"}}, "has a goal for ''. Name an actor"),
        ({"goals": {"red": ""}}, "has the goal '' for 'red'"),
        ({"goals": {"red": -1.0}}, "has the goal -1.0 for 'red'.*from 0 on"),
        ({"goals": {"red": np.nan}}, "has the goal nan for 'red'"),
        ({"goals": {"red": np.inf}}, "has the goal inf for 'red'"),
        ({"goals": {"red": True}}, "has the goal True for 'red'"),
        ({"goals": {"red": None}}, "has the goal None for 'red'"),
        ({"goals": {"red": [1, 2]}}, "has the goal .* for 'red'"),
        ({"need": 1}, "needs 1 of the 0 meetings it comes after"),
        ({"after": ["m", "n"], "need": 3}, "needs 3 of the 2"),
        ({"after": ["m", "n"], "need": 0}, "needs 0 of the 2"),
        ({"after": ["m", "n"], "need": 1.5}, "needs 1.5 of the 2"),
        ({"after": ["m", "n"], "need": True}, "needs True of the 2"),
        ({"after": ["m", "n"], "need": "one"}, "needs 'one' of the 2"),
        ({"after": 3}, "comes after 3"),
        ({"after": [None]}, "comes after None"),
        ({"after": {"m": 1}}, "comes after"),
        ({"after": b"m"}, "comes after"),
        ({"of": "souls"}, "'souls'"),
        ({"of": None}, "None"),
        ({"gate": "yes"}, "gate"),
        ({"gate": 1}, "gate"),
        ({"patience": 0}, "patience=0. Give seconds above 0"),
        ({"patience": -1}, "patience=-1"),
        ({"patience": np.nan}, "patience=nan. Give seconds above 0"),
        ({"patience": 1e7}, "patience=1e"),
        ({"patience": "long"}, "patience='long'. Give seconds above 0"),
        ({"name": ""}, "is named ''"),
        ({"name": "  "}, "is named"),
        ({"name": 3}, 'is named 3. Give a text, as name="arch"'),
        ({"name": None}, "is named None"),
    ],
    ids=str,
)
def test_invalid_meeting_is_refused_with_reason(options, message):
    with pytest.raises(KeyposeError, match=message) as error:
        Meeting(**{"name": "kiss", "goals": {"red": "arch"}, **options})
    assert str(error.value).count(". ") <= 2
    assert str(error.value).endswith(".") or str(error.value).endswith("}.")


@pytest.mark.parametrize("key", ["", None, 3, True])
def test_turn_goal_must_name_a_key(key):
    with pytest.raises(KeyposeError, match="Name a key of the path"):
        turn(key)


def test_invalid_goal_is_located_by_its_actor():
    with pytest.raises(KeyposeError) as error:
        Meeting(name="kiss", goals={"red": "arch", "blue": -2})
    assert error.value.at == ("goals", "blue")
