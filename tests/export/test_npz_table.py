"""An archive keeps a take whole, and one that lies is refused before it is unpacked."""

import io
import pickle
import tracemalloc
import zipfile

import numpy as np
import pytest

from keypose import KeyposeError
from keypose.export import npz_members, npz_table, tracks
from keypose.export.npz_table import npz_bytes, npz_take
from keypose.motion.events import Event
from keypose.motion.pose import Pose
from keypose.motion.take import Take


def arrays_of(take):
    with np.load(io.BytesIO(npz_bytes(take)), allow_pickle=False) as found:
        return dict(found)


def archive(arrays, pack=zipfile.ZIP_STORED):
    """An archive of arrays, or of bytes that pretend to be some."""
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w", pack) as archive_file:
        for name, array in arrays.items():
            if not isinstance(array, bytes):
                as_file = io.BytesIO()
                np.lib.format.write_array(as_file, np.asanyarray(array), allow_pickle=True)
                array = as_file.getvalue()
            archive_file.writestr(name if "." in name else f"{name}.npy", array)
    return into.getvalue()


def npy_bytes(header, data=b""):
    """An array file with a header of one's own."""
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + data


def npy_header(kind, shape):
    """An array file that only says what it holds."""
    return npy_bytes(f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}".encode().ljust(117) + b"\n")


def test_numpy_alone_can_read_the_archive(take):
    found = arrays_of(take)
    assert found["names"].tolist() == ["glass", "hand", "sail"]
    assert found["fps"] == 24
    assert found["version"] == 1
    assert found["position_2"].shape == (3, 2, 2)
    assert found["orientation_1"].tolist() == take["hand"].orientation.tolist()
    assert found["event_kinds"].tolist() == ["note", "warning"]


def test_equal_takes_give_equal_bytes(take, monkeypatch):
    first = npz_bytes(take)
    monkeypatch.setattr("time.time", lambda: 2e9)
    monkeypatch.setattr("time.localtime", lambda *_: (2033, 5, 18, 3, 33, 20, 2, 138, 0))
    assert npz_bytes(pickle.loads(pickle.dumps(take))) == first
    by_columns = {name: Pose(np.asfortranarray(p.position), p.orientation) for name, p in take.poses.items()}
    assert npz_bytes(Take(take.times, take.fps, by_columns, take.events)) == first


def test_archives_made_by_numpy_are_read(take):
    found = arrays_of(take)
    found["position_0"] = np.asfortranarray(found["position_0"])
    for save in (np.savez, np.savez_compressed):
        into = io.BytesIO()
        save(into, **found)
        assert npz_take(into.getvalue()) == take
        into.seek(0)
        assert npz_take(into) == take
        assert npz_take(Pipe(into.getvalue())) == take


class Pipe(io.BytesIO):
    """Something whose size nobody knows, and that only goes forward."""

    def seekable(self):
        return False


class Trap:
    """Says so if it is ever unpickled."""

    sprung = False

    def __reduce__(self):
        return setattr, (Trap, "sprung", True)


def trap_array():
    values = np.empty(3, dtype=object)
    values[:] = [Trap()] * 3
    return values


def with_nan_time(times):
    times = times.copy()
    times[-1] = np.nan
    return times


