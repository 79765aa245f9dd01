"""What is on the card of an example? Its trails, as the stage is seen at first; drawn once, so that a start is quick.

`python -m keypose.studio.postcards` draws `examples/pictures.json` anew; a test fails when it is out of date.
"""

import math
from collections.abc import Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from keypose.motion.hierarchy import middle
from keypose.motion.take import Recorded
from keypose.stage.shoot import shoot
from keypose.stage.stage import Stage
from keypose.studio.examples import PICTURES, example, examples, folder
from keypose.studio.film import Film
from keypose.studio.views import Trail

Floats = NDArray[np.float64]

WIDTH, HEIGHT, MARGIN = 240.0, 120.0, 14.0
YAW, PITCH = 0.6, 0.45  # [rad] where the page's perspective view stands at first
SAMPLES = 73
MOST = 40  # trails on a card: of a flock some birds show how all of them fly
FPS = 24.0
STILL = 1e-6


def postcard(stage: Stage) -> tuple[Trail, ...]:
    """Every actor's trail within WIDTH x HEIGHT, and its keys on it; of many actors some."""
    film = Film(stage)
    if film.ticking:
        film = Film(stage, shoot(stage, film.take_seconds, FPS))
    seen = {name: (_projected(line), _projected(keys)) for name, line, keys in _ways(film)}
    every = np.concatenate([places for both in seen.values() for places in both])
    low, high = every.min(axis=0), every.max(axis=0)
    room = np.array([WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN])
    scale = float(np.min(room / np.maximum(high - low, 1e-9)))

    def placed(places: Floats) -> tuple[tuple[float, float], ...]:
        on_card = np.array([WIDTH, HEIGHT]) / 2 + scale * (places - (low + high) / 2)
        return tuple((round(float(x), 1), round(float(y), 1)) for x, y in on_card)

    looks = {actor.name: actor.look if isinstance(actor.look, str) else None for actor in stage.actors}
    return tuple(
        Trail(look=looks[name], line=placed(_thinned(line)), keys=placed(keys)) for name, (line, keys) in seen.items()
    )


def _ways(film: Film) -> Iterator[tuple[str, Floats, Floats]]:
    """Where each actor goes, (n, 3), and where its keys are when they are passed."""
    everybody = film.stage.actors
    for actor in everybody[:: -(-len(everybody) // MOST)]:
        motion = actor.motion
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
    """Places (n, 3) as seen from afar, (n, 2): to the right and down."""
    x, y, z = places.T
    right = x * math.cos(YAW) - z * math.sin(YAW)
    nearer = x * math.sin(YAW) + z * math.cos(YAW)
    return np.stack([right, nearer * math.sin(PITCH) - y * math.cos(PITCH)], axis=1)


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
