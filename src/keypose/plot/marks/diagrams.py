"""How does a motion run in time? Its speed profile, its time bar, its hodograph, its curvature (BH89 §4, §6)."""

from typing import TYPE_CHECKING

import numpy as np

from keypose.curves.orientation_path import OrientationPath
from keypose.curves.path.motion_path import MotionPath
from keypose.maths.arrays import Floats
from keypose.motion.motion import Motion
from keypose.plot.canvas.curve_samples import (
    curvature,
    finely,
    moments,
    refined,
    segment_parameters,
    stretches,
    strokes,
)
from keypose.plot.canvas.theme import Look, framed
from keypose.plot.canvas.views import View
from keypose.timing.speed_profile import SpeedProfile

if TYPE_CHECKING:
    from matplotlib.axes import Axes


STRAIGHT = 1e-6  # a curvature so small over a whole length is rounding
STEADY = 1e-6  # degrees: a turn so small is rounding
HEADROOM = 1.12  # a curve does not touch the top of its diagram
SIDE_ROOM = 0.01  # of the width, so that the first and the last key are seen
NOTHING = 1e-200
MANY_KEYS = 24  # more lines than this stand back


def profile(ax: "Axes", speeds: SpeedProfile, look: Look, title: str = "speed profile") -> None:
    """The drawn curve over its control values, as the animator handles them."""
    framed(ax, look, title, "share of the duration", "relative speed")
    x = np.linspace(0, 1, 401)
    y = speeds.at(x)
    ax.fill_between(x, y, color=look.speed, alpha=0.16, linewidth=0, zorder=1)
    ax.plot(x, y, color=look.speed, linewidth=1.8, zorder=3)
    _handles(ax, speeds, speeds.places, speeds.values, look)
    _limits(ax, (0.0, 1.0), max(float(speeds.values.max()), float(y.max())))


def speed(ax: "Axes", motion: Motion, look: Look, unit: str = "m/s") -> None:
    """Speed over time, lifted where it jumps, with the moment of each key and the control values of a drawn profile."""
    framed(ax, look, "speed", "time [s]", unit)
    times = refined(moments(motion), lambda t: motion.speed(t)[:, None])
    lines = strokes(np.stack([t, motion.speed(t)], axis=-1) for t in times)
    top = max(float(stroke[:, 1].max()) for stroke in lines)
    drawn = motion.timing if isinstance(motion.timing, SpeedProfile) else None
    if drawn is not None and not motion.captured:
        values = drawn.values * (motion.path.length / (drawn.total * motion.duration))
        _handles(ax, drawn, motion.span[0] + drawn.places * motion.duration, values, look)
        top = max(top, float(values.max()))
    for stroke in lines:
        ax.plot(*stroke.T, color=look.speed, linewidth=1.8, zorder=3)
    _key_lines(ax, motion.key_times, look)
    _limits(ax, motion.span, top)


def time_bar(ax: "Axes", motion: Motion, look: Look, fps: float = 24, title: str = "") -> None:
    """A stripe per frame, placed by the distance covered; keys below (BH89 fig. 7)."""
    stripes, length = motion.time_bar(fps), motion.path.length or 1.0
    ax.set_facecolor(look.paper)
    ax.vlines(stripes / length, 0.0, 1.0, color=look.ink, linewidth=0.9, zorder=3)
    reached = motion.path.distance(np.arange(float(len(motion.path)))) / length
    ax.plot(reached, np.full(len(reached), -0.34), "^", color=look.key, markersize=5, clip_on=False, zorder=4)
    ax.set_xlim(-0.01, 1.01)
    ax.set_ylim(-0.6, 1.1)
    ax.set_yticks([])
    ax.set_xticks([])
    for spine in ax.spines.values():
        spine.set_visible(False)
    title = title or f"time bar: a stripe per frame at {fps:g} fps, by distance"
    ax.set_title(title, loc="left", fontsize=9, color=look.ink, pad=4)