TEXT = np.array([f"{'x' * 5}"])
INVALID = {
    "objects": ("names", lambda _: trap_array(), r"Array 'names' is of kind '\|O'"),
    "objects for numbers": (
        "position_0",
        lambda _: trap_array(),
        r"Array 'position_0' is of kind '\|O'\. Give float64",
    ),
    "a pickle": ("times", lambda _: pickle.dumps(Trap()), "not a plain array"),
    "text for numbers": ("times", lambda _: TEXT, r"kind '<U5'\. Give float64"),
    "numbers for text": ("names", lambda _: np.zeros(3), r"kind '<f8'\. Give text"),
    "bytes for text": ("names", lambda _: np.array([b"a"] * 3), "kind '|S1'"),
    "single precision": ("position_1", lambda a: a.astype(np.float32), r"kind '<f4'\. Give float64"),
    "another order of bytes": ("position_1", lambda a: a.astype(">f8"), "kind '>f8'"),
    "records": ("times", lambda a: a.view([("t", "<f8")]), "not a plain array"),
    "a shape too few": ("position_1", lambda a: a[:2], r"shape \(2, 3\)\. Give \(3, any\)"),
    "a shape too flat": ("position_1", lambda a: a.ravel(), r"shape \(9,\)"),
    "a shape too deep": ("position_1", lambda a: a[None, None], "shape"),
    "no numbers": ("position_1", lambda a: a[:, :0], "at least one number"),
    "facings of three": ("orientation_1", lambda a: a[:, :3], r"shape \(3, 3\)\. Give \(3, 4\)"),
    "a list for a number": ("fps", lambda a: a[None], r"'fps' has the shape \(1,\)\. Give \(\)"),
    "a table of times": ("times", lambda a: a[:, None], r"'times' has the shape \(3, 1\)"),
    "no time": ("times", lambda a: a[:0], "shape"),
    "a time that is none": ("times", with_nan_time, "Frame 2 is at nan s"),
    "times that turn back": ("times", lambda a: a[::-1].copy(), "Frame 1 is at"),
    "no rate": ("fps", lambda a: a * 0, "more than 0"),
    "a place that is nowhere": ("position_0", lambda a: a * np.nan, "places of 'glass' are not finite at frame 0"),
    "a facing without direction": ("orientation_0", lambda a: a * 0, "faces nowhere"),
    "a name twice": ("names", lambda a: a[[0, 0, 1]], "Two actors of the archive are named 'glass'"),
    "a name too many": ("names", lambda a: np.append(a, "x"), "no array 'position_3'"),
    "a name too few": ("names", lambda a: a[:2], "holds 'orientation_2', which is no array of a take"),
    "names beyond letters": ("names", lambda a: np.full(15, 0x110000, "<u4").view("<U5"), "letters that do not exist"),
    "half a letter": ("names", lambda a: np.full(15, 0xD800, "<u4").view("<U5"), "letters that do not exist"),
    "an event without text": ("event_texts", lambda a: a[:1], r"'event_texts' has the shape \(1,\)\. Give \(2,\)"),
    "an event of no kind": ("event_kinds", lambda a: np.array(["note", "wanring"]), r"'wanring'\. Did you mean"),
    "an event at no time": ("event_times", lambda a: a * np.nan, "time of an event"),
    "another version": ("version", lambda a: a + 1, "version 2, and this Keypose reads 1"),
    "a shape that lies": ("times", lambda a: npy_header("<f8", "9,"), "not as long as its shape"),
    "a shape beyond memory": ("times", lambda a: npy_header("<f8", "999999999999, 999999999999"), "not as long as its"),
    "text without width": ("names", lambda a: npy_header("<U0", "3,"), "not as long as its shape"),
    "a header that computes": (
        "times",
        lambda a: npy_bytes(b"{'descr': '<f8', 'shape': (2**40,)}\n"),
        "not a plain array",
    ),
    "a header that nests": ("times", lambda a: npy_bytes(b"(" * 60_000), "not a plain array"),
    "nothing": ("times", lambda a: b"", "not a plain array"),
}  # fmt: skip


@pytest.mark.parametrize("name", INVALID)
def test_inconsistent_array_is_refused(take, name):
    array_name, change, message = INVALID[name]
    found = arrays_of(take)
    found[array_name] = change(found[array_name])
    for pack in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        with pytest.raises(KeyposeError, match=message) as refused:
            npz_take(archive(found, pack))
        assert refused.value.__cause__ is None
        assert len(str(refused.value)) < 300
    assert not Trap.sprung


@pytest.mark.parametrize("name", ["version", "times", "fps", "names", "position_1", "orientation_2", "event_texts"])
def test_missing_array_is_named(take, name):
    found = arrays_of(take)
    del found[name]
    with pytest.raises(KeyposeError, match=f"no array '{name}'"):
        npz_take(archive(found))
    found[name.replace("o", "oo")[:-1] + "x"] = np.zeros(3)
    if name != "fps":
        with pytest.raises(KeyposeError, match=f"no array '{name}'. Did you mean"):
            npz_take(archive(found))


@pytest.mark.parametrize(
    "name", ["../../times.npy", "/etc/times.npy", "C:\\a.npy", "a.py", "a/b.npy", "x" * 99 + ".npy"]
)
def test_other_files_in_the_archive_are_refused(take, name):
    with pytest.raises(KeyposeError, match=r"no array of a take\. Take it out"):
        npz_take(archive(arrays_of(take) | {name: np.zeros(3)}))


def test_duplicate_array_is_refused(take):
    into = io.BytesIO(archive(arrays_of(take)))
    with zipfile.ZipFile(into, "a") as archive_file, pytest.warns(UserWarning, match="Duplicate"):
        archive_file.writestr("times.npy", b"")
    with pytest.raises(KeyposeError):
        npz_take(into.getvalue())
    into = io.BytesIO(archive(arrays_of(take)))
    with zipfile.ZipFile(into, "a") as archive_file, pytest.warns(UserWarning, match="Duplicate"):
        archive_file.writestr("times.npy", archive_file.read("times.npy"))
    with pytest.raises(KeyposeError, match="two arrays 'times'"):
        npz_take(into.getvalue())


