"""What does a page need to know of the scene, in words? And where is everybody now, in numbers?"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from keypose.curves import Effect, MotionPath
from keypose.curves import effects as built_in
from keypose.document import FACINGS, LOOKS, key_objects
from keypose.errors import short_repr
from keypose.fields import DynamicSpline
from keypose.maths import Floats
from keypose.motion import Motion, RecordedMotion
from keypose.physics import Follow
from keypose.stage import Actor, Camera, SceneStyle, find_follower
from keypose.studio.edits.bodies import body_of
from keypose.studio.edits.key_times import pinned_flags
from keypose.studio.edits.orientations import euler_degrees
from keypose.studio.edits.rough_path import rough_path_of
from keypose.studio.present.bodies import body_view, follow_view, initial_state_view
from keypose.studio.present.fields import field_views, sense_views, spline_view
from keypose.studio.present.figures import connection_views, driven_links, link_views
from keypose.studio.present.relative_paths import relative_path_arrays
from keypose.studio.present.rough_paths import key_passing_times
from keypose.studio.preview.meetings import meeting_views
from keypose.studio.preview.preview import Preview
from keypose.studio.protocol.updates.updates import (
    ActorView,
    Array,
    KeyView,
    Poses,
    Scene,
    SpeedView,
    Step,
    pack_update,
)
from keypose.timing import SpeedClock, SpeedProfile

BUILT_IN_EFFECTS = {name: one for name, one in vars(built_in).items() if isinstance(one, Effect)}
NO_POSITION = np.full(3, np.nan)
SHAPING = ("tension", "continuity", "bias")


def scene_view(
    preview: Preview,
    changed_actors: Collection[str],
    is_full: bool,
    revisions: tuple[int, int],
    steps: Step,
    file: str | None,
    is_saved: bool,
) -> Scene:
    """The document in words: everything, or only the actors that changed. Of `revisions` the first opened it."""
    stage = preview.stage
    shown_actors = [actor for actor in stage.actors if is_full or actor.name in changed_actors]
    effects = named_effects(stage.style)
    return Scene(
        revision=revisions[1],
        opened_at=revisions[0],
        is_complete=is_full,
        actors=tuple(actor_view(actor, preview, effects) for actor in shown_actors),
        order=stage.names,
        steps=steps,
        file=file,
        is_saved=is_saved,
        duration=preview.duration,
        effects={name: _effect_numbers(effect) for name, effect in effects.items()},
        fields=field_views(stage),
        links=link_views(stage),
        driven=tuple(actor_view(stage[name], preview, effects) for name in driven_links(stage)),
        connections=connection_views(preview),
        gravity=stage.gravity,
        meetings=meeting_views(stage),
    )


def named_effects(style: SceneStyle) -> dict[str, Effect]:
    """The built-in effects and the scene's own."""
    return {**BUILT_IN_EFFECTS, **style.effects}


def actor_view(actor: Actor, preview: Preview, effects: Mapping[str, Effect]) -> ActorView:
    """An actor in words."""
    motion, owner = actor.motion, f"Actor {short_repr(actor.name)}"
    rough_path = rough_path_of(preview.stage, actor.name)
    path = rough_path if motion is None else None if isinstance(motion, RecordedMotion) else motion.spec[0]
    shape = preview.shape(actor.name)
    camera = actor.look if isinstance(actor.look, Camera) else None
    return ActorView(
        name=actor.name,
        kind="mover" if motion is None else "recorded" if path is None else "motion",
        parent=actor.parent,
        facing=None if actor.facing is None else FACINGS.to_object(actor.facing, owner),
        look=LOOKS.to_object(camera, owner) if camera else actor.look if isinstance(actor.look, str) else None,
        is_camera=camera is not None,
        fov=camera.fov if camera else None,
        points=shape[0] if len(shape) == 2 else 0,
        dimension=shape[-1],
        path={} if path is None else path.options.non_defaults(),
        closed=path is not None and path.closed,
        keys=() if path is None else key_views(actor, path, preview, effects),
        speed=speed_view(actor.name, motion, preview),
        span=(0.0, preview.take_duration) if motion is None else motion.span,
        outside="hold" if motion is None else motion.outside,
        spline=spline_view(actor.mover) if isinstance(actor.mover, DynamicSpline) else None,
        body=body_view(body_of(actor)),
        follow=follow_view(actor.mover),
        is_driven=rough_path is not None and not isinstance(actor.mover, Follow),
        start=initial_state_view(actor.mover),
        senses=sense_views(actor.mover),
        warnings=preview.warnings(actor.name),
    )


