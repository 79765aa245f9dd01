"""A whole cast on one sheet: everybody's trail, names that can be read, diagrams, who moves when; few or many."""

import runpy
from pathlib import Path

import numpy as np
import pytest

from keypose import (
    Actor,
    Camera,
    FaceForward,
    Key,
    KeyposeError,
    KeyTimes,
    LookAt,
    Motion,
    MotionPath,
    Pose,
    Stage,
    Take,
    plot,
    shoot,
)
from keypose.motion.events import Event
from keypose.plot.stage.track_builder import tracks_of_stage, tracks_of_take

EXAMPLES = Path(__file__).parents[2] / "examples"
UPRIGHT = np.array([1.0, 0, 0, 0])
A = np.linspace(0, 2 * np.pi, 13)
RING = np.stack([np.cos(A), np.sin(A)], axis=-1)


def example(number):
    (file,) = EXAMPLES.glob(f"{number:02}_*.py")
    return runpy.run_path(str(file))["stage"]


def walk(*places, seconds=1.0, **options):
    return Motion(MotionPath(list(places)), duration=seconds, **options)


def random_walkers(count):
    """So many who wander about, each for a while."""
    rng = np.random.default_rng(count)
    walks = np.cumsum(rng.normal(size=(count, 4, 3)), axis=1) + 4 * rng.normal(size=(count, 1, 3))
    return Stage(
        [Actor(f"dancer {i}", walk(*points, seconds=2 + i / count, start=i / count)) for i, points in enumerate(walks)]
    )


def handshake():
    """A hand that takes a moving glass, a ring on it, and a camera that looks at the ring."""
    reach = [Key((0, 1.6, 2)), Key((1, 2.2, 2)), Key((0, 0.05, 0), relative_to="glass", name="grasp"), Key((2, 0.5, 3))]
    return Stage(
        [
            Actor("glass", walk((0, 1, 0), (2, 1, 0.5), (3, 1.2, 1.5), seconds=2.0), look="skyblue"),
            Actor("hand", walk(*reach, seconds=3.0)),
            Actor("ring", walk((0, 0.1, 0), (0.2, 0.3, 0), seconds=3.0), parent="hand", look="gold"),
            Actor("eye", walk((0, 2, 5), (5, 2, 5), seconds=3.0), facing=LookAt("ring"), look=Camera(40)),
        ]
    )


class Drifter:
    """A mover that drifts off, a metre per second."""

    watches = ()

    def begin(self, view):
        return 0.0

    def step(self, state, view, dt):
        return state + dt

    def pose(self, state):
        return Pose(np.array([state, 0.0, 0.0]), UPRIGHT)


def titles(sheet):
    return [title for ax in sheet.figure.axes if (title := ax.get_title(loc="left"))]


def space_axes(sheet):
    return [ax for ax in sheet.figure.axes if not ax.get_title(loc="left")]


def timeline_axes(sheet):
    return sheet.figure.axes[-1]


def actor_lines(ax, thing):
    """The lines that belong to somebody, by name."""
    return {line.get_label(): line for line in ax.lines if line.get_label() in thing.names}


def axis_texts(ax):
    return {text.get_text() for text in ax.texts if text.get_text()}


# ---- what is drawn -------------------------------------------------------------------------------------------------


def test_every_actor_has_a_trail_of_its_own_colour_in_every_view():
    stage = handshake()
    views = space_axes(plot(stage))
    assert len(views) == 4
    for ax in views:
        trails = actor_lines(ax, stage)
        assert set(trails) == set(stage.names)
        assert len({line.get_color() for line in trails.values()}) == 4
        assert set(stage.names) <= axis_texts(ax)


def test_trail_follows_the_actor_in_world_space():
    stage = example(1)
    trail = actor_lines(space_axes(plot(stage))[0], stage)["ring"].get_xydata()
    poses = stage.at([0.0, 2.0])
    assert np.allclose(trail[[0, -1]], poses["ring"].position[:, :2])


def test_planar_scene_is_shown_in_one_view():
    for places in ([(0, 0, 0), (1, 2, 0)], [(0, 5, 0), (1, 5, 2)], [(3, 0, 0), (3, 1, 2)], [(0, 0), (1, 1)]):
        assert len(space_axes(plot(Stage([Actor("a", walk(*places))])))) == 1
    assert len(space_axes(plot(Stage([Actor("a", walk((0, 0, 0), (1, 2, 3)))])))) == 4


