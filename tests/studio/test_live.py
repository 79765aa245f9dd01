"""A page plays the scene live: in true time, changed at any moment, rewound, and led by the mouse."""

import asyncio
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Actor, DynamicSpline, FaceForward, KeyposeError, Motion, MotionPath, Pose, Stage, fields, shoot
from keypose.stage.run import Run
from keypose.studio import messages as say
from keypose.studio import running
from keypose.studio.folder import Folder
from keypose.studio.live import MOST_TOLD, LiveRun
from keypose.studio.session import Session
from keypose.studio.views import Notice
from keypose.studio.visitor import Visitor
from keypose.studio.workshop import Workshop
from tests.studio.desk import move, undo
from tests.studio.scenes import text
from tests.studio.visiting import opened

WALK = Motion(MotionPath([(0, 0, 0), (2, 0, 0), (2, 0, 2)]), duration=2.0)
REST = Motion(MotionPath([(0, 1, 0), (0, 2, 0)]), duration=1.0)
FOLLOW = fields.KeepDistance(fields.Pointer(), 0)


def cast(wind=(1, 0, 0), friction=0.1, brush=0.3):
    """A lamp that walks, a leaf in the wind, a moth that stands on the lamp, and a brush led by a pointer."""
    return Stage(
        [
            Actor("lamp", WALK),
            Actor(
                "leaf", DynamicSpline((0, 3, 0), (0, 0, 1), friction=friction, senses={"wind": 1}), facing=FaceForward()
            ),
            Actor("moth", DynamicSpline((1, 0, 0), senses={"light": 0.5}), parent="lamp"),
            Actor("pointer", REST),
            Actor("brush", DynamicSpline((0, 1, 0), friction=0.3, senses={FOLLOW: brush})),
        ],
        fields={"wind": fields.Uniform(wind), "light": fields.Attractor(1).carried_by("lamp")},
    )


class Clock:
    """A clock that is set by hand."""

    now = 100.0

    def __call__(self):
        return self.now


class Playing:
    """A live run whose clock is set by hand, and what it said."""

    def __init__(self, stage):
        self.clock, self.told, self.warned, self.shown = Clock(), [], [], 0
        self.run = LiveRun(stage, self._shown, self._told, lambda *words: self.warned.append(words), self.clock)

    def _shown(self):
        self.shown += 1

    def _told(self):
        self.told.append((self.run.time, self.run.speed))

    def wait(self, seconds):
        self.clock.now += seconds
        self.run.catch_up()

    def places(self):
        """Everybody's row, to the bit."""
        return self.run.film.everybody(self.run.time)[0]


def playing(script, stage=None):
    """What a script makes of a scene that plays live from the start on."""

    async def play():
        live = Playing(cast() if stage is None else stage)
        live.run.play(0.0)
        try:
            return script(live)
        finally:
            live.run.close()

    return asyncio.run(play())


def run_to(run, time):
    while run.time < time - 1e-9:
        run.tick()
    return np.array([np.concatenate([pose.position, pose.orientation]) for pose in run.poses.values()])


def standing(stage):
    """The stage with a pointer that stays where it begins, as long as no mouse leads it."""
    held = Motion(MotionPath([(0, 1, 0), (0, 1, 0)]), duration=1.0)
    return stage.with_actor(stage["pointer"].changed(motion_or_mover=held))


# ---- time ------------------------------------------------------------------------------------------------------------


def test_live_is_a_plain_run_to_the_bit():
    def script(live):
        found = []
        for _ in range(30):
            live.wait(1 / 24)
            found.append(live.places())
        return found

    run = Run(standing(cast()))
    for tick, places in enumerate(playing(script), 1):
        assert_allclose(places, run_to(run, tick / 24), rtol=0, atol=1e-12)
    stage = Stage([actor for actor in cast().actors if actor.name not in ("pointer", "brush")], fields=cast().fields)
    run = Run(stage)
    for tick, places in enumerate(playing(script, stage), 1):
        wanted = run_to(run, tick / 24)
        hair = 1e-6  # the clock is a hair beside a tick: motions are asked there
        assert np.abs(places - wanted).max() < hair
        movers = [index for index, name in enumerate(stage.names) if name == "leaf"]
        assert places[movers].tobytes() == wanted[movers].tobytes()


