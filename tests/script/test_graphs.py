"""Whatever the graph: every meeting is done or told to have failed, in order, and nobody freezes without a word."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from keypose import Actor, Body, Box, Follow, KeyposeError, Script, Sphere, Stage, Still, shoot, turn
from keypose.curves.key import Key
from keypose.curves.orientation import Orientation
from keypose.curves.path.motion_path import MotionPath
from tests.script.straight_paths import event_times, meeting_states, walk

KEYS = 5
LONG_SHOT = 20.0  # [s]: all have come to their ends, if nobody freezes
few_examples = settings(deadline=None, max_examples=8, suppress_health_check=list(HealthCheck))


def random_follower(number, length, has_orientations):
    keys = [
        Key(
            (length * key / (KEYS - 1), 0, 2.0 * number),
            name=f"{key}",
            orientation=Orientation.turned(40 * key, "y") if has_orientations else None,
        )
        for key in range(KEYS)
    ]
    return Follow(MotionPath(keys), Body(Sphere(0.1)), within=0.3, speed=1.5)


@st.composite
def scripts(draw, actors):
    """A random graph of meetings; those who may turn have goals of turns, too."""
    script = Script()
    for number in range(draw(st.integers(1, 7))):
        earlier = [meeting.name for meeting in script]
        after = draw(st.lists(st.sampled_from(earlier), max_size=3, unique=True)) if earlier else []
        chosen = draw(st.lists(st.sampled_from(sorted(actors)), min_size=1, max_size=4, unique=True))
        goals = {}
        for name in chosen:
            key = f"{draw(st.integers(0, KEYS - 1))}"
            goals[name] = turn(key) if actors[name] and draw(st.booleans()) else key
        script.meet(
            goals,
            after=after,
            need=draw(st.integers(1, len(after))) if after and draw(st.booleans()) else None,
            of=draw(st.sampled_from(["targets", "targets", "bodies"])),
            gate=draw(st.booleans()),
            name=f"m{number}",
        )
    return script


@st.composite
def stages(draw, *, walks=False, walls=False):
    """A stage with a random script, or None if that is refused."""
    count = draw(st.integers(3, 6))
    has_orientations = {f"{number}": draw(st.booleans()) for number in range(count)}
    lengths = [draw(st.floats(0.5, 6.0)) for _ in range(count)]
    actors = [Actor(f"{n}", random_follower(n, length, has_orientations[f"{n}"])) for n, length in enumerate(lengths)]
    if walks:
        actors[0] = Actor("0", walk(lengths[0], 0, KEYS - 1))
        has_orientations["0"] = False
    if walls:
        actors.append(Actor("wall", Still(Body(Box((0.1, 2, 1))), (0.6 * lengths[1], 0, 2.0))))
    script = draw(scripts(has_orientations))
    try:
        return Stage(actors, script=script)
    except KeyposeError as error:
        if "circle" not in str(error):
            raise
        return None


def check_outcomes(stage, take):
    """Every meeting ends, once; and none is active before as many before it are done as it needs."""
    for meeting in stage.script:
        states = meeting_states(take, meeting.name)
        assert states, f"nothing is told of {meeting}"
        assert states[-1] in ("done", "failed"), f"{meeting} is {states}"
        assert states.count("active") <= 1
        assert sum(state in ("done", "failed") for state in states) == 1
        arrival_times = event_times(take, meeting.name, "reached")
        if "active" in states:
            (active,) = event_times(take, meeting.name, "active")
            earlier_done = [
                time for parent in meeting.after for time in event_times(take, parent, "done") if time <= active
            ]
            assert len(earlier_done) >= (len(meeting.after) if meeting.need is None else meeting.need)
            assert all(time >= active for time in arrival_times)
        if states[-1] == "done":
            assert len(arrival_times) == len(meeting.goals)
            assert event_times(take, meeting.name, "done")[0] >= max(arrival_times)
    times = [event.time for event in take.events]
    assert times == sorted(times)


def check_no_delay_causes(take):
    """Where nothing is in anybody's way, meetings are late for nobody and fail only because of each other."""
    for event in take.events:
        if getattr(event, "state", None) in ("late", "failed"):
            assert "wait for each other" in event.text or "it comes after" in event.text


@few_examples
@given(stages())
def test_every_meeting_of_a_random_graph_is_done_or_reported_as_failed(stage):
    if stage is None:
        return
    take = shoot(stage, LONG_SHOT, 2)
    check_outcomes(stage, take)
    check_no_delay_causes(take)
    for number in range(len(stage.actors)):
        end = stage[f"{number}"].mover.path.at(KEYS - 1)
        assert abs(take[f"{number}"].position[-1, 0] - end[0]) < 0.05, f"{number} has not come to its end"


@few_examples
@given(stages(walks=True))
def test_every_meeting_of_followers_and_a_motion_is_done_or_reported_as_failed(stage):
    if stage is not None:
        take = shoot(stage, LONG_SHOT, 2)
        check_outcomes(stage, take)
        check_no_delay_causes(take)


@few_examples
@given(stages(walls=True))
def test_every_meeting_with_a_stuck_follower_is_done_or_reported_as_failed(stage):
    if stage is not None:
        check_outcomes(stage, shoot(stage, LONG_SHOT, 2))
