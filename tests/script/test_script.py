"""In which order do meetings happen? A script is a graph of them, a value, and closed once it is on a stage."""

import pickle

import pytest

from keypose import Actor, KeyposeError, Meeting, Script, Stage, UnknownNameError
from tests.script.straight_paths import follower, meeting


def script_of_three():
    script = Script()
    first = script.meet({"a": 1, "b": 1}, name="first")
    second = script.meet({"b": 2, "c": 1}, after=first)
    script.meet({"a": 2, "c": 2}, after=[first, second], need=1, name="last")
    return script


def test_script_keeps_its_meetings_in_the_given_order():
    script = script_of_three()
    assert [entry.name for entry in script] == ["first", "meeting 2", "last"]
    assert len(script) == 3
    assert script["first"] is script.meetings[0]
    assert "last" in script
    assert "lst" not in script
    assert script.actors == ("a", "b", "c")


def test_meetings_without_a_name_get_an_unused_one():
    script = Script()
    script.meet({"a": 1}, name="meeting 2")
    assert [script.meet({"a": 2}).name, script.meet({"a": 3}).name] == ["meeting 3", "meeting 4"]


def test_scripts_are_compared_by_value_and_can_be_copied():
    assert script_of_three() == script_of_three()
    assert Script(script_of_three().meetings) == script_of_three() == Script(script_of_three())
    assert script_of_three() != Script()
    assert script_of_three() != "script"
    assert eval(repr(script_of_three()), {"Script": Script, "Meeting": Meeting}) == script_of_three()


def test_script_has_no_hash_because_it_is_mutable():
    with pytest.raises(TypeError):
        hash(Script())


def test_script_survives_pickle_open_or_closed():
    copy = pickle.loads(pickle.dumps(script_of_three()))
    assert copy == script_of_three()
    copy.meet({"a": 3})
    closed = pickle.loads(pickle.dumps(script_of_three().frozen()))
    assert closed == script_of_three()
    with pytest.raises(KeyposeError, match="belongs to a stage"):
        closed.meet({"a": 3})


def test_script_of_a_stage_is_closed_and_its_copy_is_open():
    script = script_of_three()
    stage = Stage([Actor(name, follower(4, lane)) for lane, name in enumerate("abc")], script=script)
    with pytest.raises(KeyposeError, match=r"belongs to a stage. Make another: Script\(stage.script\)"):
        stage.script.meet({"a": 3})
    script.meet({"a": 3}, name="one more")
    assert "one more" not in stage.script
    assert stage.script.frozen() is stage.script
    copy = Script(stage.script)
    copy.meet({"a": 3})
    assert len(copy) == 4


def test_a_stage_without_meetings_has_no_plan_and_equals_one_without_a_script():
    without_script = Stage([Actor("a", follower(1))])
    with_empty_script = Stage([Actor("a", follower(1))], script=Script())
    assert with_empty_script.resolved.sync_plan is None
    assert with_empty_script == without_script
    assert hash(with_empty_script) == hash(without_script)


def test_stages_with_different_meetings_are_different():
    actors = [Actor("a", follower(3)), Actor("b", follower(3, 1))]
    one, two, other = (Stage(actors, script=meeting({"a": goal, "b": 1})) for goal in (1, 1, 2))
    assert one == two != other
    assert pickle.loads(pickle.dumps(one)) == one
    assert "1 meeting" in repr(one)


def test_meetings_are_sorted_topologically():
    script = Script(
        [
            Meeting(name="last", goals={"a": 1}, after=["b", "c"]),
            Meeting(name="b", goals={"a": 1}, after="a"),
            Meeting(name="c", goals={"a": 1}, after=["a", "b"]),
            Meeting(name="a", goals={"a": 1}),
        ]
    )
    assert [entry.name for entry in script.in_order()] == ["a", "b", "c", "last"]


def test_chain_may_be_longer_than_the_recursion_limit():
    script = Script([Meeting(name=f"{n}", goals={"a": 1}, after=f"{n + 1}" if n < 4999 else ()) for n in range(5000)])
    assert script.in_order()[0].name == "4999"


def test_circle_is_refused_naming_only_its_meetings():
    script = Script(
        [
            Meeting(name="before", goals={"a": 1}, after="x"),
            Meeting(name="x", goals={"a": 1}, after="y"),
            Meeting(name="y", goals={"a": 1}, after="z"),
            Meeting(name="z", goals={"a": 1}, after="x"),
        ]
    )
    with pytest.raises(KeyposeError, match="in a circle: 'x' after 'y' after 'z' after 'x'"):
        script.frozen()
    with pytest.raises(KeyposeError, match="in a circle: 'x' after 'x'"):
        Script([Meeting(name="x", goals={"a": 1}, after="x")]).frozen()


def test_an_unknown_meeting_is_refused_with_the_nearest_name():
    script = Script()
    script.meet({"a": 1}, name="handshake")
    with pytest.raises(UnknownNameError, match="Did you mean 'handshake'"):
        script["handshke"]
    for name in (3, None):
        with pytest.raises(UnknownNameError, match="No meeting is named"):
            script[name]
    script.meet({"a": 2}, name="after", after="handshke")
    with pytest.raises(UnknownNameError, match=r"comes after 'handshke', which is not in the script.*'handshake'"):
        script.frozen()


@pytest.mark.parametrize("value", ["kiss", 3, None, {"kiss": 1}, [3], ["kiss"], Meeting(name="m", goals={"a": 1})])
def test_script_of_other_values_is_refused(value):
    with pytest.raises(KeyposeError, match=r"A script was given .* Give .*meetings"):
        Script(value)


def test_two_meetings_of_one_name_are_refused():
    script = meeting({"a": 1})
    with pytest.raises(KeyposeError, match="Two meetings are named 'meeting'"):
        script.meet({"a": 1}, name="meeting")
    assert len(script) == 1


@pytest.mark.parametrize("value", ["kiss", 3, [], {}, [Meeting(name="m", goals={"a": 1})]])
def test_stage_refuses_a_script_of_another_type(value):
    with pytest.raises(KeyposeError, match="Give a Script"):
        Stage([Actor("a", follower(1))], script=value)


def test_meeting_of_another_script_with_the_same_name_is_refused():
    one, two = Script(), Script()
    foreign_meeting, own_meeting = one.meet({"red": "arch"}, name="arch"), two.meet({"red": "home"}, name="arch")
    for after in (foreign_meeting, [foreign_meeting], {foreign_meeting}, iter([foreign_meeting])):
        with pytest.raises(KeyposeError, match="'then' comes after 'arch' of another script, and here 'arch'") as error:
            two.meet({"red": "end"}, after=after, name="then")
        assert error.value.at == ("after",)
    assert two.meet({"red": "end"}, after=iter([own_meeting]), name="then").after == ("arch",)
    assert Script(two).meet({"red": "end"}, after=own_meeting, name="once more").after == ("arch",), (
        "it is the same there"
    )
