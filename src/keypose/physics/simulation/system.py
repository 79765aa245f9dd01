"""How do all bodies of a stage move together? Step by step: targets race on, bodies are pulled, and bump into things.

Who begins is put where it begins; then it is stepped, with steps that are halved where somebody is too fast for them.
What simulates all of it, and how a state is left for good and taken up again, is in `engine_pool`.
"""

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import Floats, Records, load_kernels, quaternion
from keypose.motion import Event, Pose, StepContext, SystemContext, TimedMotion
from keypose.physics.diagnostics.blocked import blocking_forces, stall_events
from keypose.physics.diagnostics.collisions import ContactTracker
from keypose.physics.diagnostics.detached_joints import detached_joint_events
from keypose.physics.diagnostics.event_log import EventLog
from keypose.physics.diagnostics.penetration import initial_penetrations, initial_warnings, penetration_events
from keypose.physics.diagnostics.strength import weakness_events
from keypose.physics.engine.contact_model import renumber_pairs
from keypose.physics.engine.joint_specs import find_reaches
from keypose.physics.engine.kinematic_bodies import drive_kinematic_bodies, is_jump
from keypose.physics.engine.substeps import next_substep_level, substep_level
from keypose.physics.following.follower_arrays import FollowerArrays
from keypose.physics.relative.key_carriers import KeyCarriers
from keypose.physics.relative.relative_keys import RelativeKeys
from keypose.physics.relative.relative_path_cache import CarrierPoses
from keypose.physics.simulation.engine_pool import EnginePool
from keypose.physics.simulation.field_forces import FieldForces
from keypose.physics.simulation.initial_poses import find_initial_poses, initial_pose
from keypose.physics.simulation.state import BodyState
from keypose.physics.sync.body_progress import Blockers, BodyProgress
from keypose.physics.values.connections import Reach
from keypose.physics.values.figure import AnyBodyMover, FigureLink, is_static
from keypose.physics.values.movers import TICK, Follow, Free
from keypose.physics.values.soft_surface import SoftSurfaces

if TYPE_CHECKING:
    from keypose.physics.engine.engine import Engine


ORIGIN_POSE = Pose.of(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))
STALL_TIMEOUT = -2  # what `kernels.step_followers` returns if a stall is to be reported


