"""Warnings about a scene that can be shot although a value has no effect, or is far beyond the usual."""

import re
from collections.abc import Iterator

import numpy as np

from keypose.curves import MotionPath
from keypose.errors import did_you_mean, short_repr
from keypose.motion import Motion, RecordedMotion
from keypose.stage import Stage, find_followers
from keypose.timing import SpeedProfile

USUAL_TCB = 5.0  # of tension, continuity and bias, whose scale is -1 … 1: beyond it a curve swings far out

COLOR_NAMES = """
    aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
    cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod
    darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon
    darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray
    dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green
    greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon
    lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon
    lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta
    maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen
    mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive
    olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru
    pink plum powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen
    seashell sienna silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato
    turquoise violet wheat white whitesmoke yellow yellowgreen
"""
CSS_COLORS = frozenset(COLOR_NAMES.split())
COLOR_NOTATION = re.compile(
    r"#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})"  # hexadecimal
    r"|(rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(.+\)"  # functions of CSS
    r"|(tab|xkcd):.+|c\d+|[bgrcmykw]|[01]?\.\d+",  # of matplotlib
    re.IGNORECASE,
)


def color_warnings(stage: Stage) -> Iterator[str]:
    """Actors whose look is a text but no colour."""
    for actor in stage.actors:
        look = actor.look
        if isinstance(look, str) and look.lower() not in CSS_COLORS and not COLOR_NOTATION.fullmatch(look):
            near = did_you_mean(look.lower(), CSS_COLORS)
            remedy = near if near.startswith(" Did") else ' Give a colour as "gold" or "#ffcc00".'
            yield f"{actor.name}: Its look {short_repr(look)} is no colour, so it gets one of the palette.{remedy}"


def tension_warnings(stage: Stage) -> Iterator[str]:
    """Paths with a tension, continuity or bias far beyond the scale."""
    paths = {actor.name: motion.spec[0] for actor in stage.actors if (motion := _keyed_motion(actor.motion))}
    for name, path in (paths | {name: follower.path for name, follower in find_followers(stage)}).items():
        found = list(_extreme_values(path))
        if found:
            rest = f" … and {len(found) - 1:,} more" if len(found) > 1 else ""
            yield (
                f"{name}: {found[0]}{rest}, far beyond the scale of -1 … 1: the curve swings far out. "
                "Give values near the scale."
            )


def _extreme_values(path: MotionPath) -> Iterator[str]:
    """The values beyond the usual in words, those of the path first."""
    words = ("tension", "continuity", "bias")
    for word in words:
        value = getattr(path.options, word)
        if abs(value) > USUAL_TCB:
            yield f"Its path has {word} {value:g}"
    for column_name, owner in (("tcb", "key"), ("turn_tcb", "the orientation of key")):
        column = path.keys.column(column_name)
        if column is not None:
            for key, number in np.argwhere(np.abs(column) > USUAL_TCB).tolist():
                yield f"{owner[0].upper()}{owner[1:]} {key} has {words[number]} {column[key, number]:g}"


def ignored_time_warnings(stage: Stage) -> Iterator[str]:
    """Motions by a drawn speed whose keys have times."""
    for actor in stage.actors:
        motion = _keyed_motion(actor.motion)
        if motion is None or not isinstance(motion.timing, SpeedProfile):
            continue
        path, _, duration, _, capture, _ = motion.spec
        times = path.keys.column("time")
        if times is None:
            continue
        ignored = set(np.flatnonzero(~np.isnan(times)).tolist()) - {path.keys.index(key) for key, _ in capture}
        if duration is None:  # then the first and the last time give it
            ignored -= {0, len(path) - 1}
        if ignored:
            first = min(ignored)
            rest = f" and those of {len(ignored) - 1:,} more keys" if len(ignored) > 1 else ""
            yield (
                f"{actor.name}: The time {times[first]:g} s of key {first}{rest} is ignored, since the motion goes by "
                "a drawn speed. Leave the timing out, or put the key into capture."
            )


def _keyed_motion(motion: Motion | None) -> Motion | None:
    return None if isinstance(motion, RecordedMotion) else motion
