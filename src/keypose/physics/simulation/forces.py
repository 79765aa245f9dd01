"""What pulls the bodies of one engine in one step? Targets, effectors with their muscles, and springs."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from keypose.maths import Floats, RecordArray, fast_call, kernels_available
from keypose.motion import Pose
from keypose.physics.diagnostics.strength import has_torque_deficit, update_weakness
from keypose.physics.engine.engine import Engine
from keypose.physics.engine.joint_specs import SpringArrays
from keypose.physics.engine.joint_torques import EffectorTask, JointTorques
from keypose.physics.engine.kernels import add_spring_forces
from keypose.physics.following.follower_arrays import FollowerArrays
from keypose.physics.values.connections import Ball, Hinge, Reach, Spring
from keypose.physics.values.figure import FigureLink

NO_FORCE: Floats = np.zeros(6)


class Actuation:
    """All that pulls in an engine."""

    def __init__(
        self,
        engine: Engine,
        follower_arrays: FollowerArrays,
        reaches: Mapping[str, Reach],
        springs: Sequence[Spring],
        rows: Mapping[str, int],
        movers: Mapping[str, Any],
        initial_poses: Mapping[str, Pose],
    ) -> None:
        self._engine, joint_space = engine, engine.joint_space
        if kernels_available():
            from keypose.physics.engine.kernels import set_gyroscopic_torques
            from keypose.physics.following.kernels import step_followers
        else:
            from keypose.physics.following.controller import step_followers
            from keypose.physics.following.force_law import set_gyroscopic_torques
        self._step_followers = fast_call(step_followers, partial(setattr, self, "_step_followers"))
        self._follower_arrays = follower_arrays
        strength = joint_space.dof_strengths(
            {
                row: movers[name].joint.strength
                for name, row in rows.items()
                if isinstance(movers.get(name), FigureLink) and isinstance(movers[name].joint, Hinge | Ball)
            }
        )
        self._effectors: list[tuple[int, int, bool, JointTorques | None]] = []
        for number, name in enumerate(follower_arrays.names):
            if name in reaches:
                assist_force = reaches[name].help
                joint_torques = (
                    JointTorques(strength, assist_force) if strength.any() or assist_force is not None else None
                )
                has_rotation = bool(follower_arrays.specs[number].sample_count)
                self._effectors.append((number, rows[name], has_rotation, joint_torques))
        effectors = [
            effector for effector in self._effectors if follower_arrays.specs[effector[0]].filter_time > 0
        ]  # or not even weight is made up for
        figures = joint_space.group_by_figure([row for _, row, *_ in effectors])
        self._effector_figures = [[effectors[one] for one in figure] for figure in figures]
        self._spring_figures = [
            figure for figure in self._effector_figures if joint_space.has_joint_springs(figure[0][1])
        ]
        specs = follower_arrays.specs
        rotating_rows = specs["body_row"][specs["sample_count"] > 0]  # their torque compensates it
        self._set_gyroscopic_torques = fast_call(
            set_gyroscopic_torques, partial(setattr, self, "_set_gyroscopic_torques")
        )
        self._gyroscopic_rows = np.setdiff1d(engine.gyroscopic_rows, rotating_rows)
        self.weak: set[int] = set()
        """Those in the race whose muscles do not give what is wanted in this step."""
        self.persistently_weak: dict[int, EffectorTask] = {}
        """Those of them that are to be told of."""
        self._add_spring_forces = fast_call(add_spring_forces, partial(setattr, self, "_add_spring_forces"))
        self._spring_arrays = SpringArrays.of(springs, rows, initial_poses) if springs else None

    def __call__(self, followers: RecordArray, step: float) -> int:
        """Let all targets race on, and say all forces of the step anew; what `kernels.step_followers` answers."""
        engine, joint_space = self._engine, self._engine.joint_space
        self.weak, self.persistently_weak = set(), {}
        if self._spring_arrays is not None:
            engine.forces[:] = 0.0
        status = self._step_followers(self._follower_arrays.paths, engine.bodies, step, followers, engine.forces)
        if status >= 0:  # somebody is lost: nothing can be worked out from where they are
            return status
        tasks: dict[int, EffectorTask] = {}
        compensations = self._spring_compensations()
        for number, row, has_rotation, joint_torques in self._effectors:
            follower = followers[number]
            acceleration = np.concatenate([follower.accel_cmd, follower.angular_accel_cmd])
            extra_force = compensations.get(number, NO_FORCE)
            if (
                task := joint_space.apply_effector_pull(
                    row,
                    acceleration,
                    self._damping_accelerations(number, follower, step),
                    extra_force,
                    has_rotation,
                    joint_torques,
                )
            ) is not None:
                tasks[number] = task
        if tasks:
            for (number, task), deficit in zip(
                tasks.items(), joint_space.apply_joint_torques([*tasks.values()]), strict=True
            ):
                if deficit.any():  # or it would seem as if something held it that lasts
                    lost_acceleration = joint_space.effector_acceleration(task, deficit)
                    followers["accel_cmd"][number] -= lost_acceleration[:3]
                    followers["angular_accel_cmd"][number] -= lost_acceleration[3:]
                self._check_strength(followers[number], number, task, has_torque_deficit(task, deficit), step)
        if len(self._gyroscopic_rows):
            self._set_gyroscopic_torques(self._gyroscopic_rows, engine.bodies, step, engine.forces)
        if self._spring_arrays is not None:
            self._add_spring_forces(self._spring_arrays, engine.bodies, step, engine.forces)
        return status

    def initialize_disturbance(self, followers: RecordArray) -> None:
        """Let those who are led and new know the weight of their figures, unless these lie on something or touch it."""
        joint_space, pairs = self._engine.joint_space, self._engine.contact_pairs()
        contact_roots = set(joint_space.root_ids(pairs[pairs < len(self._engine.poses)].tolist()))
        for figure in self._effector_figures:
            numbers, rows, has_rotation, _ = zip(*figure, strict=True)
            if followers["is_new"][list(numbers)].all() and contact_roots.isdisjoint(joint_space.root_ids(rows)):
                accelerations = joint_space.gravity_accelerations(rows, has_rotation)
                followers["disturbance"][list(numbers)] = accelerations[:, :3]
                followers["angular_disturbance"][list(numbers)] = accelerations[:, 3:]

    def _spring_compensations(self) -> dict[int, Floats]:
        """With what those are pulled beside, who are led against the springs of their joints [N], [N m]."""
        forces: dict[int, Floats] = {}
        for figure in self._spring_figures:
            numbers, rows, has_rotation, _ = zip(*figure, strict=True)
            forces |= zip(numbers, self._engine.joint_space.spring_compensation(rows, has_rotation), strict=True)
        return forces

    def _check_strength(self, follower: Any, number: int, task: EffectorTask, has_deficit: bool, step: float) -> None:
        """See whether a limb is too weak."""
        if has_deficit:
            self.weak.add(number)
        spec = self._follower_arrays.specs[number]
        distance = float(np.linalg.norm(follower.target - self._engine.poses[spec.body_row, :3]))
        if update_weakness(follower, distance, spec.within, has_deficit, step, spec.stall_time):
            self.persistently_weak[number] = task

    def _damping_accelerations(self, number: int, follower: Any, step: float) -> Floats:
        """What of the pull of a follower only slows it down [m/s²], and of its turn [rad/s²]."""
        spec, accelerations = self._follower_arrays.specs[number], np.empty(6)
        for part, (speed_factor, velocity, path_velocity) in enumerate(
            (
                (follower.speed_factor, follower.velocity, follower.path_velocity),
                (follower.turn_speed_factor, follower.angular_velocity, follower.path_angular_velocity),
            )
        ):
            damping, stiffness = spec.damping * speed_factor, spec.stiffness * speed_factor**2
            accelerations[3 * part : 3 * part + 3] = (
                -damping * (velocity - path_velocity) / (1 + step * damping + step * step * stiffness)
            )
        return accelerations
