"""What stays when something is changed while it runs? States, and what has happened to carried keys so far.

A mover goes on from where it is if it stays of the same type; who is new begins at the moment of the change. Keys that
were passed stay passed; what is to come is found anew.
"""

from dataclasses import replace

from keypose.maths import TIME_TOLERANCE, Floats
from keypose.motion import FaceForward, PassLog, Pose, TargetSystem, pose_center, solve_passing_times, transfer_log
from keypose.script import FROM_START, TargetParameters
from keypose.stage.actor import Actor
from keypose.stage.evaluate.dependencies import PoseStep
from keypose.stage.evaluate.poses import PoseEvaluator, pose_lookup
from keypose.stage.resolve.synchronization import can_have_clock
from keypose.stage.resolved_stage import ResolvedStage, changed_actors
from keypose.stage.run.moment import Moment
from keypose.stage.run.mover_state import MoverState, state_pose
from keypose.stage.run.start import initial_moment
from keypose.stage.run.system_state import find_sync_state
from keypose.stage.run.tick_time import TickTime
from keypose.stage.stage import Stage, with_clocks


def stage_after_change(now: Moment, stage: Stage) -> Stage:
    """Another stage as it is played from now on: motions keep the clocks of their own they had, or they would jump.

    Nobody holds them any more, so these go on at full speed from what they show. Rounds of meetings that are new are
    counted from now on.
    """
    sync = find_sync_state(now.system_states.values())
    plan = stage.resolved.sync_plan
    start_progress = (
        FROM_START
        if plan is None
        else plan.find_start_progress(now.time, sync, _target_parameters(now, stage.resolved))
    )
    if sync is None:
        return with_clocks(stage, (), start_progress)
    clock_times = zip(sync[0].clocked_motions, sync[0].clock_times(sync[1]).tolist(), strict=True)
    clocked = {} if plan is None else plan.clocked_motions
    detached = [
        name
        for name, time in clock_times
        if abs(time - now.time) > TIME_TOLERANCE and name in stage and name not in clocked
    ]
    return with_clocks(stage, [name for name in detached if can_have_clock(stage[name])], start_progress)


def _target_parameters(now: Moment, stage: ResolvedStage) -> TargetParameters:
    """Where the targets are of those who go on racing."""
    found: dict[str, tuple[float, float, int]] = {}
    for kind, system_state in now.system_states.items():
        if kind in stage.systems and isinstance(system_state.system, TargetSystem):
            found |= system_state.system.target_parameters(system_state.state)
    return found


def apply_change(now: Moment, stage: ResolvedStage, tick_time: TickTime) -> Moment:
    """The moment as it is on another stage from now on."""
    changed_names = changed_actors(now.stage, stage)
    stage.reuse_results(now.stage, changed_names)
    mover_states = {}
    for name in stage.single_movers:
        actor, before = stage.by_name[name], now.stage.by_name.get(name)
        if before is not None and type(before.motion_or_mover) is type(actor.motion_or_mover):
            mover_states[name] = (
                _continue_mover(actor, now.mover_states[name], now.time)
                if name in changed_names
                else now.mover_states[name]
            )
    for system in stage.systems.values():
        mover_states |= {name: now.mover_states[name] for name in system.watches if name in now.mover_states}
    moment = initial_moment(
        stage,
        tick_time,
        mover_states,
        _transfer_logs(now, stage, changed_names),
        _keep_previous_poses(now, stage),
        now.system_states,
    )
    sync = find_sync_state(now.system_states.values()) if stage.sync_plan is None else None
    return replace(
        moment, earlier_events=now.earlier_events if sync is None else (*now.earlier_events, *sync[0].events(sync[1]))
    )


def _keep_previous_poses(now: Moment, stage: ResolvedStage) -> dict[PoseStep, Pose]:
    """What movers on a circle read right after the change: what they did, or where those were who are new to them."""
    previous_poses = {}
    for step in stage.previous_reads.values():
        if step in now.previous_poses:
            previous_poses[step] = now.previous_poses[step]
        elif step[0] in now.stage.by_name:
            pose = now.evaluator.pose(step[0])
            previous_poses[step] = Pose(pose_center(pose)[0], pose.orientation[0])
    return previous_poses


def _continue_mover(actor: Actor, mover_state: MoverState, time: float) -> MoverState:
    """The track of a mover that is said differently, with the state it has."""
    pose = state_pose(actor, mover_state.mutable_state, time)
    if isinstance(actor.facing, FaceForward):
        pose = Pose(pose.position, mover_state.pose.orientation)
    return replace(mover_state, pose=pose)


def _transfer_logs(now: Moment, stage: ResolvedStage, changed_names: frozenset[str]) -> dict[str, PassLog]:
    """What happened to carried keys so far, on a stage where some move differently."""
    pass_logs: dict[str, PassLog] = {}

    def evaluator(t: Floats) -> PoseEvaluator:
        return stage.evaluator(
            t, lambda name: pass_logs[name] if name in pass_logs else stage.relative_keys.pass_log(name)
        )

    for name in (name for name, is_aimed in stage.steps if not is_aimed and name in stage.relative_keys):
        is_live = name in stage.relative_keys.live
        if name not in now.stage.relative_keys:
            continue
        if changed_names.isdisjoint(other for other, _ in stage.steps_to(name)):
            if name in now.pass_logs:
                pass_logs[name] = now.pass_logs[name]
                continue
            if not is_live:
                continue
        old, new = now.stage.relative_keys.relative_motion(name), stage.relative_keys.relative_motion(name)
        log = transfer_log(old, now.pass_log(name), new, now.time)
        if log is not None:
            if not is_live:
                lookup = pose_lookup(evaluator, stage.relative_keys.batches(name))
                log = solve_passing_times(new, lookup, stage.relative_keys.corner_times(name), log, now.time)
            pass_logs[name] = log
    return pass_logs
