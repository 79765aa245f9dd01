"""How is a take kept whole for numpy? As an archive of plain arrays, events among them and how a script was kept.

Nothing in it is ever pickled. The same take gives the same bytes: the archive has no clock, and its arrays stand in the
order of the cast.
"""

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any, BinaryIO, cast
from zipfile import ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from keypose.errors import KeyposeError, did_you_mean, short_repr
from keypose.export import npz_collisions, npz_script
from keypose.export.npz_members import FLOATS, INTEGERS, MAX_MEMBERS, TEXT, ArrayMember, read_members
from keypose.export.tracks import (
    MAX_BYTES,
    actor_tracks,
    check_text,
    check_values,
    first_unordered_time,
    too_large_error,
)
from keypose.motion import Event, Pose, Take

VERSION = 1
REQUIRED_ARRAYS = ("version", "times", "fps", "names", "event_times", "event_actors", "event_texts", "event_kinds")
MAX_EVENTS = 1_000_000
ZIP_SYSTEM_UNIX = 3  # what zipfile would otherwise ask the machine


def npz_bytes(take: Take) -> bytes:
    """The archive of a take. What cannot be read again is refused."""
    tracks, events = actor_tracks(take), _check_events_readable(take.events)
    more = npz_script.text_arrays(take) | npz_collisions.text_arrays(take)
    numbers = npz_script.number_arrays(take) | npz_collisions.number_arrays(take)
    if 2 * len(tracks) + len(REQUIRED_ARRAYS) + len(more) + len(numbers) > MAX_MEMBERS:
        raise KeyposeError(f"The take has {len(tracks):,} actors, too many for an archive. Save it in parts.")
    texts: dict[str, list[str]] = {
        "names": list(tracks),
        "event_actors": [event.actor for event in events],
        "event_texts": [event.text for event in events],
        "event_kinds": [event.kind for event in events],
        **more,
    }
    size = sum(_text_bytes(words, name) for name, words in texts.items())
    size += 8 * (take.times.size + len(events) + sum(p.position.size + p.orientation.size for p in tracks.values()))
    size += 8 * sum(array.size for array in numbers.values())
    if size > MAX_BYTES:
        raise too_large_error("The take", size)
    arrays: dict[str, NDArray[Any]] = {
        "version": np.array(VERSION, dtype=INTEGERS),
        "times": take.times,
        "fps": np.array(take.fps),
        "event_times": np.array([event.time for event in events], dtype=FLOATS),
    }
    arrays |= {name: np.array(words, dtype=f"{TEXT}{_text_width(words)}") for name, words in texts.items()}
    if "script" in arrays:
        arrays["script"] = arrays["script"].reshape(())  # one text, and no list of some
    for index, pose in enumerate(tracks.values()):
        arrays |= {f"position_{index}": pose.position, f"orientation_{index}": pose.orientation}
    return _zip_archive(arrays | numbers)


def npz_take(source: bytes | BinaryIO) -> Take:
    """The take of an archive, equal to the one that was saved."""
    members = read_members(source)
    _check_members(members)
    times = members["times"].floats()
    late = first_unordered_time(times)
    if late is not None:
        raise KeyposeError(f"Frame {late} is at {float(times[late])!r} s. Times must be finite and increase.")
    poses: dict[str, Pose] = {}
    for index, name in enumerate(members["names"].texts()):
        if name in poses:
            raise KeyposeError(f"Two actors of the archive are named {short_repr(name)}. Rename one.")
        poses[name] = Pose(members[f"position_{index}"].floats(), members[f"orientation_{index}"].floats())
        check_values(name, poses[name])
    events = npz_collisions.restore_collisions(npz_script.restore_meetings(_read_events(members), members), members)
    report = npz_script.read_report(members, times)
    return Take(times, float(members["fps"].floats()), poses, events, script=report)


def _check_events_readable(events: Sequence[Event]) -> list[Event]:
    """Events that can be read again."""
    if len(events) > MAX_EVENTS:
        raise KeyposeError(f"The take has {len(events):,} events, and an archive holds {MAX_EVENTS:,}. Leave some out.")
    for event in events:
        check_text(event.actor, "An event of this take is of")
        check_text(event.text, "An event of this take says")
    return list(events)


