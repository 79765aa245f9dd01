"""How does a motion run in time? Its speed profile, its time bar, its hodograph, its curvature (BH89 §4, §6)."""

from typing import TYPE_CHECKING

import numpy as np

from keypose.curves import MotionPath, OrientationPath
from keypose.maths import Floats
from keypose.motion import Motion
from keypose.plot.canvas.curve_samples import (
    curvature,
    interval_samples,
    join_strokes,
    motion_sample_times,
    refine_samples,
    samples_per_segment,
    segment_parameters,
)
from keypose.plot.canvas.theme import Palette, set_up_diagram_axes
from keypose.plot.canvas.views import View
from keypose.timing import SpeedProfile

if TYPE_CHECKING:
    from matplotlib.axes import Axes


CURVATURE_TOLERANCE = 1e-6  # a curvature so small over a whole length is rounding
TURN_RATE_TOLERANCE = 1e-6  # degrees: a turn so small is rounding
HEADROOM = 1.12  # a curve does not touch the top of its diagram
SIDE_MARGIN = 0.01  # of the width, so that the first and the last key are seen
MIN_TOP = 1e-200
MAX_STRONG_KEY_LINES = 24  # more lines than this stand back


def draw_profile(ax: "Axes", profile: SpeedProfile, palette: Palette, title: str = "speed profile") -> None:
    """The drawn curve over its control values, as the animator handles them."""
    set_up_diagram_axes(ax, palette, title, "share of the duration", "relative speed")
    x = np.linspace(0, 1, 401)
    y = profile.at(x)
    ax.fill_between(x, y, color=palette.speed, alpha=0.16, linewidth=0, zorder=1)
    ax.plot(x, y, color=palette.speed, linewidth=1.8, zorder=3)
    _draw_handles(ax, profile, profile.places, profile.values, palette)
    _set_limits(ax, (0.0, 1.0), max(float(profile.values.max()), float(y.max())))


def draw_speed(ax: "Axes", motion: Motion, palette: Palette, unit: str = "m/s") -> None:
    """Speed over time, lifted where it jumps, with the moment of each key and the control values of a drawn profile."""
    set_up_diagram_axes(ax, palette, "speed", "time [s]", unit)
    times = refine_samples(motion_sample_times(motion), lambda t: motion.speed(t)[:, None])
    lines = join_strokes(np.stack([t, motion.speed(t)], axis=-1) for t in times)
    top = max(float(stroke[:, 1].max()) for stroke in lines)
    profile = motion.timing if isinstance(motion.timing, SpeedProfile) else None
    if profile is not None and not motion.capture:
        values = profile.values * (motion.path.length / (profile.total * motion.duration))
        _draw_handles(ax, profile, motion.span[0] + profile.places * motion.duration, values, palette)
        top = max(top, float(values.max()))
    for stroke in lines:
        ax.plot(*stroke.T, color=palette.speed, linewidth=1.8, zorder=3)
    _draw_key_lines(ax, motion.key_times, palette)
    _set_limits(ax, motion.span, top)


def draw_time_bar(ax: "Axes", motion: Motion, palette: Palette, fps: float = 24, title: str = "") -> None:
    """A stripe per frame, placed by the distance covered; keys below (BH89 fig. 7)."""
    stripes, length = motion.time_bar(fps), motion.path.length or 1.0
    ax.set_facecolor(palette.paper)
    ax.vlines(stripes / length, 0.0, 1.0, color=palette.ink, linewidth=0.9, zorder=3)
    key_positions = motion.path.distance(np.arange(float(len(motion.path)))) / length
    ax.plot(
        key_positions, np.full(len(key_positions), -0.34), "^", color=palette.key, markersize=5, clip_on=False, zorder=4
    )
    ax.set_xlim(-0.01, 1.01)
    ax.set_ylim(-0.6, 1.1)
    ax.set_yticks([])
    ax.set_xticks([])
    for spine in ax.spines.values():
        spine.set_visible(False)
    title = title or f"time bar: a stripe per frame at {fps:g} fps, by distance"
    ax.set_title(title, loc="left", fontsize=9, color=palette.ink, pad=4)


