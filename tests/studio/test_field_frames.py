"""A hand moves a field that somebody carries: as the page sees the carrier, without playing the scene to find it."""

import pytest
from numpy.testing import assert_allclose

from keypose import Actor, DynamicSpline, FaceForward, KeyposeError, Stage, fields, shoot
from keypose.studio.edits import key_frames
from keypose.studio.preview.preview import Preview
from keypose.studio.protocol import commands
from tests.studio.live_scenes import join_client, pass_ticks, with_hub

OFFSET = (0.5, 0.25, 2.0)


def attached_stage(wind=(3.0, 0.0, 1.0)):
    """A leaf that turns with the wind and carries a pull, beside an uneven one."""
    leaf = Actor("leaf", DynamicSpline((0, 3, 0), (0, 0, 1), senses={"wind": 1}), facing=FaceForward())
    pull = fields.Spring(1, center=(1, 0, 0)).carried_by("leaf")
    return Stage([leaf], fields={"wind": fields.Uniform(wind), "pull": pull})


@pytest.fixture
def never_played(monkeypatch):
    """Whoever plays the scene to see where somebody is, fails."""

    def played(*_):
        raise AssertionError("The scene was played.")

    monkeypatch.setattr(key_frames, "simulate_moments", played)
    monkeypatch.setattr(key_frames, "_MOMENTS_CACHE", [])


def handle(client, time):
    return client.preview.handles.at(client.preview.all_poses(time)[0])[1]


@pytest.mark.usefixtures("never_played")
def test_carrier_field_follows_the_pointer_in_the_carrier_frame_of_the_take(tmp_path):
    def script(hub):
        client = join_client(hub)
        hub.preview = Preview(hub.session.stage, shoot(hub.session.stage, 2.0, fps=60))
        before = handle(client, 1.5)
        client.send(commands.MoveField, field="pull", by=OFFSET, time=1.5)
        assert_allclose(handle(client, 1.5)[:3] - before[:3], OFFSET, atol=1e-9)
        client.send(commands.TurnField, field="pull", by=(0.6, 0.0, 0.8, 0.0), time=1.5)
        client.send(commands.StretchField, field="pull", by=(2.0, 1.0, 1.0), time=1.5)
        assert_allclose(handle(client, 1.5)[:3] - before[:3], OFFSET, atol=1e-9)

    with_hub(tmp_path, script, attached_stage())


@pytest.mark.usefixtures("never_played")
def test_carrier_field_follows_the_pointer_in_a_changed_live_run(tmp_path):
    def script(hub):
        client = join_client(hub)
        client.send(commands.Live, is_on=True)
        live = client.player.live_player
        live.pause()
        pass_ticks(live, 12)
        client.send(commands.SetField, field="wind", value={"kind": "uniform", "vector": [0, 0, -9]})
        pass_ticks(live, 24)
        before = handle(client, live.time)
        client.send(commands.MoveField, field="pull", by=OFFSET, time=live.time)
        assert_allclose(handle(client, live.time)[:3] - before[:3], OFFSET, atol=1e-9)

    with_hub(tmp_path, script, attached_stage())


@pytest.mark.usefixtures("never_played")
def test_carrier_field_follows_the_pointer_before_its_carrier_is_shot(tmp_path):
    def script(hub):
        client = join_client(hub)
        before = handle(client, 1.0)
        client.send(commands.MoveField, field="pull", by=OFFSET, time=1.0, gesture="drag")
        client.send(commands.MoveField, field="pull", by=OFFSET, time=1.0, gesture="drag")
        assert_allclose(handle(client, 1.0)[:3] - before[:3], OFFSET, atol=1e-9)
        assert hub.session.steps.undo == "move the field pull"

    with_hub(tmp_path, script, attached_stage())


@pytest.mark.parametrize("time", [float("nan"), float("inf")])
def test_field_move_at_a_non_finite_time_is_refused(tmp_path, time):
    def script(hub):
        client = join_client(hub)
        with pytest.raises(KeyposeError, match="The moment at which a field is held"):
            client.send(commands.MoveField, field="pull", by=OFFSET, time=time)

    with_hub(tmp_path, script, attached_stage())


def test_move_of_an_unknown_field_is_refused(tmp_path):
    def script(hub):
        assert "'pul'" in join_client(hub).refusal_of(commands.MoveField, field="pul", by=OFFSET)

    with_hub(tmp_path, script, attached_stage())
