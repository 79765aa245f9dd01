"""Who meets whom: one stage whose script says every word, and any number of scripts by chance."""

from hypothesis import strategies as st

from keypose import (
    Actor,
    Ball,
    Body,
    Box,
    Capsule,
    Figure,
    Follow,
    Key,
    KeyposeError,
    Link,
    Motion,
    MotionPath,
    Orientation,
    Reach,
    Script,
    Sphere,
    Stage,
    turn,
)

PATH = MotionPath([(0, 1, 0), Key((2, 1, 0), name="arch"), Key((4, 1, 0), name='the "end"')])
ORIENTED_PATH = MotionPath(
    [
        Key((0, 1, 3), orientation=(1, 0, 0, 0)),
        Key((2, 1, 3), orientation=Orientation.turned(90, "y"), name="raised"),
        Key((3, 1, 3)),
    ]
)
LIFT_PATH = MotionPath([Key((9, 1.5, 0)), Key((9.3, 1.8, 0), name="high")])


def every_meeting():
    """Everybody who can meet somebody, every kind of goal, and every word of a meeting."""
    script = Script()
    script.meet({"blue": 0.5, "red": 0.25}, name="start")
    script.meet({"arm/hand": "high", "man": "raised"}, name="lift", of="bodies", patience=30)
    script.meet(
        {"red": "arch", "blue": 2.5, "man": turn("raised")},
        name="arch",
        after=("start", "lift"),
        need=1,
        of="bodies",
        gate=True,
        patience=4,
    )
    script.meet({"red": 'the "end"'}, after="arch")
    ball, arm = Body(Sphere(0.1)), Body(Capsule(0.05, 0.4))
    hand = Link("hand", arm, (0, -0.5, 0))
    return Stage(
        [
            Actor("red", Follow(PATH, ball, within=0.4)),
            Actor("blue", Motion(PATH, duration=3.0), look="blue"),
            Actor("man", Follow(ORIENTED_PATH, ball, within=0.3, speed=1.25)),
            Actor("arm", Figure(Body(Box(0.2)), [Ball(hand, at=(0, -0.2, 0))], position=(9, 2, 0), held=True)),
        ],
        connections=[Reach("arm/hand", LIFT_PATH, within=0.2, speed=0.5)],
        script=script,
    )


# ---- by chance -------------------------------------------------------------------------------------------------------

FRACTION = st.floats(0, 1) | st.sampled_from([0.0, 0.5, 1 / 3, 1.0])


def synchronizable_path(actor):
    """The path on which somebody can be slowed down; None if there is none."""
    if isinstance(actor.mover, Follow):
        return actor.mover.path
    keyed = type(actor.motion) is Motion and not actor.carriers and actor.body is None
    return actor.motion.path if keyed else None


def path_goals(path):
    """Goals that somebody may have on a path."""
    names = [key.name for key in path.keys if key.name is not None]
    some = [FRACTION.map(lambda share: share * path.length)]
    if names:
        some.append(st.sampled_from(names))
        some += [st.sampled_from(names).map(turn)] if path.geometry.turns is not None else []
    return st.one_of(some)


@st.composite
def scripts(draw, cast, text):
    """A script for some of a cast; whether it can be kept is not known."""
    paths = {actor.name: path for actor in cast if (path := synchronizable_path(actor)) is not None}
    script = Script()
    for name in draw(st.lists(text, min_size=1, max_size=4, unique=True)) if paths else ():
        actors = draw(st.lists(st.sampled_from(sorted(paths)), min_size=1, max_size=3, unique=True))
        after = draw(st.lists(st.sampled_from(script.meetings), unique=True)) if script else []
        script.meet(
            {actor: draw(path_goals(paths[actor])) for actor in actors},
            name=name if name.strip() else None,
            after=after,
            need=draw(st.none() | st.integers(1, len(after))) if after else None,
            of=draw(st.sampled_from(["targets", "bodies"])),
            gate=draw(st.booleans()),
            patience=draw(st.sampled_from([2.0, 1 / 3, 1e-9, 1e6])),
        )
    return script


def with_script_if_valid(stage, script):
    """The stage with a script, if that can be kept; else as it is."""
    try:
        return stage.changed(script=script)
    except KeyposeError:
        return stage
