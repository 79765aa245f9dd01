"""Stages: a thousand keyed actors shot at once, and a long chain of parents."""

from collections.abc import Callable
from functools import partial

import numpy as np
from measure import Row, at_least, at_most, seconds, taking_turns

from keypose import Actor, FaceForward, Key, KeyTimes, Motion, MotionPath, SpeedProfile, Stage, shoot
from keypose.curves.orientation import Orientation
from keypose.maths import hermite_kernels as curve_kernels
from keypose.maths import quaternion
from keypose.timing import kernels as clock_kernels


def a_thousand_actors() -> list[Row]:
    """1,000 time-keyed actors of 20 keys, 240 frames, against two bare kernel calls each: the clock and the curve."""
    rng = np.random.default_rng(1)
    motions = [
        Motion(MotionPath(rng.normal(size=(20, 3))), KeyTimes(np.cumsum(rng.uniform(0.2, 0.8, 20))))
        for _ in range(1000)
    ]
    stage = Stage([Actor(f"actor {index}", motion) for index, motion in enumerate(motions)])
    t = np.arange(240) / 24
    parts = [(motion.clock.times, motion.clock.segment_table, np.array(motion.path.curve)) for motion in motions]
    u, out = np.empty(240), np.empty((1000, 240, 3))

    def bare() -> object:
        for index, (times, table, curve) in enumerate(parts):
            clock_kernels.key_time_parameters(times, table, t, u, 0, 240)
            curve_kernels.evaluate(curve, u, False, 0, out[index], 0, 240)
        return out

    take = shoot(stage, 239 / 24)
    bare()
    assert len(take) == 240
    assert all(np.array_equal(take[f"actor {index}"].position, out[index]) for index in range(1000))
    ours, theirs = taking_turns(lambda: shoot(stage, 239 / 24), bare, rounds=15)
    work = (
        f"shooting 1,000 time-keyed actors, 20 keys each, 240 frames ({seconds(ours)}): time of 1,000 bare kernel calls"
    )
    return [at_most(work, ours / theirs, 4, "×")]


def a_thousand_profiled_actors() -> list[Row]:
    """1,000 profiled actors of 20 keys with facings, 240 frames, against a call each."""
    rng = np.random.default_rng(3)
    profile = SpeedProfile([1, 1, 8, 2, 1])
    motions = [Motion(_faced_path(rng), profile, duration=10.0) for _ in range(1000)]
    ours, theirs = _together_and_alone(motions, np.arange(240) / 24)
    work = f"1,000 profiled actors with facings, 20 keys each, 240 frames ({seconds(ours)}): faster than a call each"
    return [at_least(work, theirs / ours, 1.5, "×")]


def a_thousand_facing_forward() -> list[Row]:
    """1,000 time-keyed actors of 20 keys, 240 frames, who look where they go and lean, against a call each."""
    rng = np.random.default_rng(5)
    t, rows = np.arange(240) / 24, []
    motions = [
        Motion(MotionPath(rng.normal(size=(20, 3))), KeyTimes(np.cumsum(rng.uniform(0.2, 0.8, 20))))
        for _ in range(1000)
    ]
    plain = Stage([Actor(str(index), motion) for index, motion in enumerate(motions)])
    for doing, facing in (("facing forward", FaceForward()), ("leaning into curves", FaceForward(1.0))):
        stage = Stage([Actor(str(index), motion, facing=facing) for index, motion in enumerate(motions)])

        def alone(facing: FaceForward = facing) -> list[np.ndarray]:
            return [facing.orientations_along(motion, t, motion.at(t).orientation) for motion in motions]

        assert all(
            np.array_equal(pose.orientation, own) for pose, own in zip(stage.at(t).values(), alone(), strict=True)
        )
        ours, theirs, without = taking_turns(partial(stage.at, t), alone, partial(plain.at, t), rounds=9)
        work = (
            f"1,000 actors {doing}, 20 keys each, 240 frames ({seconds(ours)}; without {seconds(without)}): "
            f"faster than a call each ({seconds(theirs)})"
        )
        rows.append(at_least(work, theirs / ours, 2, "×"))
    return rows


def one_tick_of_a_thousand() -> list[Row]:
    """One instant of 1,000 actors of 20 keys, by key times or drawn speed, open and closed, with facings or without."""
    rng = np.random.default_rng(4)
    profile = SpeedProfile([1, 1, 8, 2, 1])
    motions = []
    for _ in range(250):
        times = KeyTimes(np.cumsum(rng.uniform(0.2, 0.8, 20)))
        motions += [
            Motion(MotionPath(rng.normal(size=(20, 3))), times),
            Motion(_faced_path(rng), times, outside="mirror"),
            Motion(_faced_path(rng), profile, duration=10.0),
            Motion(MotionPath(rng.normal(size=(20, 2)), closed=True), duration=4.0, outside="cycle"),
        ]
    ours, theirs = _together_and_alone(motions, np.array([3.3]))
    work = f"one tick of 1,000 keyed actors of all kinds ({seconds(ours)}): faster than a call each ({seconds(theirs)})"
    return [at_least(work, theirs / ours, 10, "×")]


