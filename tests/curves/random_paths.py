"""Paths of every kind to be edited, and when two are the same."""

import numpy as np
from hypothesis import strategies as st

from keypose.curves.key import Key, Turn
from keypose.curves.orientation import Orientation
from keypose.curves.path.motion_path import MotionPath
from keypose.maths import quaternion

SIZES = st.one_of(st.integers(2, 12), st.sampled_from([130, 256, 257, 300, 513, 700]))


def turned(degrees, about="y"):
    return Orientation.turned(degrees, about)


def angle_between(one, two):
    """Degrees between orientations (…, 4), also small ones."""
    turn = quaternion.multiply(one, quaternion.conjugate(two))
    return np.degrees(2 * np.arctan2(np.linalg.norm(turn[..., 1:], axis=-1), np.abs(turn[..., 0])))


def random_keys(rng, count, *, timed="none", faced="none", shaped=True, by_hand=False, turning=False):
    """Keys that say a bit of everything. `timed`, `faced`: none, some or all of them."""
    share = {"none": 0.0, "some": 0.6, "all": 1.0}
    keys = []
    for index in range(count):
        options = {"name": f"k{index}"} if rng.random() < 0.3 else {}
        if rng.random() < share[timed]:
            options["time"] = index + rng.uniform(0, 0.9)
        if rng.random() < share[faced]:
            facing = quaternion.normalize(rng.normal(size=4))
            options["orientation"] = Turn(facing, tension=0.3) if rng.random() < 0.2 else facing
        if shaped and rng.random() < 0.4:
            options |= dict(zip(("tension", "continuity", "bias"), rng.uniform(-1, 1, 3), strict=True))
        only_turns = turning and "orientation" in options and rng.random() < 0.4 and index > 1
        if by_hand and not only_turns and rng.random() < 0.3:
            options["leave"] = rng.normal(size=2)
        keys.append(Key(None if only_turns else rng.normal(size=2), **options))
    return keys


@st.composite
def paths(draw, sizes=SIZES, turning=False):
    """Open and closed paths of every rule, timed or not, with and without facings."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    timed = draw(st.sampled_from(["none", "some", "all"]))
    faced = draw(st.sampled_from(["none", "some", "all"]))
    rules = [None, "none", "length", "unit"] + (["time", "velocity"] if timed == "all" else [])
    style = {
        "adjust": draw(st.sampled_from(rules)),
        "ends": draw(st.sampled_from(["reflect", "still", "zero-chord"])),
        "closed": draw(st.booleans()),
        "bias": 0.2,
    }
    count = draw(sizes)
    keys = random_keys(rng, count, timed=timed, faced=faced, by_hand=draw(st.booleans()), turning=turning)
    path = MotionPath(keys, **style)
    if draw(st.booleans()):
        path.length  # noqa: B018  measured paths hand their rulers on
    return path, keys, style, rng
