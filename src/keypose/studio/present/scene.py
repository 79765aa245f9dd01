"""What does a page need to know of the scene, in words? And where is everybody now, in numbers?"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from keypose.curves import effects as built_in
from keypose.curves.effects import Effect
from keypose.curves.path.motion_path import MotionPath
from keypose.document.actors import FACINGS, LOOKS
from keypose.document.motion.key_objects import key_objects
from keypose.errors import shown
from keypose.fields.splines.dynamic_spline import DynamicSpline
from keypose.maths.arrays import Floats
from keypose.motion.motion import Motion
from keypose.motion.take import Recorded
from keypose.physics.values.movers import Follow
from keypose.stage.actor import Actor, Camera
from keypose.stage.followers import racer
from keypose.stage.scene_style import SceneStyle
from keypose.studio.edits.bodies import body_of
from keypose.studio.edits.key_times import is_pinned
from keypose.studio.edits.orientations import degrees_of
from keypose.studio.edits.rough_path import raced_along
from keypose.studio.present.bodies import beginning_view, body_view, follow_view
from keypose.studio.present.fields import field_views, sense_views, spline_view
from keypose.studio.present.figures import connection_views, led_links, link_views
from keypose.studio.present.relative_paths import bent_arrays
from keypose.studio.present.rough_paths import passed_at
from keypose.studio.preview.meetings import meeting_views
from keypose.studio.preview.preview import Film
from keypose.studio.protocol.updates.updates import ActorView, Array, KeyView, Poses, Scene, SpeedView, Step, packed
from keypose.timing.clocks import Pacing
from keypose.timing.speed_profile import SpeedProfile

EFFECTS = {name: one for name, one in vars(built_in).items() if isinstance(one, Effect)}
NOWHERE = np.full(3, np.nan)
SHAPING = ("tension", "continuity", "bias")


def scene_view(
    film: Film,
    changed: Collection[str],
    whole: bool,
    revisions: tuple[int, int],
    steps: Step,
    file: str | None,
    is_saved: bool,
) -> Scene:
    """The document in words: everything, or only the actors that changed. Of `revisions` the first opened it."""
    stage = film.stage
    shown_actors = [actor for actor in stage.actors if whole or actor.name in changed]
    named = named_effects(stage.style)
    return Scene(
        revision=revisions[1],
        opened_at=revisions[0],
        whole=whole,
        actors=tuple(actor_view(actor, film, named) for actor in shown_actors),
        order=stage.names,
        steps=steps,
        file=file,
        is_saved=is_saved,
        duration=film.duration,
        effects={name: _numbers(effect) for name, effect in named.items()},
        fields=field_views(stage),
        links=link_views(stage),
        led=tuple(actor_view(stage[name], film, named) for name in led_links(stage)),
        connections=connection_views(film),
        gravity=stage.gravity,
        meetings=meeting_views(stage),
    )


def named_effects(style: SceneStyle) -> dict[str, Effect]:
    """The built-in effects and the scene's own."""
    return {**EFFECTS, **style.effects}


def actor_view(actor: Actor, film: Film, effects: Mapping[str, Effect]) -> ActorView:
    """An actor in words."""
    motion, whose = actor.motion, f"Actor {shown(actor.name)}"
    rough = raced_along(film.stage, actor.name)
    path = rough if motion is None else None if isinstance(motion, Recorded) else motion.said[0]
    shape = film.shape(actor.name)
    camera = actor.look if isinstance(actor.look, Camera) else None
    return ActorView(
        name=actor.name,
        kind="mover" if motion is None else "recorded" if path is None else "motion",
        parent=actor.parent,
        facing=None if actor.facing is None else FACINGS.said(actor.facing, whose),
        look=LOOKS.said(camera, whose) if camera else actor.look if isinstance(actor.look, str) else None,
        is_camera=camera is not None,
        fov=camera.fov if camera else None,
        points=shape[0] if len(shape) == 2 else 0,
        dimension=shape[-1],
        path={} if path is None else path.style.said(),
        closed=path is not None and path.closed,
        keys=() if path is None else key_views(actor, path, film, effects),
        speed=speed_view(actor.name, motion, film),
        span=(0.0, film.take_seconds) if motion is None else motion.span,
        outside="hold" if motion is None else motion.outside,
        spline=spline_view(actor.mover) if isinstance(actor.mover, DynamicSpline) else None,
        body=body_view(body_of(actor)),
        follow=follow_view(actor.mover),
        is_led=rough is not None and not isinstance(actor.mover, Follow),
        beginning=beginning_view(actor.mover),
        senses=sense_views(actor.mover),
        warnings=film.warnings(actor.name),
    )


