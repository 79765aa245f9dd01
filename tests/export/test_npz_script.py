"""An archive keeps how a script was kept, and one that tells it wrongly is refused with a sentence."""

import json
import random
import re
from pathlib import Path

import numpy as np
import pytest

from keypose import KeyposeError, Script, turn
from keypose.export.npz_table import npz_bytes, npz_take
from keypose.motion import MeetingEvent
from keypose.motion.events import Event
from keypose.motion.pose import Pose
from keypose.motion.take import Take
from keypose.script.report import Outcome, ScriptReport
from tests.export.test_npz_table import archive, arrays_of
from tests.export.test_round_trips import damaged

PAGE = (Path(__file__).parents[2] / "docs" / "takes.md").read_text(encoding="utf-8")


@pytest.fixture
def script_report():
    """Two who meet and part, one of whom turns too; the second meeting fails."""
    script = Script()
    first = script.meet({"red": 2.5, "blau/手": turn("up")}, name='the "arch"\n', gate=True)
    script.meet({"red": "home"}, after=first, name="home", patience=0.1, of="bodies")
    names = ("red", "blau/手", "blau/手 (turn)")
    lines = ({name: np.array([0.1, 1 / 3, row]) for row, name in enumerate(names)} for _ in range(3))
    reached = {"red": 0.1 + 0.2, "blau/手": 0.04}
    met = {
        'the "arch"\n': Outcome('the "arch"\n', 0.0, reached, None, 0.3, None, ""),
        "home": Outcome("home", 0.3, {}, 0.35, None, 0.4, "Red is stuck: “wall”."),
    }
    return ScriptReport(script, np.arange(3) / 24, *lines, frozenset(["blau/手 (turn)"]), met, {"red": "#ff0080"})


@pytest.fixture
def take(script_report):
    """Told by itself, by somebody else and by nobody."""
    events = [
        MeetingEvent(0.0, "red", "It is active.", meeting='the "arch"\n', state="active"),
        Event(0.04, "red", "It hums."),
        MeetingEvent(0.4, "red", "It has failed.", "warning", meeting="home", state="failed"),
    ]
    return Take(
        script_report.times, 24, {"red": Pose(np.zeros((3, 3)), np.eye(4)[[0] * 3])}, events, script=script_report
    )


def test_script_report_round_trips_to_the_same_bytes(take):
    back = npz_take(npz_bytes(take))
    assert back == take
    assert back.script == take.script
    assert [type(event) for event in back.events] == [MeetingEvent, Event, MeetingEvent]
    assert npz_bytes(back) == npz_bytes(take)


def test_meeting_events_are_kept_without_a_script(take):
    bare = Take(take.times, take.fps, take.poses, take.events)
    assert npz_take(npz_bytes(bare)).events == take.events
    assert npz_take(npz_bytes(bare)).script is None


def test_numpy_alone_can_read_the_archive(take):
    found = arrays_of(take)
    assert found["paced"].tolist() == ["red", "blau/手", "blau/手 (turn)"]
    assert found["own_speed_2"].tolist() == [0.1, 1 / 3, 2]
    assert [met["meeting"] for met in json.loads(str(found["script"]))["outcomes"]] == ['the "arch"\n', "home"]


def test_page_documents_every_array_with_dtype_and_shape(take):
    section = next(part for part in re.split(r"^## ", PAGE, flags=re.MULTILINE) if part.startswith("Scripts"))
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    documented, found = {row[0].strip("`"): row[1:3] for row in rows[2:]}, arrays_of(take)
    lines = {f"{line}_{index}" for line in ("ease", "speed", "own_speed") for index in (1, 2)}
    assert set(documented) | lines == found.keys() - arrays_of(Take(take.times, 24, take.poses)).keys()
    lengths = {"frames": 3, "events": 3, "paced": 3}
    for name, (kind, shape) in documented.items():
        assert found[name].dtype == kind if kind != "text" else found[name].dtype.kind == "U"
        assert found[name].shape == tuple(lengths[word] for word in re.findall(r"\w+", shape))


def edited_json(change):
    """A change of what is said, in the text of an array."""

    def change_text(array):
        tree = json.loads(str(array))
        change(tree)
        return np.array(json.dumps(tree))

    return change_text


