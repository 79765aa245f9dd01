"""How does time go by in a live run? In true time, slower where it must, and back again."""

import asyncio

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Actor, KeyposeError, Stage, shoot
from keypose.stage.live_run import Run
from tests.studio.live_scenes import REST, ManualPlayer, SlowMover, live_stage, play_live, run_to, with_still_pointer


def test_live_run_equals_a_plain_run_bitwise():
    def script(live):
        found = []
        for _ in range(30):
            live.wait(1 / 24)
            found.append(live.pose_rows())
        return found

    run = Run(with_still_pointer(live_stage()))
    for tick, pose_rows in enumerate(play_live(script), 1):
        assert_allclose(pose_rows, run_to(run, tick / 24), rtol=0, atol=1e-12)
    stage = Stage(
        [actor for actor in live_stage().actors if actor.name not in ("pointer", "brush")], fields=live_stage().fields
    )
    run = Run(stage)
    for tick, pose_rows in enumerate(play_live(script, stage), 1):
        expected = run_to(run, tick / 24)
        tolerance = 1e-6  # the clock is a hair beside a tick: motions are asked there
        assert np.abs(pose_rows - expected).max() < tolerance
        movers = [index for index, name in enumerate(stage.names) if name == "leaf"]
        assert pose_rows[movers].tobytes() == expected[movers].tobytes()


def test_poses_between_ticks_equal_those_of_a_take():
    stage = live_stage()
    take = shoot(with_still_pointer(stage), 1.0, fps=240)

    def script(live):
        found = []
        for _ in range(60):
            live.wait(4 / 240)
            found.append(live.pose_rows())
        return found

    for number, pose_rows in enumerate(play_live(script, stage), 1):
        for row, name in zip(pose_rows, stage.names, strict=True):
            assert_allclose(row[:3], take[name].position[4 * number], atol=1e-6, err_msg=name)


def test_all_due_ticks_pass_at_once():
    def script(live):
        live.wait(1.5)
        return live.run.time

    assert play_live(script) == pytest.approx(1.5)


def test_slow_ticks_slow_down_time_and_are_reported_once():
    async def play():
        live = ManualPlayer(Stage([Actor("red", REST)]))
        live.run.update_document(Stage([Actor("red", SlowMover(live.clock, 0.2))]))
        live.run.play(0.0)
        for _ in range(30):
            live.wait(1 / 60)
        time = live.run.time
        live.run.close()
        return time, live.warnings

    time, warnings = asyncio.run(play())
    assert time == pytest.approx(30 / 24)  # one tick at a time, however many were due
    assert [kind for kind, _ in warnings] == ["warning"]
    assert "goes slower" in warnings[0][1]


def test_paused_run_stays_and_continues_from_there():
    def script(live):
        live.wait(0.5)
        live.run.pause()
        live.wait(3.0)
        assert live.run.time == pytest.approx(0.5)
        live.run.play(0.5)
        live.wait(0.25)
        return live.run.time, live.speed_changes

    time, speed_changes = play_live(script)
    assert time == pytest.approx(0.75)
    assert [speed for _, speed in speed_changes] == [1, 0, 1]


def test_run_plays_without_further_calls():
    async def play():
        live = ManualPlayer(live_stage())
        live.run.play(0.0)
        live.clock.now += 0.25
        await asyncio.sleep(0.05)
        live.run.close()
        return live.run.time, live.frame_count

    time, shown = asyncio.run(play())
    assert time == pytest.approx(0.25)
    assert shown > 0


@pytest.mark.parametrize("speed", [2.0, -1.0, 0.5, float("nan")])
def test_only_forward_play_at_real_speed_is_allowed(speed):
    def script(live):
        with pytest.raises(KeyposeError, match="goes forwards as fast as life"):
            live.run.play(0.0, speed)

    play_live(script)


def test_rewound_run_shows_the_same_poses_and_can_replay_to_its_end():
    def script(live):
        records = {}
        for count in range(1, 241):
            live.wait(1 / 60)
            records[count] = live.run.time, live.pose_rows().tobytes()
        live.run.pause()
        for count in (30, 200, 31, 1, 240, 120):
            live.run.seek(records[count][0])
            assert live.run.time == records[count][0]
            assert live.pose_rows().tobytes() == records[count][1], count
        assert live.run.reached_time == records[240][0]
        live.run.seek(1e6)
        assert live.pose_rows().tobytes() == records[240][1]
        live.run.seek(-1)
        assert live.run.time == 0.0

    play_live(script)


