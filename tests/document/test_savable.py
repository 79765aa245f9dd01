"""Movers of one's own in a scene file: a field's type says what the file may hold."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray

from keypose import Actor, KeyposeError, Pose, Stage, savable
from keypose.document.scene import find_problems, read
from keypose.document.schema.kinds import MOVERS
from tests.document.stage_samples import Hopper, scene_bytes


class Idle:
    def begin(self, view):
        return 0

    def step(self, state, view, dt):
        return 0

    def pose(self, state):
        return Pose(np.zeros(3), np.array([1.0, 0, 0, 0]))


@pytest.fixture(autouse=True)
def _restore_movers(monkeypatch):
    """What a test makes savable is not known to the next."""
    monkeypatch.setattr(MOVERS, "known", dict(MOVERS.known))


def scene(**options):
    fields = "".join(f', "{word}": {value}' for word, value in options.items())
    return f'{{"keypose": 1, "actors": [{{"name": "a", "mover": {{"kind": "thing"{fields}}}}}]}}'.encode()


def mover_with(kind, **more):
    mover_class = dataclass(frozen=True)(type("Thing", (Idle,), {"__annotations__": {"value": kind}, **more}))
    return savable("thing")(mover_class)


FIELD_TYPES = {
    float: ["1", "2.5", "-0.0"],
    int: ["3", "-7"],
    bool: ["true"],
    str: ['""', '"ä"'],
    float | None: ["null", "0.5", "2"],
    Literal["left", "right"]: ['"left"'],
    tuple[float, ...]: ["[]", "[1, 2]"],
    tuple[float, float]: ["[1, 2]"],
    list[int]: ["[1, 2]"],
    Sequence[str]: ['["a"]'],
    tuple[tuple[float, float], ...]: ["[[1, 2], [3, 4]]"],
    dict[str, float]: ['{"a b": 1}'],
    NDArray[np.float64]: ["[1, 2]", "[[1, 2], [3, 4.5]]"],
    int | str | list[float] | None: ["1", '"x"', "[0.5]", "null"],
}
WRONG = {
    float: ['"1"', "null", "true", "[1]", "1e999", "NaN"],
    int: ["1.5", '"3"', "true", "1" + "0" * 400],
    bool: ["0", "null"],
    str: ["1", '"\\ud800"'],
    float | None: ['"x"', "[]"],
    Literal["left", "right"]: ['"lft"', "1"],
    tuple[float, ...]: ["1", '["a"]', "[null]"],
    tuple[float, float]: ["[1]", "[1, 2, 3]"],
    dict[str, float]: ["[]", '{"a": "b"}'],
    NDArray[np.float64]: ["1", "[]", '["a"]'],
    int | str | list[float] | None: ["1.5", "{}"],
}


@pytest.mark.parametrize(("kind", "values"), FIELD_TYPES.items())
def test_fields_of_any_supported_type_round_trip(kind, values):
    thing = mover_with(kind)
    for value in values:
        stage = read(scene(value=value))
        assert isinstance(stage["a"].mover, thing)
        assert scene_bytes(read(scene_bytes(stage))) == scene_bytes(stage)
        if kind != NDArray[np.float64]:
            assert read(scene_bytes(stage)) == stage


@pytest.mark.parametrize(("kind", "values"), WRONG.items())
def test_value_of_another_type_is_reported_at_its_field(kind, values):
    mover_with(kind)
    for value in values:
        (problem,) = find_problems(scene(value=value))
        assert problem.path.startswith("actors[0].mover.value")


def test_deeply_nested_value_of_another_type_does_not_crash():
    mover_with(tuple[float, ...])
    for depth in (10, 90, 900):
        assert find_problems(scene(value="[" * depth + "]" * depth))


STRANGE = [Any, object, complex, set[int], Callable, dict[int, int], tuple, list, Hopper, Literal[1]]


@pytest.mark.parametrize("kind", STRANGE)
def test_unsupported_field_type_is_refused_immediately(kind):
    with pytest.raises(KeyposeError, match=r"its value is .*Use numbers, texts"):
        mover_with(kind)


def test_only_plain_dataclasses_are_savable():
    with pytest.raises(KeyposeError, match="no plain dataclass"):
        savable("idle")(Idle)

    @dataclass(frozen=True)
    class Secret(Idle):
        known: float = field(default=1.0, init=False)

    with pytest.raises(KeyposeError, match="no plain dataclass"):
        savable("secret")(Secret)


@pytest.mark.parametrize("word", ["", 3, None, "\ud800"])
def test_savable_mover_needs_a_name(word):
    with pytest.raises(KeyposeError, match="Give a word"):
        savable(word)


def test_fields_with_a_default_may_be_left_out():
    thing = mover_with(float, value=0.5)
    assert read(scene())["a"].mover == thing(0.5)
    mover_with(float)
    assert [problem.path for problem in find_problems(scene())] == ["actors[0].mover.value"]


@pytest.mark.parametrize("refusal", [ValueError("too slow"), TypeError("too slow"), KeyposeError("too slow")])
def test_error_of_the_mover_constructor_is_reported(refusal):
    def check(self):
        raise refusal

    mover_with(float, __post_init__=check)
    (problem,) = find_problems(scene(value="1"))
    assert problem.path == "actors[0].mover"
    assert "too slow" in problem.text


UNWRITABLE = [float("nan"), float("inf"), 2**54, {1: 2}, object(), "\ud800", ["\udfff"], {"\ud800": 1}]


@pytest.mark.parametrize("value", UNWRITABLE)
def test_unsavable_value_is_refused_on_save(value):
    thing = mover_with(float | dict[str, float] | str | list[str])
    with pytest.raises(KeyposeError, match="The value of a Thing is"):
        scene_bytes(Stage([Actor("a", thing(value))]))


def test_numpy_numbers_are_written_like_python_numbers():
    thing = mover_with(float)
    assert scene_bytes(Stage([Actor("a", thing(np.float64(2)))])) == scene_bytes(Stage([Actor("a", thing(2))]))


def test_redefined_class_replaces_the_previous_one():
    first, second = mover_with(float), mover_with(float)
    assert isinstance(read(scene(value="1"))["a"].mover, second)
    with pytest.raises(KeyposeError, match="savable"):
        scene_bytes(Stage([Actor("a", first(1.0))]))