def test_between_ticks_it_shows_what_a_take_shows():
    stage = cast()
    take = shoot(standing(stage), 1.0, fps=240)

    def script(live):
        found = []
        for _ in range(60):
            live.wait(4 / 240)
            found.append(live.places())
        return found

    for number, places in enumerate(playing(script, stage), 1):
        for row, name in zip(places, stage.names, strict=True):
            assert_allclose(row[:3], take[name].position[4 * number], atol=1e-6, err_msg=name)


def test_all_ticks_that_are_due_pass_at_once():
    def script(live):
        live.wait(1.5)
        return live.run.time

    assert playing(script) == pytest.approx(1.5)


@dataclass(frozen=True)
class Slow:
    """Needs so long for a tick on a clock."""

    clock: Clock
    seconds: float

    def begin(self, sight):
        return 0

    def step(self, state, sight, dt):
        self.clock.now += self.seconds
        return state + 1

    def pose(self, state):
        return Pose(np.array([float(state), 0, 0]), np.array([1.0, 0, 0, 0]))


def test_time_goes_slower_where_ticks_take_too_long_and_that_is_told_once():
    async def play():
        live = Playing(Stage([Actor("red", REST)]))
        live.run.follow(Stage([Actor("red", Slow(live.clock, 0.2))]))
        live.run.play(0.0)
        for _ in range(30):
            live.wait(1 / 60)
        time = live.run.time
        live.run.close()
        return time, live.warned

    time, warned = asyncio.run(play())
    assert time == pytest.approx(30 / 24)  # one tick at a time, however many were due
    assert [kind for kind, _ in warned] == ["warning"]
    assert "goes slower" in warned[0][1]


def test_paused_it_stays_and_goes_on_from_there():
    def script(live):
        live.wait(0.5)
        live.run.pause()
        live.wait(3.0)
        assert live.run.time == pytest.approx(0.5)
        live.run.play(0.5)
        live.wait(0.25)
        return live.run.time, live.told

    time, told = playing(script)
    assert time == pytest.approx(0.75)
    assert [speed for _, speed in told] == [1, 0, 1]


def test_it_plays_by_itself():
    async def play():
        live = Playing(cast())
        live.run.play(0.0)
        live.clock.now += 0.25
        await asyncio.sleep(0.05)
        live.run.close()
        return live.run.time, live.shown

    time, shown = asyncio.run(play())
    assert time == pytest.approx(0.25)
    assert shown > 0


@pytest.mark.parametrize("speed", [2.0, -1.0, 0.5, float("nan")])
def test_only_forwards_and_as_fast_as_life(speed):
    def script(live):
        with pytest.raises(KeyposeError, match="goes forwards as fast as life"):
            live.run.play(0.0, speed)

    playing(script)


# ---- rewinding -------------------------------------------------------------------------------------------------------


def test_rewound_it_shows_the_same_and_can_be_played_forward_again_to_where_it_was():
    def script(live):
        seen = {}
        for count in range(1, 241):
            live.wait(1 / 60)
            seen[count] = live.run.time, live.places().tobytes()
        live.run.pause()
        for count in (30, 200, 31, 1, 240, 120):
            live.run.seek(seen[count][0])
            assert live.run.time == seen[count][0]
            assert live.places().tobytes() == seen[count][1], count
        assert live.run.reached == seen[240][0]
        live.run.seek(1e6)
        assert live.places().tobytes() == seen[240][1]
        live.run.seek(-1)
        assert live.run.time == 0.0

    playing(script)


@pytest.mark.parametrize("moment", [float("nan"), float("inf"), -1e300])
def test_a_moment_that_is_none_is_refused(moment):
    def script(live):
        live.wait(0.5)
        with pytest.raises(KeyposeError, match="moment"):
            live.run.seek(moment)
        assert live.run.time == pytest.approx(0.5)

    playing(script)


def test_who_is_rewound_while_it_plays_goes_on_from_there():
    def script(live):
        live.wait(2.0)
        live.run.seek(0.5)
        live.wait(0.25)
        return live.run.time, live.run.reached

    time, reached = playing(script)
    assert time == pytest.approx(0.75)
    assert reached == pytest.approx(2.0)


# ---- edits -----------------------------------------------------------------------------------------------------------


def test_an_edit_changes_what_runs_from_the_next_tick_on():
    stormy = cast(wind=(0, 0, 9))

    def script(live):
        live.wait(0.5)
        before = live.places()
        live.run.follow(stormy)
        assert live.places().tobytes() == before.tobytes()  # nothing jumps
        live.wait(0.5)
        return live.places()

    plain = Run(standing(cast()))
    run_to(plain, 0.5)
    plain.change(standing(stormy))
    assert_allclose(playing(script), run_to(plain, 1.0), atol=1e-6)


