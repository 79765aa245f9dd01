"""What is told of meetings? The script in words, and what became of each as it was played."""

from collections.abc import Iterable

from keypose.motion import Event, MeetingEvent
from keypose.script import Goal, Meeting, TurnGoal
from keypose.stage import Stage
from keypose.studio.protocol.updates.meetings import GoalView, MeetingEventView, MeetingView

MAX_EVENTS = 2000  # of very many the first: so many marks nobody tells apart


def meeting_views(stage: Stage) -> tuple[MeetingView, ...]:
    """All meetings of a stage, in the order they were said."""
    return () if stage.script is None else tuple(_meeting_view(meeting) for meeting in stage.script)


def _meeting_view(meeting: Meeting) -> MeetingView:
    return MeetingView(
        name=meeting.name,
        goals=tuple(_goal_view(actor, goal) for actor, goal in meeting.goals.items()),
        after=meeting.after,
        need=meeting.need,
        of=meeting.of,
        gate=meeting.gate,
        patience=meeting.patience,
    )


def _goal_view(actor: str, goal: Goal) -> GoalView:
    if isinstance(goal, TurnGoal):
        return GoalView(actor=actor, key=goal.key, distance=None, is_orientation=True)
    key, distance = (goal, None) if isinstance(goal, str) else (None, float(goal))
    return GoalView(actor=actor, key=key, distance=distance, is_orientation=False)


def meeting_event_views(events: Iterable[Event]) -> tuple[MeetingEventView, ...]:
    """What became of meetings, in the order it came to pass."""
    meeting_events = [event for event in events if isinstance(event, MeetingEvent)]
    return tuple(
        MeetingEventView(time=one.time, meeting=one.meeting, actor=one.actor, state=one.state, text=one.text)
        for one in sorted(meeting_events, key=lambda event: event.time)[:MAX_EVENTS]
    )
