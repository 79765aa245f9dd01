"""How does a motion run in time? Its speed profile, its time bar, its hodograph, its curvature (BH89 §4, §6)."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from keypose.curves.motion_path import MotionPath
from keypose.curves.orientation_path import OrientationPath
from keypose.motion.motion import Motion
from keypose.plot.look import Look, framed
from keypose.plot.samples import curvature, segment_parameters, strokes
from keypose.plot.views import View
from keypose.timing.speed_profile import SpeedProfile

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

STRAIGHT = 1e-6  # a curvature so small over a whole length is rounding


def profile(ax: "Axes", speeds: SpeedProfile, look: Look, title: str = "speed profile") -> None:
    """The drawn curve over its control values, as the animator handles them."""
    framed(ax, look, title, "share of the duration", "relative speed")
    x = np.linspace(0, 1, 401)
    y = speeds.at(x)
    ax.fill_between(x, y, color=look.speed, alpha=0.16, linewidth=0, zorder=1)
    ax.plot(x, y, color=look.speed, linewidth=1.8, zorder=3)
    dashes = {"linestyle": (0, (2, 2)), "linewidth": 0.8} if speeds.kind == "b-spline" else {"linestyle": "none"}
    ax.plot(speeds.places, speeds.values, color=look.quiet, zorder=2, **dashes)
    handles = speeds.places, speeds.values
    ax.plot(*handles, "o", color=look.ink, markersize=5, markerfacecolor=look.paper, clip_on=False, zorder=4)
    ax.set_xlim(-0.02, 1.02)
    ax.set_ylim(0, 1.12 * max(float(speeds.values.max()), float(y.max())))


def speed(ax: "Axes", motion: Motion, look: Look) -> None:
    """Speed over time, lifted where it jumps, with the moment of each key and the control values of a drawn profile."""
    framed(ax, look, "speed", "time [s]", "m/s")
    begin, end = motion.span
    drawn = motion.timing if isinstance(motion.timing, SpeedProfile) else None
    if drawn is not None and not motion.captured:
        scale = motion.path.length / (drawn.total * motion.duration)
        handles = begin + drawn.places * motion.duration, drawn.values * scale
        ax.plot(*handles, color=look.quiet, linestyle=(0, (2, 2)), linewidth=0.8, zorder=2)
        ax.plot(*handles, "o", color=look.ink, markersize=4.5, markerfacecolor=look.paper, clip_on=False, zorder=4)
    times = np.concatenate([[begin], motion.key_times[(motion.key_times > begin) & (motion.key_times < end)], [end]])
    times = times[np.append(True, np.diff(times) > 1e-9 * (end - begin))]
    share = np.linspace(1e-9, 1 - 1e-9, 121)
    t = times[:-1, None] + np.diff(times)[:, None] * share
    v = motion.speed(t)
    for stroke in strokes(t, v):
        ax.plot(*stroke.T, color=look.speed, linewidth=1.8, zorder=3)
    for moment in motion.key_times:
        ax.axvline(moment, color=look.key, linewidth=0.8, linestyle=(0, (2, 2)), zorder=2)
    ax.fill_between([begin, end], 0, 0)
    ax.set_xlim(begin, end)
    ax.set_ylim(0, None)


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
    path = thing.path if isinstance(thing, Motion) else thing
    unit = "m/s" if isinstance(thing, Motion) else "m per key"
    framed(ax, look, "hodograph", f"velocity {view.across or 'across'} [{unit}]", view.up or "up")
    u = segment_parameters(path, 64)
    if isinstance(thing, Motion):
        begin, end = thing.span
        times = np.append(thing.key_times, end) if path.closed else thing.key_times
        runs = np.diff(times)
        share = np.linspace(1e-9, 1 - 1e-9, 97)
        t = (times[:-1, None] + runs[:, None] * share)[runs > 1e-9 * (end - begin)]
        velocity = thing.velocity(t)
    else:
        velocity = path.velocity(u)
    if velocity.ndim == 4:
        velocity = velocity.mean(axis=2)
    tips = view.onto_paper(velocity)
    for stroke in strokes(tips[..., 0], tips[..., 1]):
        ax.plot(*stroke.T, color=look.path, linewidth=1.4, zorder=3)
        ax.plot(*stroke[[0, -1]].T, "o", color=look.path, markersize=3, markerfacecolor=look.paper, zorder=4)
    ax.plot(0, 0, "+", color=look.ink, markersize=8, zorder=5)
    ax.set_aspect("equal", adjustable="datalim")


def bend(ax: "Axes", path: MotionPath, look: Look) -> None:
    """Curvature over distance, lifted where it jumps; a stop or a corner leaves a gap."""
    framed(ax, look, "curvature", "distance [m]", "1/m")
    u = segment_parameters(path, 96)
    inner = np.clip(u, u[:, :1] + 1e-6, u[:, -1:] - 1e-6)
    k, d = curvature(path, inner), path.distance(inner)
    k = np.where(k * path.length < STRAIGHT, 0.0, k)
    finite = k[np.isfinite(k)]
    top = float(np.quantile(finite, 0.97)) * 1.6 if len(finite) else 1.0
    for stroke in strokes(d, np.where(np.isfinite(k), k, np.nan)):
        ax.plot(*stroke.T, color=look.other, linewidth=1.5, zorder=3)
    for reached in path.distance(np.arange(float(len(path)))):
        ax.axvline(reached, color=look.key, linewidth=0.8, linestyle=(0, (2, 2)), zorder=2)
    ax.set_xlim(0, path.length or 1.0)
    ax.set_ylim(0, top if top > 0 else 1.0)


def turning(ax: "Axes", turns: OrientationPath, look: Look) -> None:
    """How fast it turns over the keys, lifted where that jumps."""
    framed(ax, look, "turning", "key", "degrees per key")
    share = np.linspace(0, 1 - 1e-9, 65)
    v = np.arange(turns.segments)[:, None] + share
    rate = np.degrees(np.linalg.norm(turns.spin(v), axis=-1))
    for stroke in strokes(v, rate):
        ax.plot(*stroke.T, color=look.other, linewidth=1.5, zorder=3)
    ax.set_xlim(0, max(turns.segments, 1))
    ax.set_ylim(0, 1.12 * float(rate.max()) if rate.size and rate.max() > 0 else 1.0)