def test_an_edit_belongs_to_its_tick_when_it_is_rewound_and_what_came_after_is_forgotten():
    def script(live):
        live.wait(1.0)
        live.run.pause()
        live.run.follow(cast(wind=(0, 0, 9)))
        live.run.play(live.run.time)
        live.wait(1.0)
        stormy, calm = live.places(), live.run.seek(0.5) or live.places()
        live.run.seek(2.0)
        assert live.places().tobytes() == stormy.tobytes()
        live.run.seek(0.5)
        assert live.places().tobytes() == calm.tobytes()
        live.run.follow(cast(wind=(9, 0, 0)))
        assert live.run.reached == live.run.time == pytest.approx(0.5)

    playing(script)


def test_motions_are_seen_as_they_are_said_also_while_it_is_paused():
    def script(live):
        live.wait(0.51)
        live.run.pause()
        lifted = Motion(MotionPath([(0, 5, 0), (2, 5, 0)]), duration=2.0)
        live.run.follow(cast().with_actor(Actor("lamp", lifted)))
        return live.places()

    places = playing(script)
    assert places[0, 1] == pytest.approx(5.0)
    assert places[2, 1] > 4  # the moth stands on it


def test_who_comes_or_goes_is_seen_at_once():
    def script(live):
        live.wait(0.5)
        more = cast().with_actor(Actor("bird", DynamicSpline((7, 7, 7))))
        live.run.follow(more)
        assert_allclose(live.places()[-1, :3], (7, 7, 7))
        live.run.follow(cast())
        assert live.places().shape == (5, 7)

    playing(script)


def test_at_the_very_beginning_it_begins_as_it_is_said():
    def script(live):
        live.wait(1.0)
        live.run.pause()
        live.run.seek(0.0)
        live.run.follow(cast().with_actor(Actor("leaf", DynamicSpline((0, 9, 0), senses={"wind": 1}))))
        return live.places()

    assert playing(script)[1, 1] == 9


def test_who_drags_for_long_can_rewind_as_far_as_is_kept(monkeypatch):
    monkeypatch.setattr(running, "ACTORS_KEPT", 0)

    def script(live):
        for step in range(60):
            live.wait(1 / 24)
            live.run.follow(cast(wind=(0, 0, step)))
        places = live.places()
        live.run.seek(0.0)
        assert live.run.time == pytest.approx(41 / 24)  # the last twenty changes
        live.run.seek(live.run.reached)
        assert live.places().tobytes() == places.tobytes()

    playing(script)


@dataclass(frozen=True)
class Stumbling:
    """Fails after some steps, or at once."""

    steps: int

    def begin(self, sight):
        if not self.steps:
            raise KeyposeError("It cannot begin. Let it.")
        return 0

    def step(self, state, sight, dt):
        if state + 1 >= self.steps:
            raise ZeroDivisionError("one step too many")
        return state + 1

    def pose(self, state):
        return Pose(np.array([float(state), 0, 0]), np.array([1.0, 0, 0, 0]))


def test_an_edit_that_the_run_refuses_is_told_and_it_goes_on_with_what_it_had():
    def script(live):
        live.wait(0.5)
        live.run.follow(cast().with_actor(Actor("late", Stumbling(0))))
        live.wait(0.5)
        places = live.places()
        live.run.follow(cast(wind=(2, 0, 0)))
        return live.warned, live.run.time, places

    warned, time, places = playing(script)
    assert [kind for kind, _ in warned] == ["warning"]
    assert "goes on with the scene as it was" in warned[0][1]
    assert "It cannot begin" in warned[0][1]
    assert time == pytest.approx(1.0)
    assert places.shape == (6, 7)  # as the document has them, the new one nowhere
    assert_allclose(places[-1], (0, 0, 0, 1, 0, 0, 0))


def test_a_mover_that_fails_pauses_the_run_with_a_notice():
    def script(live):
        live.wait(1.0)
        assert live.run.speed == 0
        return live.warned, live.run.time, live.places()

    warned, time, places = playing(script, Stage([Actor("red", Stumbling(5))]))
    assert [kind for kind, _ in warned] == ["error"]
    assert "paused at 0.166667 s" in warned[0][1]
    assert "one step too many" in warned[0][1]
    assert time == pytest.approx(4 / 24)
    assert places[0, 0] == 4


# ---- warnings --------------------------------------------------------------------------------------------------------


