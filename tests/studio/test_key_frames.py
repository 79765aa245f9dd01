"""Keys that are carried by what takes ticks: the stage is played once for all messages of a drag."""

from dataclasses import replace

from keypose.stage.live_run import Run
from keypose.studio.edits import key_frames
from keypose.studio.edits.apply import apply_edit
from keypose.studio.protocol import commands
from tests.studio.scenes import mixed_stage, text


def drag_command(x):
    return commands.MoveKeys(id=1, actor="cup", keys=(0,), by=(x, 0, 0), time=0.3)


def test_two_concurrent_drags_simulate_their_carriers_once_each(monkeypatch):
    played = []
    monkeypatch.setattr(key_frames, "Run", lambda stage: played.append(stage) or Run(stage))
    one, two = (mixed_stage().with_actor(replace(mixed_stage()["cup"], parent="shade")) for _ in range(2))
    for x in range(5):
        assert text(apply_edit(one, drag_command(x))[0]) == text(apply_edit(two, drag_command(x))[0])
    assert len(played) == 2
    assert played[0] is one
    assert played[1] is two
