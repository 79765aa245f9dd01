"""What stays when something is changed while it runs? States, and what has happened to carried keys so far.

A mover goes on from where it is if it stays of the same type; who is new begins at the moment of the change. Keys that
were passed stay passed; what is to come is found anew.
"""

from dataclasses import replace

from keypose.maths.arrays import Floats
from keypose.maths.tolerance import TIME_TOLERANCE
from keypose.motion.facing import FaceForward
from keypose.motion.hierarchy import middle
from keypose.motion.pose import Pose
from keypose.motion.relative.pass_log import Story
from keypose.motion.relative.passing_times import carried_over, solved
from keypose.motion.system import Aiming
from keypose.script.plan import FROM_THE_BEGINNING, Gone
from keypose.stage.actor import Actor
from keypose.stage.evaluate.dependencies import Step
from keypose.stage.evaluate.poses import Instants, looking
from keypose.stage.resolve.synchronization import goes_by_a_clock
from keypose.stage.run.moment import Moment
from keypose.stage.run.mover_state import Track, posed
from keypose.stage.run.start import begun
from keypose.stage.run.system_state import kept_by
from keypose.stage.run.tick_time import Beat
from keypose.stage.stage import Stage, moved_between


def going_on(now: Moment, stage: Stage) -> Stage:
    """Another stage as it is played from now on: motions keep the clocks of their own they had, or they would jump.

    Nobody holds them any more, so these go on at full speed from what they show. Rounds of meetings that are new are
    counted from now on.
    """
    kept = kept_by(now.casts.values())
    begins = FROM_THE_BEGINNING if stage.plan is None else stage.plan.begins_by(now.time, kept, _gone(now, stage))
    if kept is None:
        return stage.by_clocks((), begins)
    shown = zip(kept[0].timed, kept[0].clocks(kept[1]).tolist(), strict=True)
    timed = {} if stage.plan is None else stage.plan.timed
    lost = [
        name for name, time in shown if abs(time - now.time) > TIME_TOLERANCE and name in stage and name not in timed
    ]
    return stage.by_clocks([name for name in lost if goes_by_a_clock(stage[name])], begins)


def _gone(now: Moment, stage: Stage) -> Gone:
    """Where the targets are of those who go on racing."""
    found: dict[str, tuple[float, float, int]] = {}
    for kind, cast in now.casts.items():
        if kind in stage.companies and isinstance(cast.company, Aiming):
            found |= cast.company.gone(cast.state)
    return found


def changed(now: Moment, stage: Stage, beat: Beat) -> Moment:
    """The moment as it is on another stage from now on."""
    moved = moved_between(now.stage, stage)
    stage.share(now.stage, moved)
    tracks = {}
    for name in stage.alone:
        actor, before = stage.by_name[name], now.stage.by_name.get(name)
        if before is not None and type(before.motion_or_mover) is type(actor.motion_or_mover):
            tracks[name] = _gone_on(actor, now.tracks[name], now.time) if name in moved else now.tracks[name]
    for company in stage.companies.values():
        tracks |= {name: now.tracks[name] for name in company.watches if name in now.tracks}
    begins = begun(stage, beat, tracks, _stories_on(now, stage, moved), _last_on(now, stage), now.casts)
    kept = kept_by(now.casts.values()) if stage.plan is None else None
    return replace(begins, told=now.told if kept is None else (*now.told, *kept[0].events(kept[1])))


def _last_on(now: Moment, stage: Stage) -> dict[Step, Pose]:
    """What movers on a circle read right after the change: what they did, or where those were who are new to them."""
    last = {}
    for step in stage.late.values():
        if step in now.last:
            last[step] = now.last[step]
        elif step[0] in now.stage:
            pose = now.instant.pose(step[0])
            last[step] = Pose(middle(pose)[0], pose.orientation[0])
    return last


def _gone_on(actor: Actor, track: Track, time: float) -> Track:
    """The track of a mover that is said differently, with the state it has."""
    pose = posed(actor, track.lent, time)
    if isinstance(actor.facing, FaceForward):
        pose = Pose(pose.position, track.pose.orientation)
    return replace(track, pose=pose)


def _stories_on(now: Moment, stage: Stage, moved: frozenset[str]) -> dict[str, Story]:
    """What happened to carried keys so far, on a stage where some move differently."""
    stories: dict[str, Story] = {}

    def instants(t: Floats) -> Instants:
        return stage.instants(t, lambda name: stories[name] if name in stories else stage.meetings.story(name))

    for name in (name for name, turned in stage.steps if not turned and name in stage.meetings):
        live = name in stage.meetings.live
        if name not in now.stage.meetings:
            continue
        if moved.isdisjoint(other for other, _ in stage.steps_to(name)):
            if name in now.stories:
                stories[name] = now.stories[name]
                continue
            if not live:
                continue
        old, new = now.stage.meetings.of(name), stage.meetings.of(name)
        known = carried_over(old, now.story(name), new, now.time)
        if known is not None:
            if not live:
                look = looking(instants, stage.meetings.batches(name))
                known = solved(new, look, stage.meetings.corners(name), known, now.time)
            stories[name] = known
    return stories