def test_diagrams_show_speed_and_height_and_distance_of_meeting_actors():
    assert titles(plot(handshake())) == ["speed", "height y", "distance", "who moves when"]
    level = Stage([Actor("a", walk((0, 0, 0), (1, 0, 2)))])
    assert titles(plot(level)) == ["speed", "who moves when"]
    assert titles(plot(example(3))) == [
        "speed",
        "distance: dog – master",
        "who moves when: shot for 6 s, as movers take ticks",
    ]


def test_drawn_speed_is_that_of_the_motion():
    motion = walk((0, 0), (3, 1), (4, 4), seconds=2.0)
    line = actor_lines(plot(Stage([Actor("a", motion)])).figure.axes[1], Stage([Actor("a", motion)]))["a"]
    assert np.allclose(line.get_ydata(), motion.speed(line.get_xdata()), rtol=2e-3)


def test_dots_are_frames_and_are_thinned_for_long_motions():
    cast = tracks_of_stage(Stage([Actor("a", walk((0, 0), (1, 1), seconds=2.0))]), 24, None)
    assert np.allclose(cast.times[cast.dot_indices], np.arange(49) / 24)
    long = tracks_of_stage(Stage([Actor("a", walk((0, 0), (1, 1), seconds=600.0))]), 24, None)
    assert (long.frames_per_dot, len(long.dot_indices)) == (50, 600 * 24 // 50 + 1)
    assert len(long.times) <= 4001


def test_only_keys_in_world_space_are_marked():
    cast = tracks_of_stage(handshake(), 24, None)
    counts = {player.name: len(player.key_positions) for player in cast.actors}
    assert counts == {"glass": 3, "hand": 3, "ring": 0, "eye": 2}


def test_meeting_is_marked_where_and_when_the_relative_key_is_passed():
    stage = handshake()
    cast = tracks_of_stage(stage, 24, None)
    (meeting,) = cast.meetings
    assert (meeting.actor, meeting.carrier) == ("hand", "glass")
    glass = stage.at(meeting.time)["glass"].position
    assert np.allclose(meeting.position, glass + np.array((0, 0.05, 0)), atol=1e-6)
    for ax in space_axes(plot(stage)):
        assert f"{meeting.time:.2f} s" in axis_texts(ax)


def test_bones_are_drawn_at_some_times_and_of_many_only_at_the_end():
    def chain(count):
        links = [Actor("0", walk((0, 0), (1, 1)))]
        links += [Actor(str(i), walk((1, 0), (1, 0.1)), parent=str(i - 1)) for i in range(1, count)]
        return Stage(links)

    def bones(stage):
        return [line for line in space_axes(plot(stage))[0].lines if line.get_zorder() == 1.5]

    assert len(bones(chain(4))) == 5
    assert len(bones(chain(20))) == 1
    assert bones(chain(1)) == []


def test_camera_is_drawn_in_its_view_direction():
    stage = Stage([Actor("a", walk((0, 0, 0), (4, 0, 0)), facing=FaceForward(), look=Camera(60))])
    first, last = (line for line in space_axes(plot(stage))[0].lines if line.get_zorder() == 2.4)
    for wires, eye in ((first, 0), (last, 4)):
        x = wires.get_xdata()
        assert x.min() == pytest.approx(eye)
        assert x.max() > eye + 0.1


def test_drawing_is_outlined_at_the_first_and_last_time():
    stage = Stage([Actor("balloon", walk(Key(RING), Key(RING * 2 + (4, 1)), seconds=2.0))])
    first, last = (line.get_xydata() for line in space_axes(plot(stage))[0].lines if line.get_zorder() == 2.5)
    assert np.allclose(first, RING)
    assert np.allclose(last, RING * 2 + (4, 1))


def test_jump_at_the_start_of_a_lap_is_a_gap():
    lap = Actor("lap", walk((0, 0), (2, 1), (4, 0), outside="cycle"))
    stage = Stage([lap, Actor("walk", walk((0, -1), (4, -1), seconds=3.0))])
    for thing in (stage, shoot(stage, 3)):
        sheet = plot(thing)
        assert np.isnan(actor_lines(space_axes(sheet)[0], stage)["lap"].get_xdata()).sum() == 3
        assert np.nanmax(actor_lines(sheet.figure.axes[1], stage)["lap"].get_ydata()) < 6


def test_take_shows_its_frames_and_events_on_the_time_axis():
    frames = np.linspace(0, 1, 25)[:, None] * (1, 2, 0)
    facings = np.broadcast_to(UPRIGHT, (25, 4))
    events = [Event(0.5, "a", "It touched the floor."), Event(0.75, "a", "It fell.", "warning")]
    sheet = plot(Take(np.arange(25) / 24, 24, {"a": Pose(frames, facings)}, events))
    assert {line.get_marker() for line in timeline_axes(sheet).lines} == {"D", "^"}
    assert [line.get_xdata()[0] for line in sheet.figure.axes[1].lines if line.get_linestyle() != "-"] == [0.5, 0.75]
    assert [text.get_text() for text in sheet.figure.texts] == [
        "0.5 s, a: It touched the floor.",
        "0.75 s, a: It fell.",
    ]


def test_timeline_has_a_row_per_actor_with_span_keys_and_movement():
    stage = Stage(
        [
            Actor("early", walk((0, 0), (1, 0), seconds=1.0)),
            Actor("late", walk((0, 1), (1, 1), seconds=1.0, start=2.0)),
            Actor("still", Motion(MotionPath([(5, 5), (5, 5)]), KeyTimes([0, 3]))),
        ]
    )
    sheet = plot(stage)
    assert axis_texts(timeline_axes(sheet)) == {"early", "late", "still"}
    cast = tracks_of_stage(stage, 24, None)
    middles = (cast.times[:-1] + cast.times[1:]) / 2
    moves = {player.name: middles[cast.movement_mask(player)] for player in cast.actors}
    assert moves["early"].max() < 1 < 2 < moves["late"].min()
    assert len(moves["still"]) == 0
    assert [player.key_times.tolist() for player in cast.actors] == [[0, 1], [2, 3], [0, 3]]


def test_keys_of_repeating_motions_repeat_each_lap():
    there_and_back = Actor("a", walk((0, 0), (1, 0), outside="mirror"))
    round_and_round = Actor("b", walk((0, 1), (1, 1), (0, 1), outside="cycle"))
    cast = tracks_of_stage(Stage([there_and_back, round_and_round]), 24, 3.0)
    assert np.allclose(cast.actors[0].key_times, [0, 1, 2, 3])
    assert np.allclose(cast.actors[1].key_times, np.arange(7) / 2)


# ---- how long ------------------------------------------------------------------------------------------------------


def test_stage_is_shown_for_its_motions_or_the_given_duration():
    stage = Stage([Actor("a", walk((0, 0), (1, 1), start=-1.0)), Actor("b", walk((0, 0), (1, 1), start=3.0))])
    assert tracks_of_stage(stage, 24, None).span == (-1.0, 4.0)
    assert tracks_of_stage(stage, 24, 2.5).span == (0.0, 2.5)


def test_stage_with_movers_is_shot_until_settled_and_titled_so():
    alone, beside = Stage([Actor("a", Drifter())]), Stage([Actor("a", Drifter()), Actor("b", walk((0, 1), (1, 1)))])
    assert tracks_of_stage(alone, 24, None).span == (0.0, 5.0)
    assert tracks_of_stage(beside, 24, None).span == (0.0, 3.0)
    assert tracks_of_stage(beside, 24, 1.0).shot_seconds == 1.0
    assert titles(plot(alone))[-1] == "who moves when: shot for 5 s, as movers take ticks"


def test_too_long_shot_is_refused():
    stage = Stage([Actor("a", Drifter()), Actor("b", walk((0, 1), (1, 1), start=1e9))])
    with pytest.raises(KeyposeError, match=r"has movers and would be shot for 1e\+09 s to be plotted\. Say how long"):
        plot(stage)


@pytest.mark.parametrize("seconds", [0, -1, np.nan, np.inf])
def test_invalid_duration_is_refused(seconds):
    with pytest.raises(KeyposeError, match=r"must be one finite number|for .* s\. Give a number greater than zero"):
        plot(handshake(), seconds=seconds)


def test_duration_is_accepted_for_a_stage_only():
    for thing in (shoot(handshake(), 1), walk((0, 0), (1, 1))):
        with pytest.raises(KeyposeError, match=r"was to be plotted for 2 s\. Only a stage is told how long\."):
            plot(thing, seconds=2)


def test_empty_stage_and_take_are_refused_with_reason():
    with pytest.raises(
        KeyposeError, match=r"Nobody is on this stage, so there is nothing to plot\. Give it an actor\."
    ):
        plot(Stage([]))
    with pytest.raises(KeyposeError, match=r"Nobody is in this take, so there is nothing to plot\. Shoot a stage"):
        plot(Take([0, 1], 1, {}))


# ---- labels --------------------------------------------------------------------------------------------------------

STAGES = {
    "a ring on a hand": lambda: example(1),
    "a camera ride": lambda: example(2),
    "a mover": lambda: example(3),
    "an arm": lambda: example(4),
    "a meeting": handshake,
    "a take": lambda: shoot(random_walkers(3), 3),
    "10 dancers": lambda: random_walkers(10),
    "100 dancers": lambda: random_walkers(100),
    "one": lambda: Stage([Actor("one", walk((0, 0, 0), (1, 2, 3)))]),
}


@pytest.fixture(scope="module", params=STAGES)
def sheet(request):
    return plot(STAGES[request.param]())


def text_boxes(ax):
    return {text: text.get_window_extent() for text in ax.texts if text.get_text()}


def test_no_name_overlaps_another(sheet):
    for ax in sheet.figure.axes:
        found = list(text_boxes(ax).items())
        for index, (text, box) in enumerate(found):
            for other, its in found[:index]:
                assert not box.overlaps(its), (text.get_text(), other.get_text())


def test_everything_lies_within_the_picture(sheet):
    (left, low), (right, high) = sheet.figure.get_tightbbox().get_points()
    width, height = sheet.figure.get_size_inches()
    assert min(left, low, width - right, height - high) >= 0


def test_space_drawings_lie_within_their_view(sheet):
    for ax in space_axes(sheet):
        lines = [line.get_xydata() for line in ax.lines if line.get_transform() == ax.transData]
        places = ax.transData.transform(np.concatenate(lines))
        places = places[np.isfinite(places).all(axis=1)]
        frame = ax.get_window_extent()
        assert (places > frame.min).all()
        assert (places < frame.max).all()


@pytest.mark.parametrize("which", ["a meeting", "a camera ride", "a ring on a hand"])
def test_no_name_covers_a_trail(which):
    for ax in space_axes(plot(STAGES[which]())):
        points = [
            ax.transData.transform(line.get_xydata()) for line in ax.lines if line.get_transform() == ax.transData
        ]
        points = np.concatenate(points)
        for text, box in text_boxes(ax).items():
            assert not ((points > box.min) & (points < box.max)).all(axis=1).any(), text.get_text()


# ---- many ----------------------------------------------------------------------------------------------------------


def test_only_the_fastest_of_many_actors_have_lines_and_titles_give_the_count():
    stage = random_walkers(100)
    sheet = plot(stage)
    assert titles(sheet) == [
        "speed: the fastest 5 of 100, and the range of all",
        "height y: the fastest 5 of 100, and the range of all",
        "who moves when: one in 5 of 100 is named",
    ]
    assert len(actor_lines(sheet.figure.axes[4], stage)) == 5
    assert all(len(actor_lines(ax, stage)) == 100 for ax in space_axes(sheet))
    assert all(len(axis_texts(ax)) < 25 for ax in space_axes(sheet))
    assert len(axis_texts(timeline_axes(sheet))) == 20
    width, height = sheet.figure.get_size_inches()
    assert (width, height <= 10) == (12, True)


def test_up_to_eight_actors_all_have_lines_and_of_nine_the_fastest():
    for count, lines in ((8, 8), (9, 5)):
        stage = random_walkers(count)
        sheet = plot(stage)
        assert len(actor_lines(sheet.figure.axes[4], stage)) == lines


def test_invalid_frame_rate_is_refused():
    with pytest.raises(KeyposeError, match="Frames per second"):
        plot(handshake(), fps=0)


def test_thinned_take_keeps_its_last_frame():
    places, facings = np.cumsum(np.ones((20_001, 3)), axis=0), np.tile(UPRIGHT, (20_001, 1))
    cast = tracks_of_take(Take(np.arange(20_001) / 24, 24, {"a": Pose(places, facings)}))
    assert cast.times[-1] == 20_000 / 24
    assert len(cast.times) <= 4001
    assert np.isin(cast.times[cast.dot_indices[:-1]] * 24 % cast.frames_per_dot, 0).all()


# ---- the same every time -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_stage_sheet_drawn_again_is_byte_identical(theme):
    first, again = (plot(handshake(), theme=theme) for _ in range(2))
    for ending in (".svg", ".png", ".pdf"):
        assert first.as_bytes(ending, dpi=50) == again.as_bytes(ending, dpi=50)