def test_what_happens_in_the_run_is_told_once_also_when_it_is_rewound():
    lost = fields.Formula("(1/(t - 0.5), 0, 0) * sqrt(0.6 - t)")
    stage = Stage([Actor("leaf", DynamicSpline((0, 0, 0), senses={"odd": 1}))], fields={"odd": lost})

    def script(live):
        live.wait(1.0)
        live.run.seek(0.0)
        live.wait(1.0)
        return live.warned

    (warning,) = playing(script, stage)
    assert warning[0] == "warning"
    assert warning[1].startswith("leaf at 0.")
    assert "Stopped" in warning[1]


def test_of_a_flock_whose_gains_do_not_settle_a_few_are_told():
    wild = fields.KeepOffset("lamp", response=0.0)
    birds = [Actor(f"bird/{number}", DynamicSpline((number, 0, 0), senses={wild: 1.0})) for number in range(50)]

    def script(live):
        live.wait(0.5)
        return live.warned

    ((kind, told),) = playing(script, Stage([Actor("lamp", WALK), *birds]))
    assert kind == "warning"
    assert f"And {50 - MOST_TOLD} more like these." in told


# ---- the pointer -----------------------------------------------------------------------------------------------------


def drawn(live, seconds=2.0, size=1.0):
    """Lead the pointer along a circle."""
    seen = []
    for step in range(round(seconds * 60)):
        angle = step / 30
        live.run.point((size * np.cos(angle), size * np.sin(angle), 0.0))
        live.wait(1 / 60)
        seen.append((live.run.time, live.places().tobytes()))
    return seen


def test_until_the_mouse_points_the_pointer_stands_where_it_begins_and_then_it_is_led():
    def script(live):
        live.wait(0.5)
        assert live.places()[3, :3].tolist() == [0, 1, 0]
        live.run.point((3.0, 2.0, 1.0))
        live.wait(0.25)
        assert live.places()[3, :3].tolist() == [3, 2, 1]
        live.wait(2.0)
        return live.places()

    brush = playing(script)[4, :3]
    assert np.linalg.norm(brush - (3, 2, 1)) < 0.2  # it follows


def test_strokes_come_again_to_the_bit_after_a_rewind():
    def script(live):
        seen = drawn(live)
        live.run.pause()
        for count in (10, 100, 60, 119):
            live.run.seek(seen[count][0])
            assert live.places().tobytes() == seen[count][1]
        live.run.seek(0.0)
        live.run.play(0.0)
        for time, places in seen:
            live.wait(time - live.run.time)
            if live.run.time == time:
                assert live.places().tobytes() == places

    playing(script)


def test_after_a_rewind_new_strokes_replace_those_that_came_after():
    def script(live):
        drawn(live)
        live.run.seek(1.0)
        live.run.point((5.0, 5.0, 0.0))
        live.wait(1.0)
        assert live.places()[3, :3].tolist() == [5, 5, 0]
        assert live.run.reached == live.run.time
        live.run.seek(0.5)
        assert live.places()[3, :3].tolist() != [5, 5, 0]
        live.run.seek(live.run.reached)
        assert live.places()[3, :3].tolist() == [5, 5, 0]

    playing(script)


def test_after_an_edit_in_the_past_the_same_line_is_drawn_with_another_brush():
    def script(live):
        drawn(live)
        one = live.places()
        live.run.seek(0.0)
        live.run.follow(cast(brush=0.1))
        live.wait(2.0)
        return one, live.places()

    one, two = playing(script)
    assert_allclose(two[3], one[3])
    assert np.linalg.norm(two[4, :3] - one[4, :3]) > 0.01


def test_leading_the_pointer_needs_no_change_of_the_run(monkeypatch):
    changes = []
    monkeypatch.setattr(Run, "change", lambda *_: changes.append(1))
    playing(drawn)
    assert not changes


def test_a_drawing_is_led_by_its_middle():
    drawing = Motion(MotionPath(np.array([[[0, 0], [2, 0]], [[0, 1], [2, 1]]], dtype=float)), duration=1.0)

    def script(live):
        live.run.point((3.0, 2.0, 1.0))
        live.wait(0.25)
        return live.run.film.everybody(live.run.time)

    rows, (points,) = playing(script, Stage([Actor("pointer", drawing)]))
    assert rows[0, :3].tolist() == [3, 2, 1]
    assert points.tolist() == [[2, 2, 1], [4, 2, 1]]