class BodySystem(EnginePool):
    """The company of all bodies on a stage."""

    def __init__(self, movers: Mapping[str, AnyBodyMover], system_context: SystemContext) -> None:
        load_kernels()  # or a stage that is built first would differ by a bit from the same one, built again
        for name in movers:
            if name in system_context.child_actors:
                raise KeyposeError(
                    f"Actor {name!r} has a body and a parent. Bodies are in the world: leave the parent out."
                )
        self.movers = movers
        self._system_context = system_context
        self._kinematic_names = tuple(system_context.bodies)
        self._surfaces = SoftSurfaces(movers)
        self._moving_names = [
            name for name, mover in movers.items() if not is_static(mover) and name not in self._surfaces.slices
        ]
        self._moving_count = len(self._moving_names)
        self._body_names = (*self._moving_names, *self._kinematic_names)
        """The moving bodies, as the engine counts them."""
        self._rows = {name: row for row, name in enumerate(self._body_names)}
        self._reaches = find_reaches(system_context.connections, movers)
        self._reach_rows = [self._rows[name] for name in self._reaches]
        followers: dict[str, Follow | Reach] = {
            name: body_mover for name, body_mover in movers.items() if isinstance(body_mover, Follow)
        }
        followers |= self._reaches
        gravity = float(np.linalg.norm(system_context.gravity))
        self._follower_arrays = FollowerArrays.of(followers, [self._rows[name] for name in followers], gravity)
        self._static_poses = {
            name: initial_pose(body_mover, {}) for name, body_mover in movers.items() if is_static(body_mover)
        }
        self._relative_keys = RelativeKeys.of(followers, self._follower_arrays)
        self._has_relative_keys = bool(self._relative_keys)
        self._key_carriers = KeyCarriers(self._relative_keys, self._follower_arrays, movers)
        outside_names = (name for name in self._relative_keys.carriers if name not in self._rows and name not in movers)
        self._watched_names = (*self._kinematic_names, *outside_names)
        """Those whom others move: first who has a body, then who only carries keys."""
        self._carrier_poses = CarrierPoses(
            self._relative_keys.carriers, self._rows, self._static_poses, self._watched_names
        )
        if self._relative_keys:
            find_initial_poses(movers, self._static_poses, lambda _: ORIGIN_POSE)  # or nobody could tell where to begin
        self._field_forces = FieldForces.of(movers, self._moving_names, self._static_poses, system_context)
        self._sync_plan = (
            system_context.script
            if system_context.script is not None and system_context.script.follower_channels
            else None
        )
        self._body_progress = (
            None if self._sync_plan is None else BodyProgress.of(self._sync_plan, self._follower_arrays)
        )
        self._clocked_motions: Mapping[str, TimedMotion] = (
            {} if self._sync_plan is None else self._sync_plan.clocked_motions
        )
        field_watches = {} if self._field_forces is None else self._field_forces.sensing.watches
        self.watches = {name: (*self._watched_names, *field_watches.get(name, ())) for name in movers}
        self.watches |= dict.fromkeys(self._clocked_motions, ())
        """Everybody looks at those whom motions move, with bodies or carried keys, and of whom its fields speak."""
        self._local = threading.local()

    @property
    def freezes_state(self) -> bool:
        """Whether all of a state is finite and read-only, as it is if no body senses a field."""
        return self._field_forces is None

    # ---- a company ---------------------------------------------------------------------------------------------------

    def initial_poses(self) -> Mapping[str, Pose]:
        """Where everybody begins who begins in the world, or relative to somebody who does."""
        return self._world_initial_poses

    def begin(self, context: StepContext) -> BodyState:
        """Everybody at the first moment."""
        engine, initial_poses = self._thread_engine(context), self._resolve_initial_poses(context.pose)
        self._local.current_state = None  # until it is somewhere
        engine.reset()
        for row, name in enumerate(self._body_names):
            self._place_body(engine, row, name, initial_poses[name] if name in initial_poses else context.pose(name))
        engine.forward()
        relative_keys = self._relative_keys.initial_frames(
            self._carrier_poses.poses(engine.poses, self._watched_poses(context, np.zeros(1))[0])
        )
        field_state = None if self._field_forces is None else self._field_forces.begin(engine, context)
        events = EventLog().with_events(initial_warnings(engine, self._moving_names, self.movers.keys(), context.time))
        engine.penetrations = initial_penetrations(engine, self.movers.keys())
        sync = None if self._sync_plan is None else self._sync_plan.initial_state(context.time, context.previous_sync)
        return self._initial_state(
            engine, context.time, self._follower_arrays.initial_state(), relative_keys, events, field_state, sync
        )

    def resume(self, context: StepContext, before: "BodySystem", state: BodyState) -> BodyState:
        """Who was there goes on as it was; who is new begins."""
        old_engine = before._thread_engine(context)
        before._restore(old_engine, state)
        known_kinematic = (name for name in self._kinematic_names if name in before._rows)
        jump_names = [name for name in known_kinematic if is_jump(old_engine, before._rows[name], context.pose(name))]
        if before is self:
            return self._resume_same(old_engine, state, jump_names, context)
        engine, followers = self._thread_engine(context), self._follower_arrays.initial_state()
        self._local.current_state = None
        resumed_rows = {
            name: before._rows[name] for name in self._body_names if name in before._rows and name not in jump_names
        }
        known_poses = {
            name: Pose.of(old_engine.poses[row, :3], old_engine.poses[row, 3:]) for name, row in resumed_rows.items()
        }
        initial_poses = find_initial_poses(self.movers, {**self._static_poses, **known_poses}, context.pose)
        engine.reset()
        for row, name in enumerate(self._body_names):
            if name in resumed_rows:
                engine.copy_body_state(row, old_engine, resumed_rows[name])
            else:
                self._place_body(
                    engine, row, name, initial_poses[name] if name in initial_poses else context.pose(name)
                )
        engine.frozen_contacts = renumber_pairs(state.frozen_contacts, old_engine.names, engine.names)
        engine.forward()
        relative_keys = self._relative_keys.initial_frames(
            self._carrier_poses.poses(engine.poses, self._watched_poses(context, np.zeros(1))[0])
        )
        self._relative_keys.resume_frames(
            relative_keys,
            self._follower_arrays.names,
            before._relative_keys,
            before._follower_arrays.names,
            state.relative_keys,
        )
        old_rows = {name: row for row, name in enumerate(before._follower_arrays.names)}
        for row, name in enumerate(self._follower_arrays.names):
            if name in old_rows:
                is_same = self._reach_and_figure(name) == before._reach_and_figure(name)
                followers[row] = self._follower_arrays.resume_follower(
                    row, before._follower_arrays, old_rows[name], state.followers[old_rows[name]], is_same
                )
        self._relative_keys.clear_path_velocities(followers)
        field_forces = self._field_forces
        field_state = (
            None if field_forces is None else field_forces.resume(engine, context, before._field_forces, state.fields)
        )
        new_names = {
            name
            for name in (*self.movers, *self._kinematic_names)
            if name not in before._rows and name not in before._static_poses
        }
        events = state.events.with_events(initial_warnings(engine, self._moving_names, new_names, context.time))
        connections = before._system_context.connections, self._system_context.connections
        events = events.with_events(detached_joint_events(old_engine, engine, *connections, context.time))
        engine.penetrations = np.vstack(
            [
                renumber_pairs(state.penetrations, old_engine.names, engine.names),
                initial_penetrations(engine, new_names),
            ]
        )
        sync = None if self._sync_plan is None else self._sync_plan.initial_state(context.time, context.previous_sync)
        return self._initial_state(
            engine, context.time, followers, relative_keys, events, field_state, sync, state.substeps
        )

    def _reach_and_figure(self, name: str) -> tuple[Reach | None, Mapping[str, AnyBodyMover]]:
        """What leads a limb, and the figure that it is of."""
        figure_name = name.split("/")[0]
        return self._reaches.get(name), {
            other: mover for other, mover in self.movers.items() if other.split("/")[0] == figure_name
        }

    def _resume_same(
        self, engine: "Engine", state: BodyState, jump_names: Sequence[str], context: StepContext
    ) -> BodyState:
        """The state where all bodies are the same, and what pushes them; motions may have put some elsewhere."""
        if not jump_names:
            self._local.current_state = state.engine
            return state
        for name in jump_names:
            self._place_body(engine, self._rows[name], name, context.pose(name))
        engine.forward()
        synchronizer = None if self._sync_plan is None else self._sync_plan.synchronizer(state.sync)
        arguments = (
            state.followers.copy(),
            state.relative_keys.copy(),
            state.contacts,
            state.events,
            state.substeps,
            state.fields,
            synchronizer,
        )
        return self._freeze(engine, context.time, *arguments)

    def step(self, state: BodyState, context: StepContext, dt: float) -> BodyState:
        """Everybody one tick later."""
        return self.step_many(state, context, np.array([context.time, context.time + dt]), dt)[1]

    def step_many(
        self, state: BodyState, context: StepContext, times: Floats, dt: float
    ) -> tuple[BodyState, BodyState]:
        """Everybody at the last two of these times, from the first on, in ticks of `dt` seconds: as by steps."""
        engine = self._thread_engine(context)
        self._restore(engine, state)
        watched_poses = self._watched_poses(context, times[:-1])
        followers, events, (level, settled_ticks) = state.followers.copy(), state.events, state.substeps
        contacts = ContactTracker(engine, state.contacts)
        relative_keys, path_cache = state.relative_keys.copy(), self._path_cache()
        if path_cache is not None:
            path_cache.set_frames(relative_keys)
        field_forces, field_state, forces = self._field_forces, state.fields, None
        contexts = None if field_forces is None else field_forces.step_contexts(context, times[:-1])
        synchronizer = None if self._sync_plan is None else self._sync_plan.synchronizer(state.sync)
        saved_followers, previous_velocities = np.empty_like(followers), engine.velocities.copy()
        max_depth, refine_speed = self._local.max_depth, self._local.refine_speed
        previous = state
        for number, time in enumerate((times[:-1] + dt).tolist()):
            if 0 < number == len(times) - 2:
                current = (
                    followers.copy(),
                    relative_keys.copy(),
                    contacts.pair_codes,
                    events,
                    (level, settled_ticks),
                    field_state,
                    synchronizer,
                )
                previous = self._freeze(engine, time - dt, *current)
            if path_cache is not None:  # once a tick, however often that is halved
                path_cache.step(
                    self._carrier_poses.poses(engine.poses, watched_poses[number]), dt, relative_keys, followers
                )
            previous_velocities[:] = engine.velocities
            if may_refine := contacts.max_speed > refine_speed:
                engine.save_state()
                saved_followers[:] = followers
            if field_forces is not None and contexts is not None:
                forces, field_state = field_forces.forces(engine, field_state, contexts[number], dt)
            wants_reason = synchronizer is not None and synchronizer.wants_delay_reason
            warnings, blockers = self._tick(
                engine, followers, watched_poses[number], forces, time, dt, level, wants_reason
            )
            new_count = contacts.update(previous_velocities)
            needed_level = substep_level(contacts.max_collision_speed, max_depth) if new_count and may_refine else 0
            if needed_level > level:  # before they met, or the harder contact would throw them back harder
                level, settled_ticks = needed_level, 0
                engine.restore_saved_state()
                engine.freeze_contacts()
                followers[:] = saved_followers
                warnings, blockers = self._tick(
                    engine, followers, watched_poses[number], forces, time, dt, level, wants_reason
                )
                new_count = contacts.update(previous_velocities)
            if new_count:
                events = events.with_events(contacts.collisions(time))
            contacts.commit()
            if len(engine.frozen_contacts):
                engine.release_contacts()
            if level:
                level, settled_ticks = next_substep_level(level, settled_ticks, engine.max_depth, max_depth)
            if warnings:
                events = events.with_events(warnings)
            if contacts.count or len(engine.penetrations):
                events = events.with_events(penetration_events(engine, time, dt))
            if synchronizer is not None and self._body_progress is not None:
                self._body_progress.synchronize(
                    synchronizer, self._current_arrays, followers, engine.poses, time, dt, blockers, events
                )
        final = self._freeze(
            engine,
            float(times[-1]),
            followers,
            relative_keys,
            contacts.pair_codes,
            events,
            (level, settled_ticks),
            field_state,
            synchronizer,
        )
        return previous, final

    # ---- inside ------------------------------------------------------------------------------------------------------

    def _place_body(self, engine: "Engine", row: int, name: str, pose: Pose) -> None:
        """Put a moving body where it begins."""
        mover = self.movers.get(name)
        if isinstance(mover, FigureLink):
            return
        velocity = angular_velocity = np.zeros(3)
        if isinstance(mover, Free):
            velocity = np.array(mover.velocity)
            angular_velocity = quaternion.rotate(quaternion.conjugate(pose.orientation), np.radians(mover.spin))
        engine.set_pose(row, pose.position, pose.orientation, velocity, angular_velocity)

    def _watched_poses(self, context: StepContext, times: Floats) -> Floats:
        """Where those are whom others move, at each of some ticks: (times, watched, 7)."""
        poses = np.empty((len(times), len(self._watched_names), 7))
        for number, name in enumerate(self._watched_names):
            pose = context.pose(name) if len(times) == 1 else context.past_poses(name, times)
            assert pose is not None, "only where nobody else takes ticks many are taken at once"
            poses[:, number, :3], poses[:, number, 3:] = pose.position, pose.orientation
        return poses

    def _tick(
        self,
        engine: "Engine",
        followers: Records,
        watched_poses: Floats,
        forces: Floats | None,
        time: float,
        dt: float,
        level: int,
        wants_reason: bool,
    ) -> tuple[Sequence[Event], Blockers]:
        """One tick until `time`, in steps that are so often halved; what is told of those who have waited too long.

        And what was in whose way, where somebody asks for that.
        """
        warnings: list[Event] = []
        blockers: Blockers = {}
        base_steps, field_forces, actuation = round(dt / TICK) or 1, self._field_forces, self._local.actuation
        substep_count = base_steps << level
        step = dt / substep_count
        engine.set_timestep(
            step, dt / base_steps
        )  # always before the first part, or a rewound run would see other contacts
        if self._kinematic_names:
            drive_kinematic_bodies(engine, self._moving_count, watched_poses[: len(self._kinematic_names)], dt)
        for _ in range(substep_count):
            if field_forces is not None:
                field_forces.clear_forces(engine)
            status = actuation(followers, step)
            if status >= 0:
                raise self._divergence_error(engine, time - dt)
            if field_forces is not None and forces is not None:
                field_forces.add_forces(engine, forces)
            engine.step()
            if status == STALL_TIMEOUT:
                warnings += stall_events(
                    engine, time, self._follower_arrays, self._key_carriers, followers, actuation.weak
                )
            if actuation.persistently_weak:
                warnings += weakness_events(
                    engine, time, self._follower_arrays, self._key_carriers, followers, actuation.persistently_weak
                )
            if wants_reason:
                numbers, arguments = (
                    np.arange(len(followers)),
                    (engine, self._follower_arrays, self._key_carriers, followers),
                )
                results = (blocking_forces(*arguments, numbers, is_rotation) for is_rotation in (False, True))
                blockers = {channel: contact_forces for found in results for channel, contact_forces in found.items()}
            try:
                engine.forward()
            except ArithmeticError:
                raise self._divergence_error(engine, time) from None
        return warnings, blockers

    def _initial_state(
        self,
        engine: "Engine",
        time: float,
        followers: Records,
        relative_keys: Floats,
        events: EventLog,
        field_state: Any,
        sync: Any,
        substeps: tuple[int, int] = (0, 0),
    ) -> BodyState:
        path_cache = self._path_cache()
        if path_cache is not None:
            path_cache.begin(relative_keys, followers)
        poses = engine.poses[self._follower_arrays.specs.body_row]
        followers.stall_position, followers.stall_orientation = poses[:, :3], poses[:, 3:]
        followers.stall_u = followers.u
        self._follower_arrays.initialize_disturbance(
            followers,
            self._system_context.gravity,
            attached_rows={*engine.contact_pairs().ravel().tolist(), *self._reach_rows},
        )
        self._local.actuation.initialize_disturbance(followers)
        no_contacts = np.empty(0, np.int64)
        contacts = ContactTracker(engine, no_contacts)
        contacts.update(engine.velocities)
        contacts.commit()
        synchronizer = None if self._sync_plan is None else self._sync_plan.synchronizer(sync)
        if synchronizer is not None and self._body_progress is not None:
            self._body_progress.begin(synchronizer, self._current_arrays, followers, engine.poses, time)
        return self._freeze(
            engine, time, followers, relative_keys, contacts.pair_codes, events, substeps, field_state, synchronizer
        )