def key_views(actor: Actor, path: MotionPath, preview: Preview, effects: Mapping[str, Effect]) -> tuple[KeyView, ...]:
    """The keys of a path in words, and when they are passed."""
    times, pinned = _key_passing_times(actor, preview)
    specs = key_objects(path.keys, preview.stage.style.names)
    shaping = _key_tcb(path).tolist()
    arrive, leave = (path.keys.column(side) for side in ("arrive", "leave"))
    manual = zip(_set_flags(arrive, len(path)), _set_flags(leave, len(path)), strict=True)
    chords = zip(_chord_flags(arrive, len(path)), _chord_flags(leave, len(path)), strict=True)
    names = _effect_names(effects)
    facings = path.keys.column("facing")
    degrees = [None] * len(path) if facings is None else euler_degrees(facings).tolist()
    return tuple(
        KeyView(
            spec=spec,
            time=time,
            tension=tcb[0],
            continuity=tcb[1],
            bias=tcb[2],
            is_manual=is_manual,
            is_pinned=is_fixed,
            effect=names.get((*tcb, by_chord == (True, True))) if is_manual == by_chord else None,
            degrees=tuple(angles) if "orientation" in spec else None,
        )
        for spec, time, tcb, is_manual, by_chord, angles, is_fixed in zip(
            specs, times.tolist(), shaping, manual, chords, degrees, pinned, strict=True
        )
    )


def _key_passing_times(actor: Actor, preview: Preview) -> tuple[Floats, Sequence[bool]]:
    """When the keys of an actor are passed [s], and whether that is fixed."""
    follower = find_follower(preview.stage, actor.name)
    if follower is not None:
        times = key_passing_times(preview, actor.name, follower)
        return times, [False] * len(times)
    assert actor.motion is not None
    return preview.key_times(actor.name, actor.motion), pinned_flags(actor.motion)


def speed_view(name: str, motion: Motion | None, preview: Preview) -> SpeedView:
    """How a motion is travelled, in words."""
    if motion is None:
        return SpeedView(kind="mover")
    if isinstance(motion, RecordedMotion):
        return SpeedView(kind="recorded")
    if not isinstance(motion.clock, SpeedClock):
        first, last = motion.span
        fractions = (preview.key_times(name, motion) - first) / (last - first)
        return SpeedView(kind="times", x=tuple(fractions.tolist()))
    if not isinstance(motion.timing, SpeedProfile):
        return SpeedView(kind="steady", x=(0.0, 1.0), values=(1.0, 1.0))
    kind: Literal["drawn", "through"] = "drawn" if motion.timing.kind == "b-spline" else "through"
    positions, values = motion.timing.places.tolist(), motion.timing.values.tolist()
    return SpeedView(kind=kind, x=tuple(positions), values=tuple(values))


def pack_poses(preview: Preview, t: float, revision: int) -> bytes:
    """Where everybody is at a moment [s], packed."""
    rows, points = preview.all_poses(t)
    arrays = {"poses": rows, "points": np.concatenate(points) if points else np.empty((0, 3))}
    arrays["fields"] = preview.handles.at(rows)
    targets = preview.targets(t)
    if targets:
        arrays["targets"] = np.array([targets.get(name, NO_POSITION) for name in preview.stage.names])
    arrays |= relative_path_arrays(preview, t)
    layout, data = pack_arrays(arrays)
    return pack_update(Poses(time=t, revision=revision, arrays=layout), data)


def pack_arrays(arrays: Mapping[str, Floats]) -> tuple[tuple[Array, ...], bytes]:
    """Arrays one behind the other as float32, and where each of them lies."""
    heads: list[Array] = []
    data = np.empty(sum(values.size for values in arrays.values()), dtype="<f4")
    begin = 0
    with np.errstate(over="ignore"):  # what is farther than float32 reaches is drawn nowhere
        for name, values in arrays.items():
            heads.append(Array(name=name, shape=values.shape, begin=begin))
            end = begin + values.size
            data[begin:end].reshape(values.shape)[...] = values
            begin = end
    return tuple(heads), data.tobytes()


def encode_json(view: msgspec.Struct) -> bytes:
    """Words as they are sent."""
    return _ENCODER.encode(view)


_ENCODER = msgspec.json.Encoder(enc_hook=lambda value: short_repr(value))


def _key_tcb(path: MotionPath) -> Floats:
    """Tension, continuity and bias that hold at each key, (keys, 3)."""
    path_tcb = np.broadcast_to(np.array(path.options.tcb), (len(path), 3))
    key_tcb = path.keys.column("tcb")
    return path_tcb if key_tcb is None else np.where(np.isnan(key_tcb), path_tcb, key_tcb)


def _set_flags(tangents: NDArray[Any] | None, count: int) -> Sequence[bool]:
    if tangents is None:
        return [False] * count
    set_here: list[bool] = (~np.isnan(tangents.reshape(count, -1)[:, 0])).tolist()
    return set_here


def _chord_flags(tangents: NDArray[Any] | None, count: int) -> Sequence[bool]:
    if tangents is None:
        return [False] * count
    chord: list[bool] = np.isinf(tangents.reshape(count, -1)[:, 0]).tolist()
    return chord


def _effect_names(effects: Mapping[str, Effect]) -> dict[tuple[Any, ...], str]:
    """Effects by their values; one that says nothing is no effect."""
    found = {(*(one[option] for option in SHAPING), "arrive" in one): name for name, one in effects.items()}
    found.pop((0.0, 0.0, 0.0, False), None)
    return found


def _effect_numbers(effect: Effect) -> dict[str, float]:
    return {option: float(effect[option]) for option in SHAPING}
