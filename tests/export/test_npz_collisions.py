"""An archive keeps who bumped into whom, where and how fast, and one that tells it wrongly is refused."""

import re
from pathlib import Path

import numpy as np
import pytest

from keypose import Actor, Body, Free, KeyposeError, Plane, Sphere, Stage, Still, load, save, shoot
from keypose.export.npz_table import npz_bytes, npz_take
from keypose.motion import CollisionEvent, MeetingEvent
from keypose.motion.events import Event
from keypose.motion.take import Take
from tests.export.test_npz_table import archive, arrays_of

PAGE = (Path(__file__).parents[2] / "docs" / "takes.md").read_text(encoding="utf-8")


def take_with_events(*events):
    return Take([0, 1], 1, {}, events)


@pytest.fixture
def take():
    """Two hits, and something of every other kind before, between and behind them."""
    return take_with_events(
        Event(0.0, "ball", "It hums."),
        CollisionEvent(0.1, "ball", "Hits it.", other='the "wall"\n手', place=(0.1, -0.0, 1 / 3), speed=2.5),
        MeetingEvent(0.4, "ball", "It has failed.", "warning", meeting="home", state="failed"),
        CollisionEvent(0.5, "ball", "Hits something.", "warning"),
        Event(0.6, "", ""),
    )


def test_take_with_collisions_round_trips(tmp_path):
    ball = Body(Sphere(0.2), bounce=0.6)
    falling = [Actor("high", Free(ball, (0, 1.5, 0))), Actor("low", Free(ball, (0.05, 1, 0)))]
    stage = Stage([*falling, Actor("floor", Still(Body(Plane())))], gravity=(0, -9.81, 0))
    shot = shoot(stage, 1.5)
    assert {event.other for event in shot.events if isinstance(event, CollisionEvent)} == {"low", "floor"}
    save(shot, tmp_path / "bumps.npz")
    assert load(tmp_path / "bumps.npz") == shot


def test_every_event_type_round_trips(take):
    kinds = [Event, *(kind for kind in Event.__subclasses__() if kind.__module__.startswith("keypose."))]
    assert {type(event) for event in take.events} == set(kinds)
    back = npz_take(npz_bytes(take))
    assert back == take
    assert [type(event) for event in back.events] == [type(event) for event in take.events]
    assert npz_bytes(back) == npz_bytes(take)


def test_older_archives_without_collisions_are_read(take):
    found = {name: array for name, array in arrays_of(take).items() if not name.startswith("hit_")}
    plain = [Event(e.time, e.actor, e.text, e.kind) if isinstance(e, CollisionEvent) else e for e in take.events]
    assert npz_take(archive(found)) == take_with_events(*plain)


def test_numpy_alone_can_read_the_archive(take):
    found = arrays_of(take)
    assert found["hit_events"].tolist() == [1, 3]
    assert found["hit_places"][0].tolist() == [0.1, 0, 1 / 3]
    assert found["hit_speeds"].tolist() == [2.5, 0]
    assert not [name for name in arrays_of(take_with_events(take.events[0])) if name.startswith("hit_")]


def test_page_documents_every_array_with_dtype_and_shape(take):
    section = next(part for part in re.split(r"^## ", PAGE, flags=re.MULTILINE) if part.startswith("Hits"))
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    documented, found = {row[0].strip("`"): row[1:3] for row in rows[2:]}, arrays_of(take)
    assert set(documented) == {name for name in found if name.startswith("hit_")}
    for name, (kind, shape) in documented.items():
        assert found[name].dtype == kind if kind != "text" else found[name].dtype.kind == "U"
        assert found[name].shape == tuple({"hits": 2, "3": 3}[word] for word in re.findall(r"\w+", shape))


INVALID = {
    "one of no event": ("hit_events", lambda a: np.array([1, 5]), r"told by event 5, and there are 5\. Save"),
    "one before all": ("hit_events", lambda a: np.array([-1, 3]), "told by event -1"),
    "one far away": ("hit_events", lambda a: np.array([1, 2**62]), "told by event 4611686018427387904"),
    "one twice": ("hit_events", lambda a: np.array([3, 3]), "Event 3 of the archive stands behind event 3"),
    "another order": ("hit_events", lambda a: a[::-1], "Event 1 of the archive stands behind event 3"),
    "one of a meeting": ("hit_events", lambda a: np.array([1, 2]), "Event 2 of the archive tells of a meeting and of"),
    "no whole numbers": ("hit_events", lambda a: a.astype(float), "'hit_events' is of kind '<f8'. Give int64"),
    "no list": ("hit_events", lambda a: a[None], r"shape \(1, 2\)"),
    "one too few": ("hit_others", lambda a: a[:1], r"'hit_others' has the shape \(1,\)\. Give \(2,\)"),
    "half a letter": ("hit_others", lambda a: np.full(2, 0xD800, "<u4").view("<U1"), "do not exist"),
    "places in the plane": ("hit_places", lambda a: a[:, :2], r"'hit_places' has the shape \(2, 2\)\. Give \(2, 3\)"),
    "a place nowhere": ("hit_places", lambda a: a * np.nan, "places of hits in the archive are not all finite"),
    "a speed without end": ("hit_speeds", lambda a: a + np.inf, "speeds of hits in the archive are not all finite"),
}  # fmt: skip


@pytest.mark.parametrize("name", INVALID)
def test_inconsistent_collision_arrays_are_refused(take, name):
    array_name, change, message = INVALID[name]
    found = arrays_of(take)
    found[array_name] = change(found[array_name])
    with pytest.raises(KeyposeError, match=message) as refused:
        npz_take(archive(found))
    assert refused.value.__cause__ is None


@pytest.mark.parametrize("name", ["hit_events", "hit_others", "hit_places", "hit_speeds"])
def test_missing_array_is_named(take, name):
    found = arrays_of(take)
    del found[name]
    with pytest.raises(KeyposeError, match=f"no array '{name}'"):
        npz_take(archive(found))


@pytest.mark.parametrize("other", ["a\ud800", "a\0"])
def test_collisions_with_unwritable_names_are_not_written(other):
    with pytest.raises(KeyposeError, match=r"half a character|ends in a NUL"):
        npz_bytes(take_with_events(CollisionEvent(0, "a", "b", other=other)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"other": 3}, "has other=3. Give the name"),
        ({"place": (0, 1, "2")}, "contact point of a collision"),
        ({"place": (0, 1, np.inf)}, "contact point of a collision"),
        ({"speed": np.nan}, "speed of a collision must be one finite number"),
    ],
)
def test_collision_event_without_numbers_is_refused(options, message):
    with pytest.raises(KeyposeError, match=message):
        CollisionEvent(0, "a", "b", **options)