def _text_bytes(words: Sequence[str], name: str) -> int:
    """Bytes of an array of text, where all are as wide as the longest; a NUL at the end would be lost in it."""
    for word in words:
        if word.endswith("\0"):
            raise KeyposeError(f"{short_repr(word)} among the {name} ends in a NUL. Leave it out.")
    return 4 * _text_width(words) * len(words)


def _text_width(words: Sequence[str]) -> int:
    return max(map(len, words), default=0) or 1


def _zip_archive(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    into = BytesIO()
    with ZipFile(into, "w") as archive:
        for name, array in arrays.items():
            info = ZipInfo(f"{name}.npy")  # made in 1980, for ever
            info.create_system = ZIP_SYSTEM_UNIX
            plain = np.asarray(array, dtype=array.dtype.newbyteorder("<"), order="C")
            with archive.open(info, "w") as file:
                np.lib.format.write_array(file, plain, version=(1, 0), allow_pickle=False)
    return into.getvalue()


def _check_members(members: Mapping[str, ArrayMember]) -> None:
    """Refuse an archive that lacks what a take needs, or holds more, or another kind or shape of it."""
    _check_present(members, REQUIRED_ARRAYS)
    members["version"].check(INTEGERS, ())
    version = members["version"].integer()
    if version != VERSION:
        raise KeyposeError(f"The archive is of version {version}, and this Keypose reads {VERSION}. Update Keypose.")
    for name, kind, shape in (("times", FLOATS, (-1,)), ("fps", FLOATS, ()), ("names", TEXT, (-1,))):
        members[name].check(kind, shape)
    actors = range(min(members["names"].shape[0], len(members)))  # with more than that, one is missing
    required = [*REQUIRED_ARRAYS, *(f"{what}_{index}" for index in actors for what in ("position", "orientation"))]
    required += [*npz_script.required_arrays(members), *npz_collisions.required_arrays(members)]
    _check_present(members, required)
    for name in sorted(members.keys() - set(required)):
        raise KeyposeError(
            f"The archive holds {name!r}, which is no array of a take.{did_you_mean(name, REQUIRED_ARRAYS)}"
        )
    for index in actors:
        _check_actor(members[f"position_{index}"], members[f"orientation_{index}"], members["times"].shape[0])
    _check_events(members)
    npz_script.check_arrays(members, members["times"].shape[0], members["event_times"].shape[0])
    npz_collisions.check_arrays(members)


def _check_present(members: Mapping[str, ArrayMember], required: Sequence[str]) -> None:
    for name in required:
        if name not in members:
            others = sorted(members.keys() - set(required))[:1000]
            raise KeyposeError(f"The archive has no array {name!r}.{did_you_mean(name, others)}")


def _check_actor(position: ArrayMember, orientation: ArrayMember, frames: int) -> None:
    position.check(FLOATS, (frames, -1, -1) if len(position.shape) == 3 else (frames, -1))
    if 0 in position.shape:
        raise KeyposeError(f"Array {position.name!r} has the shape {position.shape}. Give at least one number a frame.")
    orientation.check(FLOATS, (frames, 4))


def _check_events(members: Mapping[str, ArrayMember]) -> None:
    members["event_times"].check(FLOATS, (-1,))
    count = members["event_times"].shape[0]
    if count > MAX_EVENTS:
        raise KeyposeError(f"The archive holds {count:,} events, more than {MAX_EVENTS:,}. Leave some out.")
    for name in ("event_actors", "event_texts", "event_kinds"):
        members[name].check(TEXT, (count,))


def _read_events(members: Mapping[str, ArrayMember]) -> list[Event]:
    times = members["event_times"].floats().tolist()
    actors, texts, kinds = (members[f"event_{what}"].texts() for what in ("actors", "texts", "kinds"))
    rows = zip(times, actors, texts, kinds, strict=True)
    return _check_events_readable([Event(time, actor, text, cast(Any, kind)) for time, actor, text, kind in rows])
