"""The system of all bodies on a stage: their first state, their next states, and what can be read from a state.

A tick is a number of MuJoCo steps, halved where contacts are too fast for them. `EnginePool` holds the engines and
their states, `BodyReadout` reads states, `FieldForces` and `Actuation` give the forces.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.curves import CarrierFrames
from keypose.errors import KeyposeError
from keypose.maths import Floats, RecordArray, copy_records, load_kernels, quaternion
from keypose.motion import Event, Pose, StepContext, SyncPlanProtocol, SystemContext
from keypose.physics.diagnostics.collisions import ContactTracker
from keypose.physics.diagnostics.detached_joints import detached_joint_events
from keypose.physics.diagnostics.event_log import EventLog
from keypose.physics.diagnostics.penetration import initial_penetrations, initial_warnings, penetration_events
from keypose.physics.diagnostics.stalls import blocking_forces, stall_events
from keypose.physics.diagnostics.strength import weakness_events
from keypose.physics.engine.contact_model.frozen_contacts import renumber_pairs
from keypose.physics.engine.contact_model.substeps import next_substep_level, substep_level
from keypose.physics.engine.kinematic_bodies import drive_kinematic_bodies, is_jump
from keypose.physics.relative.key_carriers import KeyCarriers
from keypose.physics.relative.relative_path_cache import CarrierPoses
from keypose.physics.simulation.body_plan import BodyPlan
from keypose.physics.simulation.engine_pool import EnginePool
from keypose.physics.simulation.initial_poses import find_initial_poses
from keypose.physics.simulation.readout import BodyReadout
from keypose.physics.simulation.state import BodyMemory, BodyState
from keypose.physics.sync.body_progress import Blockers
from keypose.physics.values.connections import Reach
from keypose.physics.values.figure import AnyBodyMover, FigureLink
from keypose.physics.values.movers import TICK, Free

if TYPE_CHECKING:
    from keypose.physics.engine.engine import Engine


STALL_TIMEOUT = -2  # what `kernels.step_followers` returns if a stall is to be reported


class BodySystem:
    """All bodies on a stage."""

    def __init__(self, movers: Mapping[str, AnyBodyMover], system_context: SystemContext) -> None:
        load_kernels()  # or a stage that is built first would differ by a bit from the same one, built again
        for name in movers:
            if name in system_context.child_actors:
                raise KeyposeError(
                    f"Actor {name!r} has a body and a parent. Bodies are in the world: leave the parent out."
                )
        self._plan = plan = BodyPlan.of(movers, system_context)
        self.engines, self._readout = EnginePool(plan), BodyReadout(plan)
        self._field_forces, self._sync_plan = plan.field_forces, plan.sync_plan
        self._reach_rows = [plan.rows[name] for name in plan.reaches]
        self._key_carriers = KeyCarriers(plan.relative_keys, plan.follower_arrays, movers)
        carriers = plan.relative_keys.carriers
        outside_names = (name for name in carriers if name not in plan.rows and name not in movers)
        self._watched_names = (*plan.kinematic_names, *outside_names)
        """The actors that motions or other systems move: first those with bodies, then those that only carry keys."""
        self._carrier_poses = CarrierPoses(carriers, plan.rows, plan.static_poses, self._watched_names)
        field_watches = {} if self._field_forces is None else self._field_forces.sensing.watches
        self.watches = {name: (*self._watched_names, *field_watches.get(name, ())) for name in movers}
        self.watches |= dict.fromkeys(plan.clocked_motions, ())
        """All bodies watch kinematic bodies and the carriers of keys, and those that their fields name."""

    @property
    def freezes_state(self) -> bool:
        """Whether all of a state is finite and read-only, as it is if no body senses a field."""
        return self._field_forces is None

    def initial_poses(self) -> Mapping[str, Pose]:
        """Where everybody begins who begins in the world, or relative to somebody who does."""
        return self.engines.world_initial_poses

    def begin(self, context: StepContext) -> BodyState:
        """Everybody at the first moment."""
        plan = self._plan
        engine, initial_poses = self.engines.engine(context), self.engines.initial_poses(context.pose)
        self.engines.set_current(None)  # until it is somewhere
        engine.reset()
        for row, name in enumerate(plan.body_names):
            self._place_body(engine, row, name, initial_poses[name] if name in initial_poses else context.pose(name))
        engine.forward()
        relative_keys = plan.relative_keys.initial_frames(
            self._carrier_poses.poses(engine.poses, self._watched_poses(context, np.zeros(1))[0])
        )
        field_state = None if self._field_forces is None else self._field_forces.begin(engine, context)
        events = EventLog().with_events(initial_warnings(engine, plan.moving_names, plan.movers.keys(), context.time))
        engine.penetrations = initial_penetrations(engine, plan.movers.keys())
        sync = None if self._sync_plan is None else self._sync_plan.initial_state(context.time, context.previous_sync)
        return self._initial_state(
            engine, context.time, plan.follower_arrays.initial_state(), relative_keys, events, field_state, sync
        )

    def resume(self, context: StepContext, before: "BodySystem", state: BodyState) -> BodyState:
        """Who was there goes on as it was; who is new begins."""
        plan, old_plan = self._plan, before._plan
        old_engine = before.engines.engine(context)
        before.engines.restore(old_engine, state)
        known_kinematic = (name for name in plan.kinematic_names if name in old_plan.rows)
        jump_names = [name for name in known_kinematic if is_jump(old_engine, old_plan.rows[name], context.pose(name))]
        if before is self:
            return self._resume_same(old_engine, state, jump_names, context)
        engine, followers = self.engines.engine(context), plan.follower_arrays.initial_state()
        self.engines.set_current(None)
        resumed_rows = {
            name: old_plan.rows[name] for name in plan.body_names if name in old_plan.rows and name not in jump_names
        }
        known_poses = {
            name: Pose.of(old_engine.poses[row, :3], old_engine.poses[row, 3:]) for name, row in resumed_rows.items()
        }
        initial_poses = find_initial_poses(plan.movers, {**plan.static_poses, **known_poses}, context.pose)
        engine.reset()
        for row, name in enumerate(plan.body_names):
            if name in resumed_rows:
                engine.copy_body_state(row, old_engine, resumed_rows[name])
            else:
                self._place_body(
                    engine, row, name, initial_poses[name] if name in initial_poses else context.pose(name)
                )
        engine.frozen_contacts = renumber_pairs(state.frozen_contacts, old_engine.names, engine.names)
        engine.forward()
        relative_keys = plan.relative_keys.initial_frames(
            self._carrier_poses.poses(engine.poses, self._watched_poses(context, np.zeros(1))[0])
        )
        plan.relative_keys.resume_frames(
            relative_keys,
            plan.follower_arrays.names,
            old_plan.relative_keys,
            old_plan.follower_arrays.names,
            state.relative_keys,
        )
        old_rows = {name: row for row, name in enumerate(old_plan.follower_arrays.names)}
        for row, name in enumerate(plan.follower_arrays.names):
            if name in old_rows:
                is_same = self._reach_and_figure(name) == before._reach_and_figure(name)
                followers[row] = plan.follower_arrays.resume_follower(
                    row, old_plan.follower_arrays, old_rows[name], state.followers[old_rows[name]], is_same
                )
        plan.relative_keys.clear_path_velocities(followers)
        field_forces = self._field_forces
        field_state = (
            None if field_forces is None else field_forces.resume(engine, context, before._field_forces, state.fields)
        )
        new_names = {
            name
            for name in (*plan.movers, *plan.kinematic_names)
            if name not in old_plan.rows and name not in old_plan.static_poses
        }
        events = state.events.with_events(initial_warnings(engine, plan.moving_names, new_names, context.time))
        connections = old_plan.system_context.connections, plan.system_context.connections
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
        return self._plan.reaches.get(name), {
            other: mover for other, mover in self._plan.movers.items() if other.split("/")[0] == figure_name
        }

    def _resume_same(
        self, engine: "Engine", state: BodyState, jump_names: Sequence[str], context: StepContext
    ) -> BodyState:
        """The state where all bodies are the same, and what pushes them; motions may have put some elsewhere."""
        if not jump_names:
            self.engines.set_current(state.engine)
            return state
        for name in jump_names:
            self._place_body(engine, self._plan.rows[name], name, context.pose(name))
        engine.forward()
        synchronizer = None if self._sync_plan is None else self._sync_plan.synchronizer(state.sync)
        memory = BodyMemory(
            copy_records(state.followers),
            state.relative_keys.copy(),
            state.contacts,
            state.events,
            state.substeps,
            state.fields,
            synchronizer,
        )
        return self.engines.freeze(engine, context.time, memory)

    def step(self, state: BodyState, context: StepContext, dt: float) -> BodyState:
        """Everybody one tick later."""
        return self.step_many(state, context, np.array([context.time, context.time + dt]), dt)[1]

    def step_many(
        self, state: BodyState, context: StepContext, times: Floats, dt: float
    ) -> tuple[BodyState, BodyState]:
        """Everybody at the last two of these times, from the first on, in ticks of `dt` seconds: as by steps."""
        engine = self.engines.engine(context)
        self.engines.restore(engine, state)
        watched_poses = self._watched_poses(context, times[:-1])
        followers, events, (level, settled_ticks) = copy_records(state.followers), state.events, state.substeps
        contacts = ContactTracker(engine, state.contacts)
        relative_keys, path_cache = state.relative_keys.copy(), self.engines.path_cache
        if path_cache is not None:
            path_cache.set_frames(relative_keys)
        field_forces, field_state, forces = self._field_forces, state.fields, None
        contexts = None if field_forces is None else field_forces.step_contexts(context, times[:-1])
        synchronizer = None if self._sync_plan is None else self._sync_plan.synchronizer(state.sync)
        saved_followers, previous_velocities = np.empty_like(followers), engine.velocities.copy()
        max_depth, refine_speed = self.engines.max_depth, self.engines.refine_speed
        previous = state
        for number, time in enumerate((times[:-1] + dt).tolist()):
            if 0 < number == len(times) - 2:
                current = BodyMemory(
                    copy_records(followers),
                    relative_keys.copy(),
                    contacts.pair_codes,
                    events,
                    (level, settled_ticks),
                    field_state,
                    synchronizer,
                )
                previous = self.engines.freeze(engine, time - dt, current)
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
            if synchronizer is not None and self._plan.body_progress is not None:
                self._plan.body_progress.synchronize(
                    synchronizer, self.engines.current_arrays, followers, engine.poses, time, dt, blockers, events
                )
        substeps = level, settled_ticks
        memory = BodyMemory(followers, relative_keys, contacts.pair_codes, events, substeps, field_state, synchronizer)
        return previous, self.engines.freeze(engine, float(times[-1]), memory)

    def poses(self, state: BodyState) -> Mapping[str, Pose]:
        """The poses of all bodies."""
        return self._readout.poses(state)

    def between(self, before: BodyState, after: BodyState, fraction: float) -> Mapping[str, Pose]:
        """The poses of all bodies between two ticks."""
        return self._readout.between(before, after, fraction)

    def stack_frames(self, frames: Sequence[Mapping[str, Pose]]) -> dict[str, Pose]:
        """The poses of all bodies in each of some frames that `poses` or `between` returned."""
        return self._readout.stack_frames(frames)

    def events(self, state: BodyState) -> tuple[Event, ...]:
        """All events so far."""
        return self._readout.events(state)

    def stability_warnings(self) -> tuple[Event, ...]:
        """A warning of each body that tracks with gains that will not settle."""
        return self._readout.stability_warnings()

    @property
    def followers(self) -> tuple[str, ...]:
        """The names of all followers."""
        return self._plan.follower_arrays.names

    def targets(self, state: BodyState) -> Floats:
        """The positions of their targets, (followers, 3)."""
        return self._readout.targets(state)

    def target_parameters(self, state: BodyState) -> Mapping[str, tuple[float, float, int]]:
        """The parameters of both targets of each follower, and the segments of a lap; 0 on an open path."""
        return self._readout.target_parameters(state)

    def carrier_frames(self, state: BodyState) -> Mapping[str, CarrierFrames]:
        """The frames of the relative keys of each follower that has some."""
        return self._readout.carrier_frames(state)

    @property
    def channels(self) -> Sequence[tuple[str, bool]]:
        """The targets that a script regulates: the follower of each, and whether it is that of its rotation."""
        return () if self._sync_plan is None else self._sync_plan.channels

    def speed_factors(self, state: BodyState) -> Floats:
        """(channels,) the share of its nominal speed that each has."""
        return self._readout.speed_factors(state)

    def progress(self, state: BodyState) -> Floats:
        """(channels,) the parameter of each target, and the time of each clock."""
        return self._readout.progress(state)

    def sync_state(self, state: BodyState) -> tuple[SyncPlanProtocol, Any] | None:
        """The meetings and their state; None if no body takes part in one."""
        return self._readout.sync_state(state)

    def _place_body(self, engine: "Engine", row: int, name: str, pose: Pose) -> None:
        """Put a moving body where it begins."""
        mover = self._plan.movers.get(name)
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
        followers: RecordArray,
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
        plan = self._plan
        warnings: list[Event] = []
        blockers: Blockers = {}
        base_steps, field_forces, actuation = round(dt / TICK) or 1, self._field_forces, self.engines.actuation
        substep_count = base_steps << level
        step = dt / substep_count
        engine.set_timestep(
            step, dt / base_steps
        )  # always before the first part, or a rewound run would see other contacts
        if plan.kinematic_names:
            drive_kinematic_bodies(engine, len(plan.moving_names), watched_poses[: len(plan.kinematic_names)], dt)
        for _ in range(substep_count):
            if field_forces is not None:
                field_forces.clear_forces(engine)
            status = actuation(followers, step)
            if status >= 0:
                raise self.engines.divergence_error(engine, time - dt)
            if field_forces is not None and forces is not None:
                field_forces.add_forces(engine, forces)
            engine.step()
            if status == STALL_TIMEOUT:
                warnings += stall_events(
                    engine, time, plan.follower_arrays, self._key_carriers, followers, actuation.weak
                )
            if actuation.persistently_weak:
                warnings += weakness_events(
                    engine, time, plan.follower_arrays, self._key_carriers, followers, actuation.persistently_weak
                )
            if wants_reason:
                numbers, arguments = (
                    np.arange(len(followers)),
                    (engine, plan.follower_arrays, self._key_carriers, followers),
                )
                results = (blocking_forces(*arguments, numbers, is_rotation) for is_rotation in (False, True))
                blockers = {channel: contact_forces for found in results for channel, contact_forces in found.items()}
            try:
                engine.forward()
            except ArithmeticError:
                raise self.engines.divergence_error(engine, time) from None
        return warnings, blockers

    def _initial_state(
        self,
        engine: "Engine",
        time: float,
        followers: RecordArray,
        relative_keys: Floats,
        events: EventLog,
        field_state: Any,
        sync: Any,
        substeps: tuple[int, int] = (0, 0),
    ) -> BodyState:
        path_cache = self.engines.path_cache
        if path_cache is not None:
            path_cache.begin(relative_keys, followers)
        poses = engine.poses[self._plan.follower_arrays.specs["body_row"]]
        followers["stall_position"], followers["stall_orientation"] = poses[:, :3], poses[:, 3:]
        followers["stall_u"] = followers["u"]
        self._plan.follower_arrays.initialize_disturbance(
            followers,
            self._plan.system_context.gravity,
            attached_rows={*engine.contact_pairs().ravel().tolist(), *self._reach_rows},
        )
        self.engines.actuation.initialize_disturbance(followers)
        no_contacts = np.empty(0, np.int64)
        contacts = ContactTracker(engine, no_contacts)
        contacts.update(engine.velocities)
        contacts.commit()
        synchronizer = None if self._sync_plan is None else self._sync_plan.synchronizer(sync)
        if synchronizer is not None and self._plan.body_progress is not None:
            self._plan.body_progress.begin(synchronizer, self.engines.current_arrays, followers, engine.poses, time)
        memory = BodyMemory(followers, relative_keys, contacts.pair_codes, events, substeps, field_state, synchronizer)
        return self.engines.freeze(engine, time, memory)