@pytest.mark.parametrize(("stage", "told"), [
    (Stage([Actor("red", REST)]), "there is none on the stage. Add an actor of that name"),
    (Stage([Actor("red", REST), Actor("pointer", REST, parent="red")]), "stands on 'red'.*Let it stand on nothing"),
])  # fmt: skip
def test_without_a_pointer_in_the_world_nothing_can_be_led(stage, told):
    def script(live):
        with pytest.raises(KeyposeError, match=told):
            live.run.point((0.0, 0.0, 0.0))

    playing(script, stage)


@pytest.mark.parametrize("far", [1e300, float("inf"), float("nan")])
def test_a_place_beyond_all_scenes_is_refused(far):
    def script(live):
        with pytest.raises(KeyposeError, match="The mouse points to"):
            live.run.point((0.0, far, 0.0))

    playing(script)


# ---- pages -----------------------------------------------------------------------------------------------------------


class Page(Visitor):
    """A page whose answers are kept here."""

    def __init__(self, workshop):
        super().__init__(workshop)
        self.heard = []

    def answer(self, view):
        self.heard.append(view)

    def says(self, kind, **said):
        return self._carry_out(kind(id=1, **said))

    def refuses(self, kind, **said):
        with pytest.raises(KeyposeError) as why:
            self.says(kind, **said)
        return str(why.value)

    @property
    def notices(self):
        return [(view.kind, view.text) for view in self.heard if isinstance(view, Notice)]


def visited(folder, script, stage=None):
    """What a script makes of a workshop, in a loop of its own."""

    async def visit():
        workshop = Workshop(Session(cast() if stage is None else stage), Folder(folder))
        try:
            return script(workshop)
        finally:
            for page in tuple(workshop.pages):
                workshop.leave(page)
            await workshop.close()

    return asyncio.run(visit())


def joined(workshop):
    page = Page(workshop)
    workshop.join(page)
    return page


def pass_ticks(live, count):
    for _ in range(count):
        live.running.let_tick_pass()
    live.running.show(1e9)


def led(page, count=96):
    """Lead the pointer along a circle, a stroke for every tick."""
    live = page.transport._live
    live.pause()
    for step in range(count):
        page.says(say.Point, to=(float(np.cos(step / 15)), float(np.sin(step / 15)), 0.0))
        pass_ticks(live, 1)


def test_one_page_is_live_and_the_other_sees_the_document(tmp_path):
    def script(workshop):
        one, two = joined(workshop), joined(workshop)
        one.says(say.Live, is_on=True)
        view = one.transport.view()
        assert (view.is_live, view.is_playing, view.speed, view.time) == (True, True, 1.0, 0.0)
        assert not two.transport.view().is_live
        assert two.transport.film is workshop.film
        assert one.transport.film is not workshop.film

    visited(tmp_path, script)


def test_an_edit_of_any_page_reaches_the_live_run_and_so_does_its_undoing(tmp_path):
    def script(workshop):
        one, two = joined(workshop), joined(workshop)
        one.says(say.Live, is_on=True)
        running = one.transport._live.running
        before = workshop.session.stage
        two.workshop.carry_out(move(actor="lamp"))
        assert running.document is workshop.session.stage is not before
        one.workshop.carry_out(undo())
        assert text(running.document) == text(before)

    visited(tmp_path, script)


def test_a_page_that_leaves_ends_its_run(tmp_path):
    def script(workshop):
        page = joined(workshop)
        page.says(say.Live, is_on=True)
        live = page.transport._live
        workshop.leave(page)
        assert live.speed == 0

    visited(tmp_path, script)


def test_leaving_live_shows_the_document_where_the_run_was_but_not_beyond_its_end(tmp_path):
    def script(workshop):
        page = joined(workshop)
        page.says(say.Live, is_on=False)  # nothing to leave
        for seconds, wanted in ((1.0, 1.0), (5.0, 2.0)):
            page.says(say.Live, is_on=True)
            live = page.transport._live
            pass_ticks(live, round(24 * seconds))
            page.says(say.Live, is_on=False)
            view = page.transport.view()
            assert (view.is_live, view.is_playing, view.reached) == (False, False, 0.0)
            assert view.time == pytest.approx(wanted)
            assert page.transport.film is workshop.film

    visited(tmp_path, script)


def test_another_scene_ends_the_run_with_a_note(tmp_path):
    def script(workshop):
        page = joined(workshop)
        page.says(say.Live, is_on=True)
        led(page)
        workshop.carry_out(say.New(id=1))
        assert not page.transport.view().is_live
        assert page.notices == [("note", "The live run has ended: there is another scene now.")]
        workshop.carry_out(undo())
        assert "fewer than two places" in page.refuses(say.KeepPointer)

    visited(tmp_path, script)


