"""Scene files with something wrong: good ones mutated by chance, the same every time. `make fuzz` reads 100,000.

What must come out: a stage that can be shot, or a SceneError that names a field; never anything else, and soon.
"""

import json
import os
import random
import re
import sys
import time
import traceback
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from keypose import KeyposeError, SceneError, Stage, shoot
from keypose.document.scene import read
from tests.document.stage_samples import STAGES, scene_bytes

SEED = 84
MAX_SECONDS = 2.0  # [s]
MIN_NAMED_FRACTION = 0.99
SAMPLES = [scene_bytes(stage) for name, stage in STAGES.items() if name != "rendezvous"]  # which takes long to solve
TREES = [json.loads(sample) for sample in SAMPLES]
TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[-0-9.eE+]+|[a-z]+|[{}\[\],:]')
PAIR = re.compile(rb'("(?:[^"\\]|\\.)*": (?:"(?:[^"\\]|\\.)*"|[-0-9.eE+]+|\[[^\[\]{}]*\])), ')
NUMBERS = "NaN Infinity -Infinity 1e999 -1e999 1e308 1e101 1e100 1e16 1e15 1e-320 -0.0 0 -1 2 0.5 01 1. .5 0x10 1_0"
NUMBERS = [*NUMBERS.split(), "1" + "0" * 400, "9" * 5000]
ODD_BYTES = [b"\x00", b"\xff", b"\xed\xa0\x80", b"//", b"'", b'"', b"{", b"]", b",", b"\xef\xbb\xbf", b"\\", b"1e9"]
VALUES = [None, True, False, 0, -1, 1, 0.5, 1e300, "", "a", "chord", "man", "up", "\ud800", "\0", [], [0], [[0]], [[]]]
VALUES += [[0, 0, 0], [1, 2, 3, 4], [0, 0, 0, 0], {}, {"a": [1]}, {"kind": "speed"}, {"position": [1, 2]}]
VALUES += [{"kind": "look_at", "name": "hand"}]
VALUES += [{"kind": "plane"}, {"kind": "sphere", "radius": 1e-4}, {"kind": "box", "size": [1e4, 1, 1e-4]}]
VALUES += [{"kind": "mesh", "file": "nowhere.obj"}, {"shape": {"kind": "sphere", "radius": 1}, "mass": 1e9}]
VALUES += [{"turn": "raised"}, {"name": "x", "goals": {"red": 0.5}, "after": ["arch"]}]
VALUES += [{"kind": "still", "body": {"shape": {"kind": "plane", "normal": [1, 2, 3]}}}]


def mutated(number):
    """Scene file number so-and-so: a good one with one to three things done to it."""
    chance = random.Random(f"{SEED} {number}")
    content = _tree(chance) if chance.random() < 0.7 else chance.choice(SAMPLES)
    if content in SAMPLES or chance.random() < 0.1:
        for _ in range(chance.choice((1, 1, 1, 2, 5))):
            content = chance.choice(BY_BYTES)(content, chance)
    return content


# ---- by bytes and tokens ---------------------------------------------------------------------------------------------


def _flip(content, chance):
    at = chance.randrange(len(content) or 1)
    return content[:at] + bytes([content[at] ^ (1 << chance.randrange(8))]) + content[at + 1 :] if content else content


def _cut(content, chance):
    return content[: chance.randrange(len(content) + 1)]


def _drop(content, chance):
    at = chance.randrange(len(content) + 1)
    return content[:at] + content[at + chance.choice((1, 1, 2, 10, 100)) :]


def _repeat(content, chance):
    at = chance.randrange(len(content) + 1)
    return content[:at] + content[max(at - chance.choice((1, 5, 30, 200)), 0) :]


def _insert(content, chance):
    at = chance.randrange(len(content) + 1)
    return content[:at] + chance.choice(ODD_BYTES) + content[at:]


def _swap_tokens(content, chance):
    found = list(TOKEN.finditer(content))
    if len(found) < 2:
        return content
    one, two = sorted(chance.sample(found, 2), key=lambda token: token.start())
    middle = content[one.end() : two.start()]
    return content[: one.start()] + two[0] + middle + one[0] + content[two.end() :]


def _duplicate_pair(content, chance):
    found = list(PAIR.finditer(content))
    if not found:
        return content
    pair = chance.choice(found)
    return content[: pair.start()] + pair[0] + content[pair.start() :]


def _other_number(content, chance):
    found = list(re.finditer(rb"-?[0-9][-0-9.eE+]*", content))
    if not found:
        return content
    one = chance.choice(found)
    return content[: one.start()] + chance.choice(NUMBERS).encode() + content[one.end() :]


BY_BYTES = [_flip, _cut, _drop, _repeat, _insert, _swap_tokens, _duplicate_pair, _other_number]


# ---- by the tree -----------------------------------------------------------------------------------------------------


