"""Stages: a thousand keyed actors shot at once, and a long chain of parents."""

from collections.abc import Callable
from functools import partial

import numpy as np
from measure import Row, best_times, lower_limit_row, seconds, upper_limit_row

from keypose import Actor, FaceForward, Key, KeyTimes, Motion, MotionPath, SpeedProfile, Stage, shoot
from keypose.curves.orientation import Orientation
from keypose.maths import hermite_kernels as curve_kernels
from keypose.maths import quaternion
from keypose.timing import kernels as clock_kernels


def thousand_actors() -> list[Row]:
    """1,000 time-keyed actors of 20 keys, 240 frames, against two bare kernel calls each: the clock and the curve."""
    rng = np.random.default_rng(1)
    motions = [
        Motion(MotionPath(rng.normal(size=(20, 3))), KeyTimes(np.cumsum(rng.uniform(0.2, 0.8, 20))))
        for _ in range(1000)
    ]
    stage = Stage([Actor(f"actor {index}", motion) for index, motion in enumerate(motions)])
    t = np.arange(240) / 24
    parts = [
        (motion.clock.times, motion.clock.segment_table, np.array(motion.path.geometry.curve)) for motion in motions
    ]
    u, out = np.empty(240), np.empty((1000, 240, 3))

    def bare() -> object:
        for index, (times, table, curve) in enumerate(parts):
            clock_kernels.key_time_parameters(times, table, t, u, 0, 240)
            curve_kernels.evaluate(curve, u, False, 0, out[index], 0, 240)
        return out

    take = shoot(stage, 239 / 24)
    bare()
    assert len(take.times) == 240
    assert all(np.array_equal(take[f"actor {index}"].position, out[index]) for index in range(1000))
    ours, theirs = best_times(lambda: shoot(stage, 239 / 24), bare, rounds=15)
    task = (
        f"shooting 1,000 time-keyed actors, 20 keys each, 240 frames ({seconds(ours)}): time of 1,000 bare kernel calls"
    )
    return [upper_limit_row(task, ours / theirs, 4, "×")]


def thousand_profiled_actors() -> list[Row]:
    """1,000 profiled actors of 20 keys with facings, 240 frames, against a call each."""
    rng = np.random.default_rng(3)
    profile = SpeedProfile([1, 1, 8, 2, 1])
    motions = [Motion(_oriented_path(rng), profile, duration=10.0) for _ in range(1000)]
    ours, theirs = _batch_and_single_times(motions, np.arange(240) / 24)
    task = f"1,000 profiled actors with facings, 20 keys each, 240 frames ({seconds(ours)}): faster than a call each"
    return [lower_limit_row(task, theirs / ours, 1.5, "×")]


def thousand_facing_forward() -> list[Row]:
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
        ours, theirs, without = best_times(partial(stage.at, t), alone, partial(plain.at, t), rounds=9)
        task = (
            f"1,000 actors {doing}, 20 keys each, 240 frames ({seconds(ours)}; without {seconds(without)}): "
            f"faster than a call each ({seconds(theirs)})"
        )
        rows.append(lower_limit_row(task, theirs / ours, 2, "×"))
    return rows


def thousand_actor_tick() -> list[Row]:
    """One instant of 1,000 actors of 20 keys, by key times or drawn speed, open and closed, with facings or without."""
    rng = np.random.default_rng(4)
    profile = SpeedProfile([1, 1, 8, 2, 1])
    motions = []
    for _ in range(250):
        times = KeyTimes(np.cumsum(rng.uniform(0.2, 0.8, 20)))
        motions += [
            Motion(MotionPath(rng.normal(size=(20, 3))), times),
            Motion(_oriented_path(rng), times, outside="mirror"),
            Motion(_oriented_path(rng), profile, duration=10.0),
            Motion(MotionPath(rng.normal(size=(20, 2)), closed=True), duration=4.0, outside="cycle"),
        ]
    ours, theirs = _batch_and_single_times(motions, np.array([3.3]))
    task = f"one tick of 1,000 keyed actors of all kinds ({seconds(ours)}): faster than a call each ({seconds(theirs)})"
    return [lower_limit_row(task, theirs / ours, 10, "×")]


def _oriented_path(rng: np.random.Generator) -> MotionPath:
    orientations = quaternion.normalize(rng.normal(size=(20, 4)))
    return MotionPath(
        [
            Key(position, orientation=orientation)
            for position, orientation in zip(rng.normal(size=(20, 3)), orientations, strict=True)
        ]
    )


