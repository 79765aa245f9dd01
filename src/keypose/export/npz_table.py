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

from keypose.errors import KeyposeError, did_you_mean, shown
from keypose.export import npz_collisions, npz_script
from keypose.export.npz_members import FLOATS, MOST_MEMBERS, TEXT, WHOLE, Member, members_of
from keypose.export.tracks import MOST_BYTES, check_text, check_values, first_late, too_large, tracks_of
from keypose.motion.pose import Pose
from keypose.motion.take import Event, Take

VERSION = 1
ALWAYS = ("version", "times", "fps", "names", "event_times", "event_actors", "event_texts", "event_kinds")
MOST_EVENTS = 1_000_000
UNIX = 3  # what zipfile would otherwise ask the machine


def npz_bytes(take: Take) -> bytes:
    """The archive of a take. What cannot be read again is refused."""
    tracks, events = tracks_of(take), _checked_events(take.events)
    more = npz_script.texts_of(take) | npz_collisions.texts_of(take)
    numbers = npz_script.lines_of(take) | npz_collisions.numbers_of(take)
    if 2 * len(tracks) + len(ALWAYS) + len(more) + len(numbers) > MOST_MEMBERS:
        raise KeyposeError(f"The take has {len(tracks):,} actors, too many for an archive. Save it in parts.")
    texts: dict[str, list[str]] = {
        "names": list(tracks),
        "event_actors": [event.actor for event in events],
        "event_texts": [event.text for event in events],
        "event_kinds": [event.kind for event in events],
        **more,
    }
    size = sum(_size(words, name) for name, words in texts.items())
    size += 8 * (take.times.size + len(events) + sum(p.position.size + p.orientation.size for p in tracks.values()))
    size += 8 * sum(array.size for array in numbers.values())
    if size > MOST_BYTES:
        raise too_large("The take", size)
    arrays: dict[str, NDArray[Any]] = {
        "version": np.array(VERSION, dtype=WHOLE),
        "times": take.times,
        "fps": np.array(take.fps),
        "event_times": np.array([event.time for event in events], dtype=FLOATS),
    }
    arrays |= {name: np.array(words, dtype=f"{TEXT}{_width(words)}") for name, words in texts.items()}
    if "script" in arrays:
        arrays["script"] = arrays["script"].reshape(())  # one text, and no list of some
    for index, pose in enumerate(tracks.values()):
        arrays |= {f"position_{index}": pose.position, f"orientation_{index}": pose.orientation}
    return _archive(arrays | numbers)


def npz_take(source: bytes | BinaryIO) -> Take:
    """The take of an archive, equal to the one that was saved."""
    members = members_of(source)
    _check_members(members)
    times = members["times"].floats()
    late = first_late(times)
    if late is not None:
        raise KeyposeError(f"Frame {late} is at {float(times[late])!r} s. Times must be finite and increase.")
    poses: dict[str, Pose] = {}
    for index, name in enumerate(members["names"].texts()):
        if name in poses:
            raise KeyposeError(f"Two actors of the archive are named {shown(name)}. Rename one.")
        poses[name] = Pose(members[f"position_{index}"].floats(), members[f"orientation_{index}"].floats())
        check_values(name, poses[name])
    events = npz_collisions.as_told(npz_script.as_told(_events(members), members), members)
    kept = npz_script.kept_of(members, times)
    return Take(times, float(members["fps"].floats()), poses, events, script=kept)


def _checked_events(events: Sequence[Event]) -> list[Event]:
    """Events that can be read again."""
    if len(events) > MOST_EVENTS:
        raise KeyposeError(
            f"The take has {len(events):,} events, and an archive holds {MOST_EVENTS:,}. Leave some out."
        )
    for event in events:
        check_text(event.actor, "An event of this take is of")
        check_text(event.text, "An event of this take says")
    return list(events)


def _size(words: Sequence[str], name: str) -> int:
    """Bytes of an array of text, where all are as wide as the longest; a NUL at the end would be lost in it."""
    for word in words:
        if word.endswith("\0"):
            raise KeyposeError(f"{shown(word)} among the {name} ends in a NUL. Leave it out.")
    return 4 * _width(words) * len(words)


def _width(words: Sequence[str]) -> int:
    return max(map(len, words), default=0) or 1


def _archive(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    into = BytesIO()
    with ZipFile(into, "w") as archive:
        for name, array in arrays.items():
            info = ZipInfo(f"{name}.npy")  # made in 1980, for ever
            info.create_system = UNIX
            plain = np.asarray(array, dtype=array.dtype.newbyteorder("<"), order="C")
            with archive.open(info, "w") as file:
                np.lib.format.write_array(file, plain, version=(1, 0), allow_pickle=False)
    return into.getvalue()


def _check_members(members: Mapping[str, Member]) -> None:
    """Refuse an archive that lacks what a take needs, or holds more, or another kind or shape of it."""
    _check_there(members, ALWAYS)
    members["version"].check(WHOLE, ())
    version = members["version"].whole()
    if version != VERSION:
        raise KeyposeError(f"The archive is of version {version}, and this Keypose reads {VERSION}. Update Keypose.")
    for name, kind, shape in (("times", FLOATS, (-1,)), ("fps", FLOATS, ()), ("names", TEXT, (-1,))):
        members[name].check(kind, shape)
    actors = range(min(members["names"].shape[0], len(members)))  # with more than that, one is missing
    wanted = [*ALWAYS, *(f"{what}_{index}" for index in actors for what in ("position", "orientation"))]
    wanted += [*npz_script.wanted_of(members), *npz_collisions.wanted_of(members)]
    _check_there(members, wanted)
    for name in sorted(members.keys() - set(wanted)):
        raise KeyposeError(f"The archive holds {name!r}, which is no array of a take.{did_you_mean(name, ALWAYS)}")
    for index in actors:
        _check_actor(members[f"position_{index}"], members[f"orientation_{index}"], members["times"].shape[0])
    _check_events(members)
    npz_script.check_kinds(members, members["times"].shape[0], members["event_times"].shape[0])
    npz_collisions.check_kinds(members)


def _check_there(members: Mapping[str, Member], wanted: Sequence[str]) -> None:
    for name in wanted:
        if name not in members:
            others = sorted(members.keys() - set(wanted))[:1000]
            raise KeyposeError(f"The archive has no array {name!r}.{did_you_mean(name, others)}")


def _check_actor(position: Member, orientation: Member, frames: int) -> None:
    position.check(FLOATS, (frames, -1, -1) if len(position.shape) == 3 else (frames, -1))
    if 0 in position.shape:
        raise KeyposeError(f"Array {position.name!r} has the shape {position.shape}. Give at least one number a frame.")
    orientation.check(FLOATS, (frames, 4))


def _check_events(members: Mapping[str, Member]) -> None:
    members["event_times"].check(FLOATS, (-1,))
    count = members["event_times"].shape[0]
    if count > MOST_EVENTS:
        raise KeyposeError(f"The archive holds {count:,} events, more than {MOST_EVENTS:,}. Leave some out.")
    for name in ("event_actors", "event_texts", "event_kinds"):
        members[name].check(TEXT, (count,))


def _events(members: Mapping[str, Member]) -> list[Event]:
    times = members["event_times"].floats().tolist()
    actors, texts, kinds = (members[f"event_{what}"].texts() for what in ("actors", "texts", "kinds"))
    told = zip(times, actors, texts, kinds, strict=True)
    return _checked_events([Event(time, actor, text, cast(Any, kind)) for time, actor, text, kind in told])