def use_same_name(tree):
    tree["meetings"][1]["name"] = tree["meetings"][0]["name"]


INVALID = {
    "no JSON": ("script", lambda a: np.array("{"), "script of the archive cannot be read"),
    "a list": ("script", lambda a: np.array("[]"), "cannot be read: It is a list"),
    "nested without end": ("script", lambda a: np.array("[" * 100_000), "cannot be read"),
    "half a letter": ("script", lambda a: np.full(5, 0xD800, "<u4").view("<U5")[0:1].reshape(()), "do not exist"),
    "several": ("script", lambda a: np.array([a, a]), r"'script' has the shape \(2,\)"),
    "numbers": ("script", lambda a: np.zeros(()), "Give text"),
    "no meetings": ("script", edited_json(lambda tree: tree.pop("meetings")), "meetings: It is missing"),
    "two of a name": ("script", edited_json(use_same_name), "named"),
    "a thousand wrong ones": ("script", edited_json(lambda tree: tree["outcomes"].extend([1] * 2000)), "outcomes"),
    "a time that is none": ("script", edited_json(lambda tree: tree["outcomes"][0].update(done="x")), "finite number"),
    "an outcome too few": ("script", edited_json(lambda tree: tree["outcomes"].pop()), "one for each meeting"),
    "somebody else turns": ("script", edited_json(lambda tree: tree["turns"].append("nobody")), "in no meeting"),
    "a look that is no word": ("script", edited_json(lambda tree: tree["looks"].update(red=3)), "Give a text"),
    "another word": ("script", edited_json(lambda tree: tree.update(colors=3)), "no such field"),
    "somebody else": ("paced", lambda a: np.array(["red", "green", "blue"]), "'green', who is in no meeting"),
    "somebody twice": ("paced", lambda a: a[[0, 0, 1]], "keeps appointments twice"),
    "one too many": ("paced", lambda a: np.append(a, "x"), "no array 'ease_3'"),
    "one too few": ("paced", lambda a: a[:2], "holds 'ease_2', which is no array"),
    "a frame too few": ("ease_1", lambda a: a[:2], r"'ease_1' has the shape \(2,\)\. Give \(3,\)"),
    "no number": ("own_speed_1", lambda a: a * np.nan, "own speed of 'blau/手' is not finite at frame 0"),
    "a state that is none": ("event_states", lambda a: np.array(["activ", "", ""]), "'activ'. Did you mean 'active'"),
    "a state too few": ("event_states", lambda a: a[:2], r"shape \(2,\)"),
}  # fmt: skip


@pytest.mark.parametrize("name", INVALID)
def test_inconsistent_script_arrays_are_refused(take, name):
    array_name, change, message = INVALID[name]
    found = arrays_of(take)
    found[array_name] = change(found[array_name])
    with pytest.raises(KeyposeError, match=message) as refused:
        npz_take(archive(found))
    assert refused.value.__cause__ is None
    assert len(str(refused.value)) < 500


@pytest.mark.parametrize("name", ["script", "paced", "ease_0", "own_speed_2", "event_meetings", "event_states"])
def test_missing_array_is_named(take, name):
    found = arrays_of(take)
    del found[name]
    with pytest.raises(KeyposeError, match=f"no array '{name}'"):
        npz_take(archive(found))


def test_damaged_archive_is_read_or_refused_with_reason(take):
    chance, found, refused = random.Random(3), arrays_of(take), list[str]()
    for _ in range(500):
        text = damaged(str(found["script"]).encode(), chance).decode(errors="replace").rstrip("\0")
        try:
            npz_take(archive(found | {"script": np.array(text)}))
        except KeyposeError as error:
            refused.append(str(error))
    assert len(refused) > 300
    assert max(map(len, refused)) < 500


@pytest.mark.parametrize(
    ("event", "message"),
    [({"meeting": "a\ud800"}, "half a character"), ({"meeting": "a", "state": "don"}, "'don'"), ({"meeting": 3}, "3")],
)
def test_unreadable_meeting_events_are_not_written(event, message):
    with pytest.raises(KeyposeError, match=message):
        npz_bytes(Take([0, 1], 1, {}, [MeetingEvent(0, "a", "b", **event)]))