def test_a_scene_that_cannot_begin_is_not_live(tmp_path):
    def script(workshop):
        page = joined(workshop)
        assert "It cannot begin" in page.refuses(say.Live, is_on=True)
        assert not page.transport.view().is_live

    visited(tmp_path, script, Stage([Actor("red", Stumbling(0))]))


def test_the_drawn_line_is_kept_as_a_motion_that_can_be_undone(tmp_path):
    def script(workshop):
        page, before = joined(workshop), workshop.session.stage
        page.says(say.Live, is_on=True)
        led(page)
        change = page.says(say.KeepPointer)
        assert change.says == workshop.session.steps.undo == "keep the drawn line"
        made = workshop.session.stage["pointer"].motion
        places = made.at(np.arange(1, 97) / 24).position
        wanted = [(np.cos(step / 15), np.sin(step / 15)) for step in range(96)]
        assert np.abs(places - wanted).max() < 0.003
        assert len(made.path.keys) < 60
        assert made.span == pytest.approx((1 / 24, 96 / 24))
        assert page.transport._live.running.strokes is page.transport._strokes  # it is led on
        workshop.carry_out(undo())
        assert workshop.session.stage is before
        page.says(say.Live, is_on=False)
        assert page.says(say.KeepPointer).says == "keep the drawn line"  # also afterwards

    visited(tmp_path, script)


def test_where_the_mouse_rested_the_kept_line_rests(tmp_path):
    def script(workshop):
        page = joined(workshop)
        page.says(say.Live, is_on=True)
        live = page.transport._live
        live.pause()
        for place in ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.5)):
            page.says(say.Point, to=place)
            pass_ticks(live, 24)
        page.says(say.KeepPointer)
        made = workshop.session.stage["pointer"].motion
        assert_allclose(made.at([0.5, 1.5, 2.5]).position, [(0, 0, 0), (1, 0, 0), (1, 1, 0.5)], atol=0.01)

    visited(tmp_path, script)


def test_a_line_of_less_than_two_places_or_without_a_pointer_is_not_kept(tmp_path):
    def script(workshop):
        page = joined(workshop)
        assert "fewer than two places" in page.refuses(say.KeepPointer)
        page.says(say.Live, is_on=True)
        led(page, count=1)
        assert "fewer than two places" in page.refuses(say.KeepPointer)
        pass_ticks(page.transport._live, 1)
        page.says(say.Point, to=(1.0, 0.0, 0.0))
        assert "stays in one place" in page.refuses(say.KeepPointer)
        assert "in a live run only" in (page.says(say.Live, is_on=False) or page.refuses(say.Point, to=(0, 0, 0)))

    visited(tmp_path, script)


def test_on_a_real_socket_it_plays_is_changed_rewound_and_left(tmp_path):
    with opened(cast(), tmp_path) as studio, studio.visit() as page, studio.visit() as other:
        assert page.ask("live", is_on=True)["is"] == "done"
        told = page.hear_until(lambda heard: heard["is"] == "transport")
        assert told["is_live"]
        assert told["is_playing"]
        page.hear_until(lambda heard: heard["is"] == "poses" and heard["time"] > 0.2)
        for step in range(5):
            assert page.ask("point", to=[step, 0, 0])["is"] == "done"
            page.hear_until(
                lambda heard, now=page.poses[-1]["time"]: heard["is"] == "poses" and heard["time"] > now + 0.05
            )
        assert other.ask("move_keys", actor="lamp", keys=[1], by=[0, 1, 0])["is"] == "done"
        assert page.ask("play", time=0, speed=2)["is"] == "refused"
        page.ask("pause")
        page.ask("seek", time=0.1)
        back = page.hear_until(lambda heard: heard["is"] == "poses" and heard["time"] == 0.1)
        assert back["poses"].shape == (5, 7)
        told = page.hear_until(lambda heard: heard["is"] == "transport")
        assert told["reached"] > 0.2
        assert not told["is_playing"]
        assert page.ask("keep_pointer")["says"] == "keep the drawn line"
        assert page.ask("live", is_on=False)["is"] == "done"
        told = page.hear_until(lambda heard: heard["is"] == "transport")
        assert not told["is_live"]
        assert other.ask("point", to=[0, 0, 0])["is"] == "refused"