def _faced_path(rng: np.random.Generator) -> MotionPath:
    facings = quaternion.normalize(rng.normal(size=(20, 4)))
    return MotionPath(
        [Key(place, orientation=facing) for place, facing in zip(rng.normal(size=(20, 3)), facings, strict=True)]
    )


def _together_and_alone(motions: list[Motion], t: np.ndarray) -> list[float]:
    """The time of a stage of these motions, and of asking each; both say the same."""
    stage = Stage([Actor(str(index), motion) for index, motion in enumerate(motions)])
    for pose, motion in zip(stage.at(t).values(), motions, strict=True):
        alone = motion.at(t)
        assert np.array_equal(pose.position[:, : motion.path.shape[0]], alone.position)
        assert np.abs(pose.orientation - alone.orientation).max() <= 1e-14
    return taking_turns(lambda: stage.at(t), lambda: [motion.at(t) for motion in motions], rounds=15)


def a_chain_of_parents() -> list[Row]:
    """100 actors, each standing on the one before, at 1,000 frames."""
    rng = np.random.default_rng(2)
    cast = []
    for index in range(100):
        turns = [Orientation.turned(angle, axis) for angle, axis in zip(rng.uniform(-90, 90, 4), "xyzx", strict=True)]
        keys = [Key(place, orientation=turn) for place, turn in zip(rng.normal(size=(4, 3)), turns, strict=True)]
        motion = Motion(MotionPath(keys), KeyTimes([0, 10, 20, 42]))
        cast.append(Actor(f"link {index}", motion, parent=f"link {index - 1}" if index else None))
    stage, t = Stage(cast), np.arange(1000) / 24
    own = [actor.motion.at(t) for actor in cast]

    def composed() -> tuple[np.ndarray, np.ndarray]:
        place, turn = own[0].position, own[0].orientation
        for pose in own[1:]:
            w, v = turn[:, :1], turn[:, 1:]
            across = 2 * np.cross(v, pose.position)
            place = place + pose.position + w * across + np.cross(v, across)
            real, imaginary = pose.orientation[:, :1], pose.orientation[:, 1:]
            scalar = w * real - np.sum(v * imaginary, axis=1, keepdims=True)
            turn = np.concatenate([scalar, w * imaginary + real * v + np.cross(v, imaginary)], axis=1)
        return place, turn

    last = stage.at(t)["link 99"]
    place, turn = composed()
    assert np.abs(last.position - place).max() < 1e-9
    assert np.abs(last.orientation - turn).max() < 1e-12
    ours, theirs = taking_turns(lambda: stage.at(t), composed, rounds=15)
    work = f"a chain of 100 parents, 1,000 frames ({seconds(ours)}): time of numpy's composition of the same poses"
    return [at_most(work, ours / theirs, 2, "×")]


def a_carried_key() -> list[Row]:
    """100 keys, one carried, at 10,000 instants at once, against building the path anew at each."""
    rng = np.random.default_rng(3)
    places, times = np.cumsum(rng.normal(size=(100, 3)), axis=0), np.cumsum(rng.uniform(0.2, 0.8, 100))
    loose, handle = 60, np.array([0.1, 0.2, 0.0])
    placed_orientations = zip(places[loose] + rng.normal(size=(5, 3)), rng.normal(size=(5, 4)), strict=True)
    glass = Motion(
        MotionPath([Key(place, orientation=turn) for place, turn in placed_orientations]), duration=times[-1]
    )
    t, some = np.sort(rng.uniform(times[0], times[-1], 10_000)), np.arange(0, 10_000, 50)
    poses = glass.at(t)
    handle_positions = poses.position + quaternion.rotate(poses.orientation, handle)

    def compared(
        kind: str, keys: list[Key], parameters: np.ndarray, place: Callable[[MotionPath, float], np.ndarray]
    ) -> Row:
        before, own, after = keys[:loose], keys[loose], keys[loose + 1 :]
        path = MotionPath([*before, own.changed(position=handle, relative_to="glass", pin=False), *after])
        timing = {} if own.time is not None else {"duration": np.ptp(times), "start": times[0]}
        stage = Stage([Actor("hand", Motion(path, **timing)), Actor("glass", glass)])

        def anew() -> list[np.ndarray]:
            built = (
                (index, MotionPath([*before, own.changed(position=handle_positions[index]), *after])) for index in some
            )
            return [place(path, parameters[index]) for index, path in built]

        assert np.abs(stage.at(t)["hand"].position[some] - anew()).max() < 1e-9
        ours, theirs = taking_turns(lambda: stage.at(t), anew, rounds=15)
        theirs *= len(t) / len(some)
        work = (
            f"{kind} path of 100 keys, one carried, at 10,000 instants at once ({seconds(ours)}): faster than building "
            f"it anew at each ({seconds(theirs)}, from every 50th)"
        )
        return at_least(work, theirs / ours, 50, "×")

    timed = [Key(place, time=time) for place, time in zip(places, times, strict=True)]
    u, share = np.interp(t, times, np.arange(100.0)), (t - times[0]) / np.ptp(times)
    return [
        compared("a timed", timed, u, lambda path, u: path.at(u)),
        compared("an untimed", [Key(place) for place in places], share, lambda path, s: path.along(s * path.length)),
    ]