def hodograph(ax: "Axes", thing: Motion | MotionPath, view: View, look: Look) -> None:
    """Where the tip of the velocity goes: a jump of velocity is a gap here, a smooth motion one stroke."""
    unit = "m/s" if isinstance(thing, Motion) else "m per key"
    framed(ax, look, f"hodograph, {view.name}" if view.name else "hodograph", f"velocity {view.across} [{unit}]", "")
    ax.set_ylabel(view.up, fontsize=7.5, color=look.quiet, rotation=0, ha="right", va="center")

    def tip(at: Floats) -> Floats:
        velocity = thing.velocity(at)
        return view.onto_paper(velocity.mean(axis=1) if velocity.ndim == 3 else velocity)  # of a drawing its middle

    at = moments(thing) if isinstance(thing, Motion) else segment_parameters(thing)
    for stroke in strokes((tip(stretch) for stretch in refined(at, tip)), alike=True):
        ax.plot(*stroke.T, color=look.path, linewidth=1.4, zorder=3)
        ax.plot(*stroke[[0, -1]].T, "o", color=look.path, markersize=3, markerfacecolor=look.paper, zorder=4)
    ax.plot(0, 0, "+", color=look.ink, markersize=8, zorder=5)
    ax.set_aspect("equal", adjustable="datalim")


def bend(ax: "Axes", path: MotionPath, look: Look) -> None:
    """Curvature over distance, lifted where it jumps; a stop or a corner leaves a gap."""
    framed(ax, look, "curvature", "distance [m]", "1/m")
    u = segment_parameters(path, finely(path.segments))
    k = curvature(path, u)
    k = np.where(k * path.length < STRAIGHT, 0.0, k)
    for stroke in strokes(np.stack([path.distance(u), k], axis=-1)):
        ax.plot(*stroke.T, color=look.other, linewidth=1.5, zorder=3)
    _key_lines(ax, path.distance(np.arange(float(len(path)))), look)
    _limits(ax, (0.0, path.length), _cut(k))


def turning(ax: "Axes", thing: Motion | MotionPath | OrientationPath, look: Look) -> None:
    """How fast it turns, over time or over the keys, lifted where that jumps."""
    if isinstance(thing, Motion):
        at, span, keys = moments(thing), thing.span, thing.key_times
        framed(ax, look, "turning", "time [s]", "°/s")
    else:
        span = (0.0, float(thing.segments))
        at, keys = stretches(np.arange(span[1] + 1), 64), np.arange(float(len(thing)))
        framed(ax, look, "turning", "key", "° per key")
    rate = np.degrees(np.linalg.norm(thing.spin(at), axis=-1))
    rate = np.where(rate < STEADY, 0.0, rate)
    for stroke in strokes(np.stack([at, rate], axis=-1)):
        ax.plot(*stroke.T, color=look.other, linewidth=1.5, zorder=3)
    _key_lines(ax, keys, look)
    _limits(ax, span, _cut(rate))


def _handles(ax: "Axes", speeds: SpeedProfile, x: Floats, y: Floats, look: Look) -> None:
    """Control values as open dots; those of a B-spline are joined by the polygon that pulls it."""
    if speeds.kind == "b-spline":
        ax.plot(x, y, color=look.quiet, linestyle=(0, (2, 2)), linewidth=0.8, zorder=2)
    ax.plot(x, y, "o", color=look.ink, markersize=4.5, markerfacecolor=look.paper, clip_on=False, zorder=4)


def _key_lines(ax: "Axes", places: Floats, look: Look) -> None:
    """A dashed line for each key."""
    fading = min(1.0, MANY_KEYS / len(places))
    lines = ax.vlines(places, 0, 1, look.key, (0, (2, 2)), transform=ax.get_xaxis_transform(), alpha=fading, zorder=2)
    lines.set_linewidth(0.8)


def _cut(values: Floats) -> float:
    """The top of nearly all values: the sharpest bend may be hundreds of times sharper than the others, and is cut."""
    finite = np.append(values[np.isfinite(values)], 0.0)
    return min(float(np.quantile(finite, 0.97)) * 1.6, float(finite.max()))


def _limits(ax: "Axes", span: tuple[float, float], top: float) -> None:
    """All of the span and from zero to above the top, also where nothing happens."""
    begin, end = span
    room = SIDE_ROOM * (end - begin or 1.0)
    ax.set_xlim(begin - room, end + room)
    ax.set_ylim(0, HEADROOM * top if top > NOTHING else 1.0)
