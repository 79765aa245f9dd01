"""Whatever is written is read again, to the last bit; and whatever else is in a file is refused with a sentence."""

import random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from keypose import KeyposeError
from keypose.export.csv_table import csv_lines, csv_take
from keypose.export.npz_table import npz_bytes, npz_take
from keypose.motion.events import Event
from keypose.motion.pose import Pose
from keypose.motion.take import Take

ODD_NAMES = [
    "sail",
    "sail.0",
    "sail.1",
    "sail\\.0",
    "sail\\",
    "sail\\.1",
    "a,b",
    'say "x"',
    "two\nlines",
    "\r\n",
    "[m]",
]
ODD_NAMES += ["x [m]", "fps", "time [s]", "", "a.qw", "a.x [m]", "=1+1", "../up", "ü", "人/手"]
RATES = [24, 25, 24000 / 1001, 30000 / 1001, 12.5, 29.97, 49, 1e-9, 1e9]
EXTREME = [-0.0, 5e-324, 1e-320, -1.7976931348623157e308, 0.1, 1 / 3, 1e22, 1e23]

whole = st.characters(exclude_categories=["Cs"])  # a lone surrogate is half a character
names = st.sampled_from(ODD_NAMES) | st.text('ab.,;"\\[]\r\n\t01é漢😀= ', max_size=8) | st.text(whole, max_size=5)
names = names.filter(lambda name: not name.endswith("\0"))
numbers = st.sampled_from(EXTREME) | st.floats(allow_nan=False, allow_infinity=False)
shapes = st.tuples(st.integers(1, 5)) | st.tuples(st.integers(1, 3), st.integers(1, 3))
kinds = st.sampled_from(["note", "warning"])
events = st.lists(st.builds(Event, st.floats(-1e100, 1e100), names, names, kinds), max_size=3)


def arrays(shape, numbers):
    count = int(np.prod(shape))
    return st.lists(numbers, min_size=count, max_size=count).map(lambda found: np.reshape(found, shape).astype(float))


def orientations(frames):
    """Facings of any length, but of some."""
    some = st.floats(1e-100, 1e100) | st.floats(-1e100, -1e-100)
    return st.tuples(arrays((frames, 1), some), arrays((frames, 3), st.floats(-1e100, 1e100))).map(np.hstack)


@st.composite
def takes(draw):
    """Steady and uneven, of nobody and of somebody, points and drawings in one to five dimensions."""
    frames, fps = draw(st.integers(2, 5)), draw(st.sampled_from(RATES) | st.floats(1e-9, 1e9))
    times = np.arange(frames) / fps
    if draw(st.booleans()):
        times = np.cumsum(draw(arrays((frames,), st.floats(1e-3, 1e3)))) + draw(st.floats(-100, 100))
    cast = draw(st.lists(names, unique=True, max_size=4))
    poses = {name: Pose(draw(arrays((frames, *draw(shapes)), numbers)), draw(orientations(frames))) for name in cast}
    return Take(times, fps, poses, draw(events))


def take_bytes(take):
    """Everything of a take but its events, −0 and 0 apart and in the order of the cast."""
    poses = [(name, p.position.shape, p.position.tobytes(), p.orientation.tobytes()) for name, p in take.poses.items()]
    return take.fps, take.times.tobytes(), poses


def points_like_actors():
    still = np.broadcast_to([1.0, 0, 0, 0], (2, 4))
    shapes = {"sail": (2, 2, 3), "sail.0": (2, 3), "sail.1": (2, 1, 3), "sail.1.0": (2, 3), "sail\\.0": (2, 3)}
    return Take([0, 1], 1, {name: Pose(np.full(shape, float(len(name))), still) for name, shape in shapes.items()})


@given(takes())
@example(points_like_actors())
@settings(max_examples=150, deadline=None)
def test_csv_round_trips_bitwise_without_events(take):
    data = b"".join(csv_lines(take))
    back = csv_take(data)
    assert take_bytes(back) == take_bytes(take)
    assert back == Take(take.times, take.fps, take.poses)
    assert b"".join(csv_lines(back)) == data


