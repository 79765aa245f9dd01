"""What is on the card of an example? Its trails, bodies and drawings, as the stage is seen at first.

They are drawn once, so that a start is quick:
`python -m keypose.studio.present.example_cards` draws `examples/pictures.json` anew; a test fails when it is out of
date.
"""

import math
from collections.abc import Iterator

import msgspec
import numpy as np

from keypose.maths import Floats
from keypose.motion import Pose, RecordedMotion, pose_center
from keypose.physics import Reach
from keypose.plot import View, body_shape, body_shapes, silhouette
from keypose.stage import Stage
from keypose.studio.preview.preview import Preview
from keypose.studio.protocol.updates.updates import CardTrail
from keypose.studio.session.examples import CARDS_FILE, examples, folder, load_example

WIDTH, HEIGHT, MARGIN = 240.0, 120.0, 14.0
YAW, PITCH = 0.6, 0.45  # [rad] where the page's perspective view stands at first
SAMPLES = 73
MAX_TRAILS = 40  # trails on a card: of a flock some birds show how all of them fly
FPS = 24.0
STILL_TOLERANCE = 1e-6
EDGE_MARGIN = 6.0  # what goes on beyond is not drawn
OUTLINE_POINTS = 16  # points of an outline


def example_card(stage: Stage) -> tuple[CardTrail, ...]:
    """Every actor's trail within WIDTH x HEIGHT, and its keys on it; of many some. Bodies are as halfway through."""
    preview = Preview(stage)
    if preview.simulated_names:
        preview = Preview(stage, preview.shoot(FPS))
    bodies = _outlines(preview)
    projected_trails = {name: (_project(line), _project(keys)) for name, line, keys in _trails(preview)}
    solid = [outline for outlines in bodies.values() for outline in outlines]
    framed_names = (name for name in projected_trails if not _has_reach(stage) or _owner_actor(stage, name) in bodies)
    all_points = np.concatenate([*solid, *(positions for name in framed_names for positions in projected_trails[name])])
    low, high = all_points.min(axis=0), all_points.max(axis=0)
    available = np.array([WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN])
    scale = float(np.min(available / np.maximum(high - low, 1e-9)))

    def to_card(positions: Floats) -> tuple[tuple[float, float], ...]:
        on_card = np.array([WIDTH, HEIGHT]) / 2 + scale * (positions - (low + high) / 2)
        is_there = (on_card > EDGE_MARGIN).all(axis=1) & (on_card < np.array([WIDTH, HEIGHT]) - EDGE_MARGIN).all(axis=1)
        return tuple((round(float(x), 1), round(float(y), 1)) for x, y in on_card[is_there])

    looks = {
        actor.name: actor.look if isinstance(actor.look, str) else None for actor in stage.resolved.by_name.values()
    }
    card_trails = (
        CardTrail(
            look=looks[name],
            line=to_card(_collapse_still(line)),
            keys=to_card(keys),
            bodies=tuple(to_card(outline) for outline in bodies.get(name, ())),
        )
        for name, (line, keys) in projected_trails.items()
    )
    return tuple(trail for trail in card_trails if trail.line or trail.bodies)


def _has_reach(stage: Stage) -> bool:
    """Whether limbs are led: then who has a body is framed, and what only passes by goes on beyond the edge."""
    return any(isinstance(one, Reach) for one in stage.connections)


def _owner_actor(stage: Stage, name: str) -> str:
    """The actor that a link belongs to, or the one that has this name."""
    own = {actor.name for actor in stage.actors}
    return name if name in own else next(one for one in own if name.startswith(f"{one}/"))


def _outlines(preview: Preview) -> dict[str, list[Floats]]:
    """The outlines of bodies and of drawings, (n, 2) each and closed, by the name of the actor whose they are."""
    found: dict[str, list[Floats]] = {}
    stage = preview.stage
    for name, shape in body_shapes(stage, [actor.name for actor in stage.resolved.by_name.values()]).items():
        now = preview.poses(name, np.array([preview.take_duration / 2]))
        if now is None or name not in stage.resolved.by_name:  # the surface of what is soft
            continue
        outline = silhouette(shape, Pose(now.position[0], now.orientation[0]), VIEW)
        if len(outline):
            found.setdefault(_owner_actor(stage, name), []).append(outline[:: max(1, len(outline) // OUTLINE_POINTS)])
    for actor in stage.actors:
        now = preview.poses(actor.name, np.array([preview.take_duration / 2]))
        if now is not None and now.position.ndim > 2:
            drawing = now.position[0]
            if len(drawing) > 2 and np.allclose(drawing[0], drawing[-1]):  # comes back to where it began
                found[actor.name] = [_project(drawing)]
    return found if sum(map(len, found.values())) <= MAX_TRAILS else {}


def _trails(preview: Preview) -> Iterator[tuple[str, Floats, Floats]]:
    """Where each actor and each led link goes, (n, 3), and where its keys are when they are passed."""
    reach_links = {
        one.link for one in preview.stage.connections if isinstance(one, Reach)
    }  # hands have a way, arms only follow
    known = {actor.name for actor in preview.stage.actors} | reach_links
    visible_actors = [actor for actor in preview.stage.resolved.by_name.values() if actor.name in known]
    for actor in visible_actors[:: -(-len(visible_actors) // MAX_TRAILS)]:
        motion = actor.motion
        if (
            actor.parent is not None and body_shape(actor) is not None
        ):  # a wheel is seen by its body, and where its wagon is
            halfway = preview.poses(actor.name, np.array([preview.take_duration / 2]))
            assert halfway is not None
            yield actor.name, pose_center(halfway), np.empty((0, 3))
            continue
        first, last = (0.0, preview.take_duration) if motion is None else motion.span
        line = preview.poses(actor.name, np.linspace(first, last, SAMPLES))
        assert line is not None
        keys = np.empty((0, 3))
        if motion is not None and not isinstance(motion, RecordedMotion):
            key_poses = preview.poses(actor.name, preview.key_times(actor.name, motion))
            assert key_poses is not None
            keys = pose_center(key_poses)
        yield actor.name, pose_center(line), keys


def _project(positions: Floats) -> Floats:
    """Places (…, 3) as seen from afar, (…, 2): to the right and down."""
    x, y, z = positions[..., 0], positions[..., 1], positions[..., 2]
    right = x * math.cos(YAW) - z * math.sin(YAW)
    nearer = x * math.sin(YAW) + z * math.cos(YAW)
    return np.stack([right, nearer * math.sin(PITCH) - y * math.cos(PITCH)], axis=-1)


VIEW = View("card", "", "", _project)


def _collapse_still(line: Floats) -> Floats:
    """Of somebody who stays where he is, one place."""
    return line[:1] if np.ptp(line, axis=0).max() < STILL_TOLERANCE else line


def main() -> None:
    """Draw all of them anew."""
    directory = folder()
    assert directory is not None
    cards = {one.name: example_card(load_example(one.name)) for one in examples()}
    lines = (f'"{name}": {msgspec.json.encode(trails).decode()}' for name, trails in cards.items())
    (directory / CARDS_FILE).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
