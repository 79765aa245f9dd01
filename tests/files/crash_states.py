"""What may be on the disk after the power failed in the middle of a save? As in ALICE (Pillai et al., OSDI 2014).

The disk is as bad as the standard allows. It holds files and folders, each known by a number; a name is an entry of a
folder. A save is a list of changes, each to one file or one folder, and of syncs:

- What was changed in a **file** since its last sync may be there or not, each 512-byte sector for itself and in any
  order; one sector may be torn at any byte; the file may have its new size with zeros in place of data.
- What was changed in a **folder** since its last sync may be there up to any change, in order. Taking a name over from
  another file of the folder is one step; moving a file between folders is two, one in each.
- Files and folders wait for nothing but their own sync: a new name may be there before what is to be read under it,
  and the sync of a file says nothing about its name.

A crash may happen after every change; `states` gives all folders it can leave, or many of them when they are too many,
the same ones each time. Overlapping writes to one file keep their order, and permissions are the only other thing known
of a file.
"""

from dataclasses import dataclass, field, replace
from itertools import pairwise, product
from math import prod
from random import Random

SECTOR = 512
MAX_STATES = 300  # of the states of a file, and of a folder


@dataclass(frozen=True)
class File:
    """What a file holds, and who may use it."""

    content: bytes = b""
    mode: int = 0o644

    def __str__(self):
        return f"{len(self.content)} bytes with mode {self.mode:o}"


@dataclass(frozen=True)
class Write:
    """Data from an offset on; a gap before it reads as zeros."""

    offset: int
    data: bytes

    def on(self, file):
        start, end = self.offset, self.offset + len(self.data)
        return replace(file, content=file.content[:start].ljust(start, b"\0") + self.data + file.content[end:])

    def sectors(self):
        """The same data, cut where the disk's sectors begin."""
        inside = -self.offset % SECTOR
        cuts = [0, *range(inside or SECTOR, len(self.data), SECTOR), len(self.data)]
        return [Write(self.offset + a, self.data[a:b]) for a, b in pairwise(cuts) if a < b]


@dataclass(frozen=True)
class Resize:
    """A file cut off, or grown by zeros."""

    size: int

    def on(self, file):
        return replace(file, content=file.content[: self.size].ljust(self.size, b"\0"))


@dataclass(frozen=True)
class Chmod:
    """Other permissions."""

    mode: int

    def on(self, file):
        return replace(file, mode=self.mode)


@dataclass(frozen=True)
class DirectoryUpdate:
    """Entries of a folder that change in one step: {name: number of a file or folder, None if it goes}."""

    names: dict

    def on(self, entries):
        return {name: thing for name, thing in (entries | self.names).items() if thing is not None}


@dataclass(frozen=True)
class Sync:
    """What was changed before is on the platter."""


@dataclass
class Recording:
    """What a save did: the disk before, [(what is changed, how)], and {path: File} of the folder before and after."""

    root: object
    things: dict  # number: File, or {name: number} for a folder
    changes: list = field(default_factory=list)
    before: dict = field(default_factory=dict)
    after: dict = field(default_factory=dict)


def file_tree(things, thing, path=""):
    """{path: File} of all that can be reached by name from a folder."""
    found = {}
    for name, inside in things[thing].items():
        if isinstance(things[inside], File):
            found[path + name] = things[inside]
        else:
            found |= file_tree(things, inside, f"{path}{name}/")
    return found


def crash_problems(recording, name):
    """Sentences about crashes after which the file is neither the old one nor the new one, or old though saved."""
    old, new = recording.before.get(name), recording.after.get(name)
    found = []
    for done in range(len(recording.changes) + 1):
        last = recording.changes[done - 1][1] if done else None
        left = {state.get(name) for state in crash_states(recording, done)}
        found += [
            f"A crash after change {done} ({type(last).__name__}) can leave {file or 'no file'}, neither old nor new."
            for file in sorted(left - {old, new}, key=str)[:1]
        ]
    if old != new and old in left:
        found.append("A crash after the save returned can leave the old file.")
    return found


def crash_states(recording, done):
    """The folders {path: File} that a crash can leave when `done` changes were made."""
    things, waiting = _durable_and_pending(recording, done)
    random = Random(done)
    choices = {thing: _possible_states(things[thing], changes, random) for thing, changes in waiting.items()}
    for chosen in _combinations(list(choices.values()), random):
        yield file_tree(things | dict(zip(choices, chosen, strict=True)), recording.root)


def _durable_and_pending(recording, done):
    """What is on the platter for certain after `done` changes, and what waits for a sync: {number: changes}."""
    things, waiting = dict(recording.things), {}
    for thing, change in recording.changes[:done]:
        if isinstance(change, Sync):
            for waited in waiting.pop(thing, ()):
                things[thing] = waited.on(things[thing])
        else:
            waiting.setdefault(thing, []).append(change)
    return things, waiting


def _possible_states(thing, changes, random):
    """All that can be left of a file or a folder with these changes waiting."""
    if isinstance(thing, File):
        return _torn_files(thing, changes, random)
    states = [thing]
    for change in changes:
        states.append(change.on(states[-1]))
    return states


def _torn_files(file, changes, random):
    """What a crash can leave of a file: any of the changed sectors, the last one torn, or zeros for data."""
    parts = [part for change in changes for part in (change.sectors() if isinstance(change, Write) else [change])]
    if 2 ** len(parts) <= MAX_STATES:
        picks = list(product([False, True], repeat=len(parts)))
    else:
        picks = [[index < end for index in range(len(parts))] for end in range(len(parts) + 1)]
        picks += [[index != lost for index in range(len(parts))] for lost in range(len(parts))]
        picks += [[random.random() < 0.5 for _ in parts] for _ in range(MAX_STATES - len(picks))]
    torn_files = {
        _apply(file, [part for part, is_written in zip(parts, pick, strict=True) if is_written]): None for pick in picks
    }
    for index, part in enumerate(parts):
        if isinstance(part, Write):
            for size in {1, random.randrange(len(part.data)), len(part.data) - 1}:
                torn_files[_apply(file, [*parts[:index], Write(part.offset, part.data[:size])])] = None
    torn_files[Resize(len(_apply(file, parts).content)).on(file)] = None
    return list(torn_files)


def _apply(file, changes):
    for change in changes:
        file = change.on(file)
    return file


def _combinations(choices, random):
    """One of each list, in all ways; in many ways if all are too many."""
    if prod(map(len, choices)) <= MAX_STATES * 10:
        return product(*choices)
    ends = list(product(*[(each[0], each[-1]) for each in choices]))
    return ends + [tuple(random.choice(each) for each in choices) for _ in range(MAX_STATES)]
