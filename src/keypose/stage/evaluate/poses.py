"""Where is everybody at these moments? Each actor's own pose first, then from the root up, then who looks at whom.

Asked for some, only those and what they stand on or look at are worked out; each is worked out once.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from keypose.maths.arrays import Floats
from keypose.motion.facing import FEEL, FaceForward, LookAt, towards
from keypose.motion.hierarchy import in_space, middle
from keypose.motion.pose import Pose
from keypose.motion.relative.pass_log import Story
from keypose.motion.relative.relative_motion import Look
from keypose.stage.evaluate.dependencies import Step, needs, stands, stood_together, turned_together

if TYPE_CHECKING:
    from keypose.stage.evaluate.batch import Batch
    from keypose.stage.stage import Stage


class Instants:
    """The cast at times t (n,) [s].

    `taken(name)` says the poses (n, …) of a mover in the frame it stands in, `story(name)` which keys of an actor have
    been passed by when, `late(step)` what a mover on a circle reads of another, or None if it stands by itself.
    """

    def __init__(
        self,
        stage: "Stage",
        t: Floats,
        taken: Callable[[str], Pose],
        story: Callable[[str], Story],
        late: Callable[[Step], Pose | None] = lambda _: None,
    ) -> None:
        self._stage = stage
        self._t = t
        self._taken = taken
        self._story = story
        self._late = late
        self._own: dict[str, Pose] = {}
        self._done: dict[Step, Pose] = {}
        self._base = t
        self._now = 0
        self._others: dict[int, Instants] = {}

    def everybody(self) -> dict[str, Pose]:
        """All poses in the world, in the stage's order of actors."""
        self.prepare(self._stage.batches, self._stage.levels)
        actors = self._stage.by_name
        return {name: self._done[stands(actors, name)] for name in actors}

    def prepare(self, batches: Iterable["Batch"], levels: Iterable[Iterable[Step]]) -> None:
        """Work out what will be asked for, those of a batch and those of a level together."""
        for batch in batches:
            self._own.update(batch.poses(self._t))
        for level in levels:
            self._work_out_together(level)

    def pose(self, name: str) -> Pose:
        """One actor's poses in the world."""
        return self.after(stands(self._stage.by_name, name))

    def after(self, step: Step) -> Pose:
        """One actor's poses in the world after a step: turned to what it looks at, or not yet."""
        if step not in self._done:
            self._work_out(self._stage.steps_to(step[0]))
        return self._done[step]

    def under(self, name: str) -> Pose | None:
        """What an actor stands on, as it reads it; None for the world."""
        parent = self._stage.by_name[name].parent
        if parent is None:
            return None
        other = stands(self._stage.by_name, parent)
        return self._late(other) if (name, False) in self._stage.late else self.after(other)

    def _work_out(self, steps: Iterable[Step]) -> None:
        """Do these steps one after the other."""
        for step in steps:
            self._work_out_together([step])

    def _work_out_together(self, level: Iterable[Step]) -> None:
        """Do these steps, none of which needs another."""
        actors, late, done = self._stage.by_name, self._stage.late, self._done
        turning: dict[Step, tuple[Pose, Pose]] = {}
        standing: dict[Step, tuple[Pose, Pose]] = {}
        for step in level:
            if step in done:
                continue
            name, turned = step
            actor = actors[name]
            if turned:
                assert isinstance(actor.facing, LookAt)
                target = self._late(late[step]) if step in late else done[actor.facing.name, False]
                if target is None:
                    done[step] = done[name, False]
                else:
                    turning[step] = done[name, False], target
                continue
            under = None
            if actor.parent is not None:
                under = self._late(late[step]) if step in late else done[stands(actors, actor.parent)]
            own = self._own_pose(name)
            if under is None:
                done[step] = own
            else:
                standing[step] = under, own
        for steps, together in ((standing, stood_together), (turning, turned_together)):
            if steps:
                done.update(zip(steps, together(*zip(*steps.values(), strict=True)), strict=True))

    def _own_pose(self, name: str) -> Pose:
        """An actor's poses in the frame it stands in."""
        actor = self._stage.by_name[name]
        if actor.motion is None:
            return self._taken(name)
        if name in self._stage.meetings:
            return self._met(name)
        if name in self._own:
            return self._own[name]
        pose = in_space(actor.motion.at(self._t))
        if isinstance(actor.facing, FaceForward):
            return Pose(pose.position, actor.facing.along(actor.motion, self._t, pose.orientation))
        return pose

    def _met(self, name: str) -> Pose:
        """The poses of an actor some of whose keys are carried, in the frame it stands in."""
        actor, meeting, story = self._stage.by_name[name], self._stage.meetings.of(name), self._story(name)
        pose = meeting.at(self._t, self._look, story)
        if not isinstance(actor.facing, FaceForward):
            return pose
        upright = towards(meeting.direction(self._t, self._look, story), pose.orientation)
        if not actor.facing.bank:
            return Pose(pose.position, upright)
        soon, just_now = (self._elsewhen(aside)._place(name) for aside in (1, -1))
        curve = (soon - 2 * middle(pose) + just_now) / FEEL**2
        return Pose(pose.position, actor.facing.leaned(upright, curve))

    def _look(self, name: str, t: Floats) -> Pose:
        """A carrier's poses, which are worked out before they are needed."""
        assert t is self._t
        return self._done[stands(self._stage.by_name, name)]

    def _elsewhen(self, aside: int) -> "Instants":
        """The cast so many times `FEEL` later. All who lean share these, or each of a chain would triple the work."""
        self._others.setdefault(self._now, self)
        when = self._now + aside
        if when not in self._others:
            other = Instants(self._stage, self._base + when * FEEL, self._taken, self._story, self._late)
            other._base, other._now, other._others = self._base, when, self._others
            self._others[when] = other
        return self._others[when]

    def _place(self, name: str) -> Floats:
        """Where an actor whose keys are carried is in the frame it stands in, whichever way it faces."""
        for other in needs(self._stage.by_name, (name, False)):
            self.pose(other[0])
        return middle(self._stage.meetings.of(name).at(self._t, self._look, self._story(name)))


def looking(at: Callable[[Floats], Instants], batches: Iterable["Batch"] = ()) -> Look:
    """How to look at anybody at any times; those of a batch are asked together, and nobody twice for the same times."""
    last: list[tuple[Floats, Instants]] = []

    def look(name: str, t: Floats) -> Pose:
        if not last or last[0][0] is not t:
            instants = at(t)
            instants.prepare(batches, ())
            last[:] = [(t, instants)]
        return last[0][1].pose(name)

    return look