def _batch_and_single_times(motions: list[Motion], t: np.ndarray) -> list[float]:
    """The time of a stage of these motions, and of asking each; both say the same."""
    stage = Stage([Actor(str(index), motion) for index, motion in enumerate(motions)])
    for pose, motion in zip(stage.at(t).values(), motions, strict=True):
        alone = motion.at(t)
        assert np.array_equal(pose.position[:, : motion.path.shape[0]], alone.position)
        assert np.abs(pose.orientation - alone.orientation).max() <= 1e-14
    return best_times(lambda: stage.at(t), lambda: [motion.at(t) for motion in motions], rounds=15)


def parent_chain() -> list[Row]:
    """100 actors, each standing on the one before, at 1,000 frames."""
    rng = np.random.default_rng(2)
    cast = []
    for index in range(100):
        orientations = [
            Orientation.turned(angle, axis) for angle, axis in zip(rng.uniform(-90, 90, 4), "xyzx", strict=True)
        ]
        keys = [
            Key(position, orientation=orientation)
            for position, orientation in zip(rng.normal(size=(4, 3)), orientations, strict=True)
        ]
        motion = Motion(MotionPath(keys), KeyTimes([0, 10, 20, 42]))
        cast.append(Actor(f"link {index}", motion, parent=f"link {index - 1}" if index else None))
    stage, t = Stage(cast), np.arange(1000) / 24
    own = [actor.motion.at(t) for actor in cast]

    def composed() -> tuple[np.ndarray, np.ndarray]:
        position, orientation = own[0].position, own[0].orientation
        for pose in own[1:]:
            w, v = orientation[:, :1], orientation[:, 1:]
            across = 2 * np.cross(v, pose.position)
            position = position + pose.position + w * across + np.cross(v, across)
            real, imaginary = pose.orientation[:, :1], pose.orientation[:, 1:]
            scalar = w * real - np.sum(v * imaginary, axis=1, keepdims=True)
            orientation = np.concatenate([scalar, w * imaginary + real * v + np.cross(v, imaginary)], axis=1)
        return position, orientation

    last = stage.at(t)["link 99"]
    position, orientation = composed()
    assert np.abs(last.position - position).max() < 1e-9
    assert np.abs(last.orientation - orientation).max() < 1e-12
    ours, theirs = best_times(lambda: stage.at(t), composed, rounds=15)
    task = f"a chain of 100 parents, 1,000 frames ({seconds(ours)}): time of numpy's composition of the same poses"
    return [upper_limit_row(task, ours / theirs, 2, "×")]


def relative_key() -> list[Row]:
    """100 keys, one of them relative, at 10,000 instants at once, against building the path anew at each."""
    rng = np.random.default_rng(3)
    positions, times = np.cumsum(rng.normal(size=(100, 3)), axis=0), np.cumsum(rng.uniform(0.2, 0.8, 100))
    relative_index, handle = 60, np.array([0.1, 0.2, 0.0])
    glass_poses = zip(positions[relative_index] + rng.normal(size=(5, 3)), rng.normal(size=(5, 4)), strict=True)
    glass = Motion(
        MotionPath([Key(position, orientation=orientation) for position, orientation in glass_poses]),
        duration=times[-1],
    )
    t, some = np.sort(rng.uniform(times[0], times[-1], 10_000)), np.arange(0, 10_000, 50)
    poses = glass.at(t)
    handle_positions = poses.position + quaternion.rotate(poses.orientation, handle)

    def compare(
        kind: str, keys: list[Key], parameters: np.ndarray, position: Callable[[MotionPath, float], np.ndarray]
    ) -> Row:
        before, own, after = keys[:relative_index], keys[relative_index], keys[relative_index + 1 :]
        path = MotionPath([*before, own.changed(position=handle, relative_to="glass", pin=False), *after])
        timing = {} if own.time is not None else {"duration": np.ptp(times), "start": times[0]}
        stage = Stage([Actor("hand", Motion(path, **timing)), Actor("glass", glass)])

        def fresh() -> list[np.ndarray]:
            built = (
                (index, MotionPath([*before, own.changed(position=handle_positions[index]), *after])) for index in some
            )
            return [position(path, parameters[index]) for index, path in built]

        assert np.abs(stage.at(t)["hand"].position[some] - fresh()).max() < 1e-9
        ours, theirs = best_times(lambda: stage.at(t), fresh, rounds=15)
        theirs *= len(t) / len(some)
        task = (
            f"{kind} path of 100 keys, one carried, at 10,000 instants at once ({seconds(ours)}): faster than building "
            f"it anew at each ({seconds(theirs)}, from every 50th)"
        )
        return lower_limit_row(task, theirs / ours, 50, "×")

    timed = [Key(position, time=time) for position, time in zip(positions, times, strict=True)]
    u, share = np.interp(t, times, np.arange(100.0)), (t - times[0]) / np.ptp(times)
    return [
        compare("a timed", timed, u, lambda path, u: path.at(u)),
        compare(
            "an untimed", [Key(position) for position in positions], share, lambda path, s: path.along(s * path.length)
        ),
    ]
