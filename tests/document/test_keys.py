"""Keys in a file: read column by column and key by key alike, to the last bit; what one refuses the other refuses."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from keypose import SceneStyle, effects
from keypose.curves.key_columns import Keys
from keypose.document.motion import keys as keys_module
from keypose.document.motion.key_columns import read_columns
from keypose.document.motion.key_objects import key_objects
from keypose.document.motion.keys import BUILTIN_EFFECTS, KEYS, KeyList
from keypose.document.problems import INVALID, ReadContext
from keypose.document.schema.records import Record
from tests.document.stage_strategies import paths

OWN = {"snap": effects.Effect(0.4, bias=-0.5)}


def read_key_by_key(given):
    """The definition."""
    read = KEYS.read(given, "keys", ReadContext(style=SceneStyle(0, OWN)))
    return None if read is INVALID else Keys.of(read).rope.whole


def assert_same_columns(one, two):
    assert one.arrays.keys() == two.arrays.keys()
    for word in one.arrays:
        if one.arrays[word].dtype == object:
            assert one.arrays[word].tolist() == two.arrays[word].tolist()
        else:
            assert one.arrays[word].dtype == two.arrays[word].dtype
            assert one.arrays[word].tobytes() == two.arrays[word].tobytes(), word


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(paths(("carrier",), tuple(OWN.values()), timed=True) | paths())
def test_column_reader_and_key_reader_agree_bitwise(path):
    key_list = json.loads(json.dumps(list(key_objects(path.keys, SceneStyle(0, OWN).names))))
    quick = read_columns(key_list, {**BUILTIN_EFFECTS, **OWN})
    assert quick is not None
    assert_same_columns(quick, read_key_by_key(key_list))
    assert Keys(path.keys.rope) == Keys(type(path.keys.rope)(quick))


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, 1, -0.0, 2.5, 1e15, 1e16, 1e100, 1e101, 10**400, "", "chord", "snap", "x", "\ud800"]),
    st.lists(st.sampled_from([0, 1, -0.0, 0.5, 1e101, None, "1", [1.0], [1, 2]]), max_size=4),
    st.fixed_dictionaries(
        {},
        optional={
            "orientation": st.sampled_from([[1, 0, 0, 0], [1, 2, 3, 4], [0, 0, 0, 0], [1], None]),
            "arrive": st.sampled_from(["chord", [1, 2, 3], [1], -1]),
            "tension": st.sampled_from([1, None, "x"]),
            "odd": st.just(1),
        },
    ),
)
WORDS = ["position", "time", "tension", "bias", "orientation", "effect", "arrive", "leave", "name", "pin", "odd"]
GOOD = st.fixed_dictionaries({}, optional={"position": st.just([1, 2]), "time": st.just(3), "name": st.just("n")})


@settings(max_examples=500)
@given(st.lists(st.dictionaries(st.sampled_from(WORDS), ODD, max_size=3) | GOOD | ODD, min_size=2, max_size=3))
def test_column_reader_and_key_reader_refuse_the_same_input(given):
    quick = read_columns(given, {**BUILTIN_EFFECTS, **OWN})
    reading = ReadContext(style=SceneStyle(0, OWN))
    if quick is None:
        KeyList().read(given, "keys", reading)
        assert reading.problems, "whatever is not wrong is read quickly"
    else:
        assert_same_columns(quick, read_key_by_key(given))


def test_valid_key_list_never_uses_the_slow_reader(monkeypatch):
    monkeypatch.setattr(keys_module, "KEYS", None)
    keys = [{"position": [0, 0], "effect": "corner"}, {"position": [1, 2], "arrive": [1, 1], "leave": "chord"}]
    assert len(KeyList().read(keys, "keys", ReadContext())) == 2


def test_every_carrier_is_referenced_once_by_its_first_key():
    keys = [{"relative_to": name} if name else {} for name in (None, "b", "a", "b", "a")]
    reading = ReadContext(current_actor="me")
    KeyList().read(keys, "keys", reading)
    spoken = [(one.path, one.name) for one in reading.references]
    assert spoken == [("keys[1].relative_to", "b"), ("keys[2].relative_to", "a")]


@pytest.fixture
def individually_read_paths(monkeypatch):
    """The paths of keys that are read one by one."""
    paths, closely = [], Record.read

    def read(self, given, path, reading):
        paths.append(path)
        return closely(self, given, path, reading)

    monkeypatch.setattr(Record, "read", read)
    return paths


WRONG_KEYS = {
    "a field": ({"positoin": [1, 2]}, ["keys[4321].positoin"]),
    "an effect": ({"position": [1, 2], "effect": "snup"}, ["keys[4321].effect"]),
    "a place": ({"position": [1, 2, 3]}, ["keys[4321].position"]),
    "no object": (7, ["keys[4321]"]),
}


@pytest.mark.parametrize("what", WRONG_KEYS)
def test_only_neighbours_of_an_invalid_key_are_read_individually(what, individually_read_paths):
    wrong, paths = WRONG_KEYS[what]
    keys = [{"position": [index, 0], "relative_to": f"a{index // 2500}"} for index in range(10_000)]
    keys[4321] = wrong
    reading = ReadContext(current_actor="me")
    assert KeyList().read(keys, "keys", reading) is INVALID
    assert [problem.path for problem in reading.problems] == paths
    assert len(individually_read_paths) <= 1000
    assert {one.name for one in reading.references} == {"a0", "a1", "a2", "a3"}, (
        "who is spoken of is checked all the same"
    )


ORIENTATIONS = [[1, 0, 0, 0], [0.6, 0.8, 0, 0], [1, 2, 3, 4], [1e-200, 0, 0, 1e-200], [1e100, 0, 0, 0]]


@pytest.mark.parametrize("facing", ORIENTATIONS)
def test_orientations_are_normalized_identically(facing):
    given = [{"orientation": facing}, {"orientation": {"orientation": facing, "bias": 1}}]
    quick = read_columns(given, {})
    assert_same_columns(quick, read_key_by_key(given))
    assert np.allclose(np.linalg.norm(quick.arrays["facing"], axis=1), 1)