def draw_hodograph(ax: "Axes", motion_or_path: Motion | MotionPath, view: View, palette: Palette) -> None:
    """Where the tip of the velocity goes: a jump of velocity is a gap here, a smooth motion one stroke."""
    unit = "m/s" if isinstance(motion_or_path, Motion) else "m per key"
    set_up_diagram_axes(
        ax, palette, f"hodograph, {view.name}" if view.name else "hodograph", f"velocity {view.x_label} [{unit}]", ""
    )
    ax.set_ylabel(view.y_label, fontsize=7.5, color=palette.quiet, rotation=0, ha="right", va="center")

    def tip(parameters: Floats) -> Floats:
        velocity = motion_or_path.velocity(parameters)
        return view.project(velocity.mean(axis=1) if velocity.ndim == 3 else velocity)  # of a drawing its middle

    parameters = (
        motion_sample_times(motion_or_path)
        if isinstance(motion_or_path, Motion)
        else segment_parameters(motion_or_path)
    )
    for stroke in join_strokes((tip(interval) for interval in refine_samples(parameters, tip)), same_unit=True):
        ax.plot(*stroke.T, color=palette.path, linewidth=1.4, zorder=3)
        ax.plot(*stroke[[0, -1]].T, "o", color=palette.path, markersize=3, markerfacecolor=palette.paper, zorder=4)
    ax.plot(0, 0, "+", color=palette.ink, markersize=8, zorder=5)
    ax.set_aspect("equal", adjustable="datalim")


def draw_curvature(ax: "Axes", path: MotionPath, palette: Palette) -> None:
    """Curvature over distance, lifted where it jumps; a stop or a corner leaves a gap."""
    set_up_diagram_axes(ax, palette, "curvature", "distance [m]", "1/m")
    u = segment_parameters(path, samples_per_segment(path.segments))
    k = curvature(path, u)
    k = np.where(k * path.length < CURVATURE_TOLERANCE, 0.0, k)
    for stroke in join_strokes(np.stack([path.distance(u), k], axis=-1)):
        ax.plot(*stroke.T, color=palette.other, linewidth=1.5, zorder=3)
    _draw_key_lines(ax, path.distance(np.arange(float(len(path)))), palette)
    _set_limits(ax, (0.0, path.length), _clipped_top(k))


def draw_turn_rate(ax: "Axes", motion_or_path: Motion | MotionPath | OrientationPath, palette: Palette) -> None:
    """How fast it turns, over time or over the keys, lifted where that jumps."""
    if isinstance(motion_or_path, Motion):
        parameters, span, keys = motion_sample_times(motion_or_path), motion_or_path.span, motion_or_path.key_times
        set_up_diagram_axes(ax, palette, "turning", "time [s]", "°/s")
    else:
        span = (0.0, float(motion_or_path.segments))
        parameters, keys = interval_samples(np.arange(span[1] + 1), 64), np.arange(float(len(motion_or_path)))
        set_up_diagram_axes(ax, palette, "turning", "key", "° per key")
    rate = np.degrees(np.linalg.norm(motion_or_path.angular_velocity(parameters), axis=-1))
    rate = np.where(rate < TURN_RATE_TOLERANCE, 0.0, rate)
    for stroke in join_strokes(np.stack([parameters, rate], axis=-1)):
        ax.plot(*stroke.T, color=palette.other, linewidth=1.5, zorder=3)
    _draw_key_lines(ax, keys, palette)
    _set_limits(ax, span, _clipped_top(rate))


def _draw_handles(ax: "Axes", profile: SpeedProfile, x: Floats, y: Floats, palette: Palette) -> None:
    """Control values as open dots; those of a B-spline are joined by the polygon that pulls it."""
    if profile.kind == "b-spline":
        ax.plot(x, y, color=palette.quiet, linestyle=(0, (2, 2)), linewidth=0.8, zorder=2)
    ax.plot(x, y, "o", color=palette.ink, markersize=4.5, markerfacecolor=palette.paper, clip_on=False, zorder=4)


def _draw_key_lines(ax: "Axes", positions: Floats, palette: Palette) -> None:
    """A dashed line for each key."""
    alpha = min(1.0, MAX_STRONG_KEY_LINES / len(positions))
    lines = ax.vlines(
        positions, 0, 1, palette.key, (0, (2, 2)), transform=ax.get_xaxis_transform(), alpha=alpha, zorder=2
    )
    lines.set_linewidth(0.8)


def _clipped_top(values: Floats) -> float:
    """The top of nearly all values: the sharpest bend may be hundreds of times sharper than the others, and is cut."""
    finite = np.append(values[np.isfinite(values)], 0.0)
    return min(float(np.quantile(finite, 0.97)) * 1.6, float(finite.max()))


def _set_limits(ax: "Axes", span: tuple[float, float], top: float) -> None:
    """All of the span and from zero to above the top, also where nothing happens."""
    begin, end = span
    room = SIDE_MARGIN * (end - begin or 1.0)
    ax.set_xlim(begin - room, end + room)
    ax.set_ylim(0, HEADROOM * top if top > MIN_TOP else 1.0)
