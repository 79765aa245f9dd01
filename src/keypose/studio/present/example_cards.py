"""What is on the card of an example? Its trails, bodies and drawings, as the stage is seen at first.

They are drawn once, so that a start is quick:
`python -m keypose.studio.present.example_cards` draws `examples/pictures.json` anew; a test fails when it is out of
date.
"""

import math
from collections.abc import Iterator

import msgspec
import numpy as np

from keypose.maths.arrays import Floats
from keypose.motion.hierarchy import middle
from keypose.motion.pose import Pose
from keypose.motion.take import Recorded
from keypose.physics.values.connections import Reach
from keypose.plot.canvas.views import View
from keypose.plot.marks.bodies import shape_of, shapes, silhouette
from keypose.stage.stage import Stage
from keypose.studio.preview.preview import Film
from keypose.studio.protocol.updates.updates import Trail
from keypose.studio.session.examples import PICTURES, example, examples, folder

WIDTH, HEIGHT, MARGIN = 240.0, 120.0, 14.0
YAW, PITCH = 0.6, 0.45  # [rad] where the page's perspective view stands at first
SAMPLES = 73
MOST = 40  # trails on a card: of a flock some birds show how all of them fly
FPS = 24.0
STILL = 1e-6
EDGE = 6.0  # what goes on beyond is not drawn
FINE = 16  # points of an outline


def postcard(stage: Stage) -> tuple[Trail, ...]:
    """Every actor's trail within WIDTH x HEIGHT, and its keys on it; of many some. Bodies are as halfway through."""
    film = Film(stage)
    if film.ticking:
        film = Film(stage, film.shot(FPS))
    bodies = _bodies(film)
    ways = {name: (_projected(line), _projected(keys)) for name, line, keys in _ways(film)}
    solid = [outline for outlines in bodies.values() for outline in outlines]
    framed = (name for name in ways if not _is_led(stage) or _whose(stage, name) in bodies)
    every = np.concatenate([*solid, *(places for name in framed for places in ways[name])])
    low, high = every.min(axis=0), every.max(axis=0)
    room = np.array([WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN])
    scale = float(np.min(room / np.maximum(high - low, 1e-9)))

    def placed(places: Floats) -> tuple[tuple[float, float], ...]:
        on_card = np.array([WIDTH, HEIGHT]) / 2 + scale * (places - (low + high) / 2)
        is_there = (on_card > EDGE).all(axis=1) & (on_card < np.array([WIDTH, HEIGHT]) - EDGE).all(axis=1)
        return tuple((round(float(x), 1), round(float(y), 1)) for x, y in on_card[is_there])

    looks = {actor.name: actor.look if isinstance(actor.look, str) else None for actor in stage.by_name.values()}
    trails = (
        Trail(
            look=looks[name],
            line=placed(_thinned(line)),
            keys=placed(keys),
            bodies=tuple(placed(outline) for outline in bodies.get(name, ())),
        )
        for name, (line, keys) in ways.items()
    )
    return tuple(trail for trail in trails if trail.line or trail.bodies)


def _is_led(stage: Stage) -> bool:
    """Whether limbs are led: then who has a body is framed, and what only passes by goes on beyond the edge."""
    return any(isinstance(one, Reach) for one in stage.connections)


def _whose(stage: Stage, name: str) -> str:
    """The actor that a link belongs to, or the one that has this name."""
    own = {actor.name for actor in stage.actors}
    return name if name in own else next(one for one in own if name.startswith(f"{one}/"))


def _bodies(film: Film) -> dict[str, list[Floats]]:
    """The outlines of bodies and of drawings, (n, 2) each and closed, by the name of the actor whose they are."""
    found: dict[str, list[Floats]] = {}
    stage = film.stage
    for name, shape in shapes(stage, [actor.name for actor in stage.by_name.values()]).items():
        now = film.poses(name, np.array([film.take_seconds / 2]))
        if now is None or name not in stage.by_name:  # the surface of what is soft
            continue
        outline = silhouette(shape, Pose(now.position[0], now.orientation[0]), VIEW)
        if len(outline):
            found.setdefault(_whose(stage, name), []).append(outline[:: max(1, len(outline) // FINE)])
    for actor in stage.actors:
        now = film.poses(actor.name, np.array([film.take_seconds / 2]))
        if now is not None and now.position.ndim > 2:
            drawing = now.position[0]
            if len(drawing) > 2 and np.allclose(drawing[0], drawing[-1]):  # comes back to where it began
                found[actor.name] = [_projected(drawing)]
    return found if sum(map(len, found.values())) <= MOST else {}


def _ways(film: Film) -> Iterator[tuple[str, Floats, Floats]]:
    """Where each actor and each led link goes, (n, 3), and where its keys are when they are passed."""
    led = {one.link for one in film.stage.connections if isinstance(one, Reach)}  # hands have a way, arms only follow
    known = {actor.name for actor in film.stage.actors} | led
    everybody = [actor for actor in film.stage.by_name.values() if actor.name in known]
    for actor in everybody[:: -(-len(everybody) // MOST)]:
        motion = actor.motion
        if (
            actor.parent is not None and shape_of(actor) is not None
        ):  # a wheel is seen by its body, and where its wagon is
            there = film.poses(actor.name, np.array([film.take_seconds / 2]))
            assert there is not None
            yield actor.name, middle(there), np.empty((0, 3))
            continue
        first, last = (0.0, film.take_seconds) if motion is None else motion.span
        line = film.poses(actor.name, np.linspace(first, last, SAMPLES))
        assert line is not None
        keys = np.empty((0, 3))
        if motion is not None and not isinstance(motion, Recorded):
            here = film.poses(actor.name, film.key_times(actor.name, motion))
            assert here is not None
            keys = middle(here)
        yield actor.name, middle(line), keys


def _projected(places: Floats) -> Floats:
    """Places (…, 3) as seen from afar, (…, 2): to the right and down."""
    x, y, z = places[..., 0], places[..., 1], places[..., 2]
    right = x * math.cos(YAW) - z * math.sin(YAW)
    nearer = x * math.sin(YAW) + z * math.cos(YAW)
    return np.stack([right, nearer * math.sin(PITCH) - y * math.cos(PITCH)], axis=-1)


VIEW = View("card", "", "", _projected)


def _thinned(line: Floats) -> Floats:
    """Of somebody who stays where he is, one place."""
    return line[:1] if np.ptp(line, axis=0).max() < STILL else line


def main() -> None:
    """Draw all of them anew."""
    place = folder()
    assert place is not None
    drawn = {one.name: postcard(example(one.name)) for one in examples()}
    lines = (f'"{name}": {msgspec.json.encode(trails).decode()}' for name, trails in drawn.items())
    (place / PICTURES).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