def _tree(chance):
    """A sample with one to three of its values changed."""
    tree = json.loads(json.dumps(chance.choice(TREES)))
    places = _locations(tree)
    for _ in range(chance.choice((1, 1, 1, 1, 2, 3))):
        inside, at = chance.choice(places)
        if at in inside if isinstance(inside, dict) else at < len(inside):  # it may be gone already
            chance.choice(BY_TREE)(inside, at, chance)
    if chance.random() < 0.001:
        tree = chance.choice((*VALUES, [tree], {"scene": tree}))
    content = json.dumps(tree, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")
    return re.sub(rb'"@@(.*?)@@"', rb"\1", content)


def _locations(tree):
    """Every (container, index or name) of a tree."""
    inner = list(tree.items()) if isinstance(tree, dict) else list(enumerate(tree)) if isinstance(tree, list) else []
    found = [(tree, at) for at, _ in inner]
    for _, one in inner:
        found += _locations(one)
    return found


LOCATIONS = [place for tree in TREES for place in _locations(tree)]


def _delete(inside, at, chance):
    del inside[at]


def _retype(inside, at, chance):
    inside[at] = json.loads(json.dumps(chance.choice(VALUES)))


def _number(inside, at, chance):
    inside[at] = f"@@{chance.choice(NUMBERS)}@@"  # written without the quotes


def _negate(inside, at, chance):
    inside[at] = -inside[at] if isinstance(inside[at], int | float) and not isinstance(inside[at], bool) else -1


def _rename(inside, at, chance):
    if isinstance(inside, dict):
        odd = [at + "s", at[:-1], at.upper(), at + " ", "", "a.b", "\ud800", "x" * 1000, "time", "keys", "kind"]
        inside[chance.choice(odd)] = inside.pop(at)


def _duplicate(inside, at, chance):
    if isinstance(inside, list):
        inside.insert(at, inside[at])


def _nest(inside, at, chance):
    for _ in range(chance.choice((1, 1, 2, 50, 300))):
        inside[at] = [inside[at]] if chance.random() < 0.7 else {"kind": inside[at]}


def _empty(inside, at, chance):
    inside[at] = {dict: {}, list: [], str: ""}.get(type(inside[at]))


def _shuffle(inside, at, chance):
    if isinstance(inside[at], list):
        chance.shuffle(inside[at])
    elif isinstance(inside[at], dict):
        items = list(inside[at].items())
        chance.shuffle(items)
        inside[at] = dict(items)


def _copy(inside, at, chance):
    source, key = chance.choice(LOCATIONS)
    inside[at] = json.loads(json.dumps(source[key]))


def _add(inside, at, chance):
    if isinstance(inside, dict):
        source, name = chance.choice([place for place in LOCATIONS if isinstance(place[1], str)])
        inside[name] = json.loads(json.dumps(source[name]))


def _text(inside, at, chance):
    if isinstance(inside[at], str):
        inside[at] = chance.choice([inside[at][::-1], inside[at] + "x", "man", "hand", "glass", "ring", "x" * 100_000])


BY_TREE = [_delete, _retype, _number, _negate, _rename, _duplicate, _nest, _empty, _shuffle, _copy, _add, _text]


# ---- what comes of it ------------------------------------------------------------------------------------------------


@dataclass
class Outcome:
    """What reading one file came to: "accepted", "refused", "not shot", or "crashed"."""

    number: int
    what: str
    named: bool
    seconds: float
    text: str = ""


def outcome(number):
    """Read a mutated file, and shoot two frames of it if it is accepted."""
    content, began = mutated(number), time.process_time()  # of work: others may keep the machine busy
    what, named, text = "accepted", False, ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            stage = read(content)
        assert isinstance(stage, Stage)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what is nasty but legal may come to infinity
            shoot(stage, 1 / 24)
    except SceneError as error:
        what, named, text = "refused", all(problem.path for problem in error.problems or [None]), str(error)
    except KeyposeError as error:
        what, text = "not shot", str(error)
    except Exception:
        what, text = "crashed", traceback.format_exc()
    return Outcome(number, what, named, time.process_time() - began, text)


@dataclass
class Summary:
    """What reading many files came to."""

    counts: Counter
    named: float
    slowest: Outcome
    crashes: list[Outcome]

    @classmethod
    def of(cls, outcomes):
        counts, named, slowest, crashes = Counter(), 0, Outcome(-1, "accepted", False, 0.0), []
        for one in outcomes:
            counts[one.what] += 1
            named += one.named
            slowest = max(slowest, one, key=lambda outcome: outcome.seconds)
            if one.what == "crashed":
                crashes.append(one)
        return cls(counts, named / max(counts["refused"], 1), slowest, crashes)

    @property
    def good(self):
        return not self.crashes and self.named >= MIN_NAMED_FRACTION

    @property
    def fast(self):
        """Judged by `make fuzz` alone: in one process the first file with a body may wait for a compiler."""
        return self.slowest.seconds <= MAX_SECONDS

    def __str__(self):
        summary = ", ".join(f"{count:,} {what}" for what, count in sorted(self.counts.items()))
        slowest = f"slowest {self.slowest.seconds:.2f} s, file {self.slowest.number}"
        return f"{summary}; {self.named:.2%} of refusals name every field; {slowest}"


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with ProcessPoolExecutor(os.cpu_count()) as processes:
        summary = Summary.of(processes.map(outcome, range(count), chunksize=200))
    for one in summary.crashes[:5]:
        print(f"File {one.number}: {mutated(one.number)!r:.2000}\n{one.text}")  # noqa: T201
    print(summary)  # noqa: T201
    sys.exit(not (summary.good and summary.fast))


if __name__ == "__main__":
    main()