def key_views(actor: Actor, path: MotionPath, film: Film, effects: Mapping[str, Effect]) -> tuple[KeyView, ...]:
    """The keys of a path in words, and when they are passed."""
    times, pinned = _passed(actor, film)
    said = key_objects(path.keys, film.stage.style.names)
    shaping = _shaping(path).tolist()
    arrive, leave = (path.keys.column(side) for side in ("arrive", "leave"))
    manual = zip(_is_set(arrive, len(path)), _is_set(leave, len(path)), strict=True)
    chords = zip(_is_chord(arrive, len(path)), _is_chord(leave, len(path)), strict=True)
    names = _names(effects)
    facings = path.keys.column("facing")
    degrees = [None] * len(path) if facings is None else degrees_of(facings).tolist()
    return tuple(
        KeyView(
            said=words,
            time=time,
            tension=tcb[0],
            continuity=tcb[1],
            bias=tcb[2],
            manual=by_hand,
            pinned=is_fixed,
            effect=names.get((*tcb, by_chord == (True, True))) if by_hand == by_chord else None,
            facing=tuple(angles) if "orientation" in words else None,
        )
        for words, time, tcb, by_hand, by_chord, angles, is_fixed in zip(
            said, times.tolist(), shaping, manual, chords, degrees, pinned, strict=True
        )
    )


def _passed(actor: Actor, film: Film) -> tuple[Floats, Sequence[bool]]:
    """When the keys of an actor are passed [s], and whether that is fixed."""
    racing = racer(film.stage, actor.name)
    if racing is not None:
        times = passed_at(film, actor.name, racing)
        return times, [False] * len(times)
    assert actor.motion is not None
    return film.key_times(actor.name, actor.motion), is_pinned(actor.motion)


def speed_view(name: str, motion: Motion | None, film: Film) -> SpeedView:
    """How a motion is travelled, in words."""
    if motion is None:
        return SpeedView(kind="mover")
    if isinstance(motion, Recorded):
        return SpeedView(kind="recorded")
    if not isinstance(motion.clock, Pacing):
        first, last = motion.span
        share = (film.key_times(name, motion) - first) / (last - first)
        return SpeedView(kind="times", places=tuple(share.tolist()))
    if not isinstance(motion.timing, SpeedProfile):
        return SpeedView(kind="steady", places=(0.0, 1.0), values=(1.0, 1.0))
    kind: Literal["drawn", "through"] = "drawn" if motion.timing.kind == "b-spline" else "through"
    places, values = motion.timing.places.tolist(), motion.timing.values.tolist()
    return SpeedView(kind=kind, places=tuple(places), values=tuple(values))


def poses_at(film: Film, t: float, revision: int) -> bytes:
    """Where everybody is at a moment [s], packed."""
    rows, points = film.everybody(t)
    arrays = {"poses": rows, "points": np.concatenate(points) if points else np.empty((0, 3))}
    arrays["fields"] = film.handles.at(rows)
    targets = film.targets(t)
    if targets:
        arrays["targets"] = np.array([targets.get(name, NOWHERE) for name in film.stage.names])
    arrays |= bent_arrays(film, t)
    laid, numbers = laid_out(arrays)
    return packed(Poses(time=t, revision=revision, arrays=laid), numbers)


def laid_out(arrays: Mapping[str, Floats]) -> tuple[tuple[Array, ...], bytes]:
    """Arrays one behind the other as float32, and where each of them lies."""
    heads: list[Array] = []
    numbers = np.empty(sum(values.size for values in arrays.values()), dtype="<f4")
    begin = 0
    with np.errstate(over="ignore"):  # what is farther than float32 reaches is drawn nowhere
        for name, values in arrays.items():
            heads.append(Array(name=name, shape=values.shape, begin=begin))
            end = begin + values.size
            numbers[begin:end].reshape(values.shape)[...] = values
            begin = end
    return tuple(heads), numbers.tobytes()


def encoded(view: msgspec.Struct) -> bytes:
    """Words as they are sent."""
    return _ENCODER.encode(view)


_ENCODER = msgspec.json.Encoder(enc_hook=lambda value: shown(value))


def _shaping(path: MotionPath) -> Floats:
    """Tension, continuity and bias that hold at each key, (keys, 3)."""
    usual = np.broadcast_to(np.array(path.style.shaping), (len(path), 3))
    said = path.keys.column("tcb")
    return usual if said is None else np.where(np.isnan(said), usual, said)


def _is_set(tangents: NDArray[Any] | None, count: int) -> Sequence[bool]:
    if tangents is None:
        return [False] * count
    set_here: list[bool] = (~np.isnan(tangents.reshape(count, -1)[:, 0])).tolist()
    return set_here


def _is_chord(tangents: NDArray[Any] | None, count: int) -> Sequence[bool]:
    if tangents is None:
        return [False] * count
    chord: list[bool] = np.isinf(tangents.reshape(count, -1)[:, 0]).tolist()
    return chord


def _names(effects: Mapping[str, Effect]) -> dict[tuple[Any, ...], str]:
    """Effects by their values; one that says nothing is no effect."""
    found = {(*(one[word] for word in SHAPING), "arrive" in one): name for name, one in effects.items()}
    found.pop((0.0, 0.0, 0.0, False), None)
    return found


def _numbers(effect: Effect) -> dict[str, float]:
    return {word: float(effect[word]) for word in SHAPING}
