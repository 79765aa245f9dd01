"""What does an edit make of a live run? Another one from the next tick on, and what is wrong is told."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Actor, Body, DynamicSpline, Free, Motion, MotionPath, Sphere, Stage, fields
from keypose.stage.live_run import Run
from keypose.studio.playback import live_run
from keypose.studio.playback.live_player import MAX_WARNINGS
from tests.studio.live_scenes import WALK, FailingMover, live_stage, play_live, run_to, with_still_pointer


def test_edit_applies_from_the_next_tick():
    windy = live_stage(wind=(0, 0, 9))

    def script(live):
        live.wait(0.5)
        before = live.pose_rows()
        live.run.update_document(windy)
        assert live.pose_rows().tobytes() == before.tobytes()  # nothing jumps
        live.wait(0.5)
        return live.pose_rows()

    plain = Run(with_still_pointer(live_stage()))
    run_to(plain, 0.5)
    plain.change(with_still_pointer(windy))
    assert_allclose(play_live(script), run_to(plain, 1.0), atol=1e-6)


def test_edit_of_an_actor_without_body_leaves_bodies_running():
    lamp = Actor("lamp", Motion(MotionPath([(5, 0, 0), (6, 0, 0)]), duration=2.0))
    ball = Actor("ball", Free(Body(Sphere(0.1)), (0, 10, 0)))
    stage = Stage([ball, lamp], gravity=(0, -9.81, 0))

    def script(live):
        live.wait(0.5)
        before = live.pose_rows()
        live.run.update_document(stage.with_actor(lamp.changed(look="red")))
        assert live.pose_rows().tobytes() == before.tobytes()
        live.wait(0.1)
        return live.pose_rows()[0, 1]

    assert play_live(script, stage) < 10 - 0.6**2 * 4.9


def test_edit_is_replayed_at_its_tick_and_a_past_edit_drops_the_future():
    def script(live):
        live.wait(1.0)
        live.run.pause()
        live.run.update_document(live_stage(wind=(0, 0, 9)))
        live.run.play(live.run.time)
        live.wait(1.0)
        windy, calm = live.pose_rows(), live.run.seek(0.5) or live.pose_rows()
        live.run.seek(2.0)
        assert live.pose_rows().tobytes() == windy.tobytes()
        live.run.seek(0.5)
        assert live.pose_rows().tobytes() == calm.tobytes()
        live.run.update_document(live_stage(wind=(9, 0, 0)))
        assert live.run.reached_time == live.run.time == pytest.approx(0.5)

    play_live(script)


def test_edited_motion_is_shown_even_while_paused():
    def script(live):
        live.wait(0.51)
        live.run.pause()
        lifted = Motion(MotionPath([(0, 5, 0), (2, 5, 0)]), duration=2.0)
        live.run.update_document(live_stage().with_actor(Actor("lamp", lifted)))
        return live.pose_rows()

    pose_rows = play_live(script)
    assert pose_rows[0, 1] == pytest.approx(5.0)
    assert pose_rows[2, 1] > 4  # the moth stands on it


def test_added_and_removed_actors_are_shown_at_once():
    def script(live):
        live.wait(0.5)
        more = live_stage().with_actor(Actor("bird", DynamicSpline((7, 7, 7))))
        live.run.update_document(more)
        assert_allclose(live.pose_rows()[-1, :3], (7, 7, 7))
        live.run.update_document(live_stage())
        assert live.pose_rows().shape == (5, 7)

    play_live(script)


def test_edit_at_time_zero_changes_the_start_state():
    def script(live):
        live.wait(1.0)
        live.run.pause()
        live.run.seek(0.0)
        live.run.update_document(live_stage().with_actor(Actor("leaf", DynamicSpline((0, 9, 0), senses={"wind": 1}))))
        return live.pose_rows()

    assert play_live(script)[1, 1] == 9


def test_long_drag_can_be_rewound_as_far_as_states_are_kept(monkeypatch):
    monkeypatch.setattr(live_run, "MEMORY", 0)

    def script(live):
        for step in range(60):
            live.wait(1 / 24)
            live.run.update_document(live_stage(wind=(0, 0, step)))
        pose_rows = live.pose_rows()
        live.run.seek(0.0)
        assert live.run.time == pytest.approx(41 / 24)  # the last twenty changes
        live.run.seek(live.run.reached_time)
        assert live.pose_rows().tobytes() == pose_rows.tobytes()

    play_live(script)


def test_edit_refused_by_the_run_is_reported_and_the_run_continues():
    def script(live):
        live.wait(0.5)
        live.run.update_document(live_stage().with_actor(Actor("late", FailingMover(0))))
        live.wait(0.5)
        pose_rows = live.pose_rows()
        live.run.update_document(live_stage(wind=(2, 0, 0)))
        return live.warnings, live.run.time, pose_rows

    warnings, time, pose_rows = play_live(script)
    assert [kind for kind, _ in warnings] == ["warning"]
    assert "goes on with the scene as it was" in warnings[0][1]
    assert "It cannot begin" in warnings[0][1]
    assert time == pytest.approx(1.0)
    assert pose_rows.shape == (6, 7)  # as the document has them, the new one nowhere
    assert_allclose(pose_rows[-1], (0, 0, 0, 1, 0, 0, 0))


def test_failing_mover_pauses_the_run_with_a_notice():
    def script(live):
        live.wait(1.0)
        assert live.run.speed == 0
        return live.warnings, live.run.time, live.pose_rows()

    warnings, time, pose_rows = play_live(script, Stage([Actor("red", FailingMover(5))]))
    assert [kind for kind, _ in warnings] == ["error"]
    assert "paused at 0.166667 s" in warnings[0][1]
    assert "one step too many" in warnings[0][1]
    assert time == pytest.approx(4 / 24)
    assert pose_rows[0, 0] == 4


def test_run_event_is_reported_once_even_after_a_rewind():
    lost = fields.Formula("(1/(t - 0.5), 0, 0) * sqrt(0.6 - t)")
    stage = Stage([Actor("leaf", DynamicSpline((0, 0, 0), senses={"odd": 1}))], fields={"odd": lost})

    def script(live):
        live.wait(1.0)
        live.run.seek(0.0)
        live.wait(1.0)
        return live.warnings

    (warning,) = play_live(script, stage)
    assert warning[0] == "warning"
    assert warning[1].startswith("leaf at 0.")
    assert "Stopped" in warning[1]


def test_number_of_reported_stability_warnings_is_limited():
    wild = fields.KeepOffset("lamp", response=0.0)
    birds = [Actor(f"bird/{number}", DynamicSpline((number, 0, 0), senses={wild: 1.0})) for number in range(50)]

    def script(live):
        live.wait(0.5)
        return live.warnings

    ((kind, message),) = play_live(script, Stage([Actor("lamp", WALK), *birds]))
    assert kind == "warning"
    assert f"And {50 - MAX_WARNINGS} more like these." in message


def drawing_stage(points, wind=0.0):
    """A drawing in the wind."""
    positions = np.linspace((0, 0, 0), (1, 1, 0), points)
    return Stage(
        [Actor("letter", DynamicSpline(positions, senses={"wind": 1}))], fields={"wind": fields.Uniform((wind, 0, 0))}
    )


def rewind_limit_of(stage):
    return live_run.rewind_limit(Run(stage).moment)


def test_rewind_limit_shrinks_with_drawing_points_and_is_at_most_1000():
    assert rewind_limit_of(drawing_stage(2)) == rewind_limit_of(drawing_stage(122)) == 1000
    assert 450 < rewind_limit_of(drawing_stage(800)) < 500
    assert rewind_limit_of(drawing_stage(50_000)) == live_run.MIN_CHANGES
    keyed = Motion(MotionPath(np.linspace((0, 0), (1, 1), 8_000).reshape(2, 4_000, 2)), duration=1.0)
    assert 90 < rewind_limit_of(drawing_stage(2).with_actor(Actor("sail", keyed))) < 110


def test_rewind_limit_shrinks_with_the_history_of_delayed_fields(monkeypatch):
    monkeypatch.setattr(live_run, "MEMORY", live_run.MEMORY // 8)
    birds = [Actor(f"bird/{number}", DynamicSpline((number, 0, 0), senses={"call": 0.01})) for number in range(10)]
    run = Run(Stage(birds, fields={"call": fields.Spring(1).carried_by("bird/*").delayed(30)}))
    first = live_run.rewind_limit(run.moment)
    run_to(run, 2.0)
    assert live_run.rewind_limit(run.moment) < first / 2


def test_long_drag_of_a_drawing_drops_its_first_changes(monkeypatch):
    monkeypatch.setattr(
        live_run, "MEMORY", 30 * (live_run.MOMENT_BYTES + live_run.ACTOR_BYTES + 100 * live_run.POINT_BYTES)
    )

    def script(live):
        for step in range(60):
            live.wait(1 / 24)
            live.run.update_document(drawing_stage(100, step))
        live.run.seek(0.0)
        assert live.run.time == pytest.approx(31 / 24)  # the last thirty

    play_live(script, drawing_stage(100))


def tracker_stage(response, **more):
    """A dog that tracks a lamp, by a tracker of the stage."""
    dog = Actor("dog", DynamicSpline((1, 0, 0), senses={"chase": 0.5}))
    return Stage([Actor("lamp", WALK), dog], fields={"chase": fields.KeepOffset("lamp", response=response), **more})


def test_unstable_gain_is_warned_of_once_per_drag_until_it_is_stable():
    def script(live):
        for step in range(60):
            live.wait(1 / 24)
            live.run.update_document(tracker_stage(0.001 * step))
        assert len(live.warnings) == len(live.run.live_run.events) == len(live.run.warned_at) == 1
        assert live.run.live_run.events[0].text.count("chase") == 1
        live.run.update_document(tracker_stage(1.0, calm=fields.Uniform((0, 0, 0))))
        live.wait(1 / 24)
        assert not live.run.live_run.events, "it settles"
        live.run.update_document(tracker_stage(0.01))
        return live.warnings

    assert len(play_live(script, tracker_stage(0.0))) == 2


def test_unstable_own_tracker_is_warned_of_once_per_drag():
    def stage(response):
        senses = {fields.KeepOffset("lamp", response=response): 1.0}
        return Stage([Actor("lamp", WALK), Actor("dog", DynamicSpline((1, 0, 0), senses=senses))])

    def script(live):
        for step in range(30):
            live.wait(1 / 24)
            live.run.update_document(stage(0.001 * step))
        return live.warnings, live.run.live_run.events

    warnings, events = play_live(script, stage(0.0))
    assert len(warnings) == len(events) == 1


def test_repeated_stop_during_a_drag_is_reported_once_and_a_later_stop_again():
    def stage(strength):
        lost = fields.Formula(f"(sqrt(-{strength} - x*x), 0, 0)")
        return Stage([Actor("leaf", DynamicSpline((0, 0, 0), senses={"odd": 1}))], fields={"odd": lost})

    def script(live):
        for step in range(30):
            live.wait(1 / 24)
            live.run.update_document(stage(2 + step))
        live.wait(1 / 24)
        assert len(live.warnings) == len(live.run.live_run.events) == 1
        live.wait(3.0)
        live.run.update_document(stage(1))
        live.wait(0.5)
        return live.warnings

    assert len(play_live(script, stage(1))) == 2