@pytest.mark.parametrize("moment", [float("nan"), float("inf"), -1e300])
def test_non_finite_seek_time_is_refused(moment):
    def script(live):
        live.wait(0.5)
        with pytest.raises(KeyposeError, match="moment"):
            live.run.seek(moment)
        assert live.run.time == pytest.approx(0.5)

    play_live(script)


def test_seek_during_play_continues_from_there():
    def script(live):
        live.wait(2.0)
        live.run.seek(0.5)
        live.wait(0.25)
        return live.run.time, live.run.reached_time

    time, reached = play_live(script)
    assert time == pytest.approx(0.75)
    assert reached == pytest.approx(2.0)


def test_long_seek_runs_in_slices_and_the_newest_seek_wins():
    async def play():
        live = ManualPlayer(Stage([Actor("red", REST)]))
        live.run.update_document(Stage([Actor("red", SlowMover(live.clock, 0.02))]))
        live.run.play(0.0)
        for _ in range(1000):
            live.wait(1 / 24)
        live.run.pause()
        reached = live.run.reached_time
        start = live.clock.now
        live.run.seek(10.9)
        assert live.clock.now - start < 0.1, "others want to be answered too"
        assert live.run.time < 10.9
        live.run.seek(10.4)
        assert live.run.time < 10.4
        while live.run.live_run.has_pending_seek:
            start = live.clock.now
            await asyncio.sleep(0)
            live.run.catch_up()
            assert live.clock.now - start < 0.2
        found = live.run.time, live.pose_rows()[0, 0], live.run.reached_time, live.run.speed
        live.run.close()
        return reached, found

    reached, (time, position, still_reached, speed) = asyncio.run(play())
    assert time == 10.4
    assert position == pytest.approx(10.4 * 24)
    assert still_reached == reached
    assert speed == 0


def player_during_seek():
    """A run on its way to an earlier moment, by ticks that take long, and where it goes."""
    live = ManualPlayer(Stage([Actor("red", REST)]))
    live.run.update_document(slow_stage(live))
    live.run.play(0.0)
    for _ in range(1000):
        live.wait(1 / 24)
    live.run.pause()
    live.run.seek(10.9)
    assert live.run.live_run.has_pending_seek
    return live


def slow_stage(live, *others):
    return Stage([Actor("red", SlowMover(live.clock, 0.02)), *others])


def finish_seek(live):
    while live.run.live_run.has_pending_seek:
        live.run.catch_up()


def test_edit_during_a_seek_applies_from_the_sought_time():
    async def play():
        live = player_during_seek()
        live.run.update_document(slow_stage(live, Actor("blue", REST)))
        assert live.pose_rows().shape == (2, 7)
        assert live.run.reached_time > 40
        finish_seek(live)
        assert live.run.time == pytest.approx(10.9, abs=1 / 24)
        assert live.run.reached_time == live.run.time
        assert live.run.live_run.document["blue"]
        live.run.close()

    asyncio.run(play())


def test_play_and_pause_during_a_seek_apply_at_the_sought_time():
    async def play():
        live = player_during_seek()
        live.run.play(live.run.time)
        assert live.run.speed == 1
        finish_seek(live)
        assert live.run.time == 10.9
        live.wait(1 / 24)
        assert live.run.time == pytest.approx(10.9 + 1 / 24)
        live.run.seek(5.2)
        live.run.pause()
        finish_seek(live)
        assert (live.run.time, live.run.speed) == (5.2, 0)
        live.run.close()

    asyncio.run(play())


def test_seek_finishes_without_further_calls():
    async def play():
        live = player_during_seek()
        while live.run.live_run.has_pending_seek:
            await asyncio.sleep(0.01)
        live.run.close()
        return live.run.time

    assert asyncio.run(asyncio.wait_for(play(), 60)) == 10.9


@pytest.mark.parametrize("method", ["on_frame", "report_events"])
def test_any_failure_during_play_pauses_the_run_with_a_notice(method, caplog):
    async def play():
        live = ManualPlayer(live_stage())
        live.run.play(0.0)

        def fails():
            raise ZeroDivisionError("nothing to see")

        setattr(live.run, method, fails)
        await asyncio.sleep(0.05)
        return live.run.speed, live.warnings, live.speed_changes

    speed, warnings, speed_changes = asyncio.run(play())
    assert speed == speed_changes[-1][1] == 0
    ((kind, text),) = warnings
    assert kind == "error"
    assert "nothing to see" in text
    assert "A live run was paused." in caplog.text