def test_zip_bomb_is_refused_by_its_declared_size(take, monkeypatch):
    monkeypatch.setattr(npz_members, "MAX_BYTES", 1_000_000)
    bomb = archive(arrays_of(take) | {"position_0": np.zeros((3, 100_000))}, zipfile.ZIP_DEFLATED)
    assert len(bomb) < 20_000
    monkeypatch.setattr(npz_members.ArrayMember, "floats", None)
    with pytest.raises(KeyposeError, match="What the archive holds is 2,40"):
        npz_take(bomb)


def test_zip_bomb_with_a_small_declared_size_is_not_unpacked(take):
    full, little = (80_000_128).to_bytes(4, "little"), (152).to_bytes(4, "little")
    bomb = archive(arrays_of(take) | {"times": npy_header("<f8", "3,") + bytes(80_000_000)}, zipfile.ZIP_DEFLATED)
    assert bomb.count(full) == 2  # before the array, and in the directory
    bomb = bomb.replace(full, little)
    tracemalloc.start()
    with pytest.raises(KeyposeError):
        npz_take(bomb)
    assert tracemalloc.get_traced_memory()[1] < 2_000_000
    tracemalloc.stop()


def test_large_directory_is_refused_unread(take, monkeypatch):
    data = bytearray(npz_bytes(take))
    monkeypatch.setattr(npz_members, "ZipFile", None)
    with pytest.raises(KeyposeError, match="lists more than"):
        npz_take(bytes(data[:-22] + b"PK\x06\x07" + bytes(16) + data[-22:]))
    data[-10:-6] = (1 << 30).to_bytes(4, "little")
    with pytest.raises(KeyposeError, match="lists more than 65,000 arrays"):
        npz_take(bytes(data))


@pytest.mark.parametrize("data", [b"", b"PK", b"time [s]\n0\n", bytes(100), b"PK\x05\x06" + bytes(18)])
def test_other_files_are_refused(data):
    with pytest.raises(KeyposeError):
        npz_take(data)


def test_encrypted_or_unusually_compressed_archive_is_refused(take):
    data = npz_bytes(take)
    at = data.index(b"PK\x01\x02")
    with pytest.raises(KeyposeError, match="encrypted"):
        npz_take(data[: at + 8] + b"\x01" + data[at + 9 :])
    with pytest.raises(KeyposeError, match="unusual way"):
        npz_take(archive(arrays_of(take), zipfile.ZIP_LZMA))


def test_changed_number_fails_the_checksum(take):
    data = npz_bytes(take)
    with pytest.raises(KeyposeError, match="CRC"):
        npz_take(data.replace(take.times.tobytes(), (take.times + 1).tobytes()))


def test_too_large_archive_is_refused_unread(take, monkeypatch):
    data = npz_bytes(take)
    monkeypatch.setattr(tracks, "MAX_BYTES", 1000)
    monkeypatch.setattr(npz_members, "MAX_BYTES", 1000)
    for source in (data, io.BytesIO(data), Pipe(data)):
        with pytest.raises(KeyposeError, match=r"The archive is .* bytes, more than 1,000"):
            npz_take(source)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ((0, "a", "b", "alarm"), "'alarm'"),
        ((np.inf, "a", "b"), "time of an event"),
        ((0, "a\0", "b"), "NUL"),
        ((0, "a", "\udc00"), "half a character"),
        ((0, None, "b"), "None"),
    ],
)
def test_unreadable_events_are_not_written(event, message):
    with pytest.raises(KeyposeError, match=message):
        npz_bytes(Take([0, 1], 1, {}, [Event(*event)]))


def test_numbers_of_actors_and_events_are_limited(take, monkeypatch):
    data = npz_bytes(take)
    monkeypatch.setattr(npz_table, "MAX_EVENTS", 1)
    for refused in (lambda: npz_bytes(take), lambda: npz_take(data)):
        with pytest.raises(KeyposeError, match="2 events"):
            refused()
    monkeypatch.undo()
    monkeypatch.setattr(npz_table, "MAX_MEMBERS", 13)
    with pytest.raises(KeyposeError, match="3 actors, too many"):
        npz_bytes(take)
    monkeypatch.undo()
    wide = Take([0, 1], 1, {}, [Event(0, "a", "x" * 1_000_000), *[Event(0, "a", "b")] * 300])
    with pytest.raises(KeyposeError, match="bytes, more than"):
        npz_bytes(wide)