@given(takes())
@example(points_like_actors())
@settings(max_examples=150, deadline=None)
def test_npz_round_trips_bitwise_with_events(take):
    data = npz_bytes(take)
    back = npz_take(data)
    assert take_bytes(back) == take_bytes(take)
    assert back == take
    assert npz_bytes(back) == data


def test_loaded_take_can_be_used_as_a_motion(take):
    for back in (csv_take(b"".join(csv_lines(take))), npz_take(npz_bytes(take))):
        assert back.names == ("glass", "hand", "sail")
        assert back["glass"].at(0.03).position.tolist() == take["glass"].at(0.03).position.tolist()
        assert back["sail"].at([0.01, 0.02]).position.shape == (2, 2, 2)
        with pytest.raises(ValueError, match="read-only"):
            back["glass"].position[0] = 1


def damaged(data, chance):
    """Bytes with some damage: changed, lost, doubled, cut off, or with words of a hostile file put in."""
    words = [
        b"nan",
        b"inf",
        b"1e999",
        b",",
        b"\n",
        b'"',
        b"\0",
        b"\xff",
        b"|O",
        b"PK\x05\x06",
        b"-",
        b"999999999",
        b";",
    ]
    data = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(5):
            case 0:
                data[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del data[at : at + chance.choice([1, 2, 30])]
            case 2:
                data[at:at] = data[at : at + chance.choice([1, 5, 60])]
            case 3:
                data[at:at] = chance.choice(words)
            case 4 if chance.random() < 0.2:
                del data[at:]
    return bytes(data)


@pytest.mark.parametrize("ending", ["csv", "npz"])
def test_damaged_file_is_read_or_refused_with_reason(take, ending):
    chance, refused = random.Random(7), []
    data, read = (b"".join(csv_lines(take)), csv_take) if ending == "csv" else (npz_bytes(take), npz_take)
    for _ in range(1500):
        try:
            found = read(damaged(data, chance))
        except KeyposeError as error:
            refused.append(error)
        else:
            assert np.isfinite(found.times).all()
            assert all(np.isfinite(pose.position).all() for pose in found.poses.values())
    assert len(refused) > 1000
    for error in refused:
        assert error.__cause__ is None
        assert len(str(error)) < 300
        assert "\n" not in str(error)


UNWRITABLE = {
    "a place that is nowhere": (
        {"a": Pose(np.array([[0, 0], [np.nan, 0]]), np.eye(4)[[0, 0]])},
        "not finite at frame 1",
    ),
    "a facing that is endless": (
        {"a": Pose(np.zeros((2, 3)), np.full((2, 4), np.inf))},
        "facings of 'a' are not finite",
    ),
    "a facing without direction": ({"a": Pose(np.zeros((2, 3)), np.zeros((2, 4)))}, "faces nowhere"),
    "no numbers per frame": ({"a": Pose.of(np.zeros((2, 0)), np.eye(4)[[0, 0]])}, r"shape \(2, 0\)"),
    "drawings of drawings": ({"a": Pose(np.zeros((2, 2, 2, 2)), np.eye(4)[[0, 0]])}, "shape"),
    "half a character": ({"a\ud800": Pose(np.zeros((2, 3)), np.eye(4)[[0, 0]])}, "half a character"),
}


@pytest.mark.parametrize("name", UNWRITABLE)
@pytest.mark.parametrize("write", [csv_lines, npz_bytes])
def test_unreadable_take_is_not_written(name, write):
    poses, message = UNWRITABLE[name]
    with pytest.raises(KeyposeError, match=message):
        write(Take([0, 1], 24, poses))


def test_too_large_take_is_refused_before_writing():
    place = np.broadcast_to(0.0, (2, 40_000_000, 3))
    huge = Take([0, 1], 24, {"a": Pose(place, np.eye(4)[[0, 0]])})
    for write in (csv_lines, npz_bytes):
        with pytest.raises(KeyposeError, match="240,000,010 numbers"):
            write(huge)


def test_other_number_types_are_written_as_floats():
    place = np.arange(6).reshape(2, 3)
    take = Take([0, 1], 1, {"a": Pose(place, np.eye(4, dtype=np.float32)[[0, 0]])})
    assert csv_take(b"".join(csv_lines(take))) == npz_take(npz_bytes(take)) == take
