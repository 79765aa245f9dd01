"""How a field pushes is seen as arrows through its handle, sent when there is something new to see."""

import asyncio
import json

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Actor, DynamicSpline, Motion, MotionPath, Stage, fields, shoot
from keypose.studio.present.field_arrows import GRID_SIZE, field_extent, is_static, pack_arrows
from keypose.studio.preview.preview import Preview
from keypose.studio.protocol import commands
from keypose.studio.server.client import Client
from keypose.studio.server.hub import Hub
from keypose.studio.session.folder import Folder
from keypose.studio.session.session import Session
from tests.studio.scenes import field_stage
from tests.studio.studio_client import serve_stage, unpack_update

RIDE = Motion(MotionPath([(0, 0, 0), (4, 0, 0)]), duration=4.0)


def sample_arrows(field, t=0.0, reach=2.0, **others):
    stage = Stage([Actor("lamp", RIDE), Actor("bird/1", RIDE), Actor("bird/2", RIDE)], fields={"it": field, **others})
    packed = pack_arrows(Preview(stage), "it", t, reach, 5)
    return None if packed is None else unpack_update(packed)


# ---- what is drawn ---------------------------------------------------------------------------------------------------


def test_arrows_form_grids_in_three_planes_through_the_handle():
    arrows = sample_arrows(fields.Vortex(2, center=(1, 2, 3)))
    assert arrows["positions"].shape == arrows["pushes"].shape == (3, GRID_SIZE * GRID_SIZE, 3)
    for plane, axes in zip(arrows["positions"], ((0, 2), (0, 1), (2, 1)), strict=True):
        (normal_axis,) = {0, 1, 2} - set(axes)
        assert set(plane[:, normal_axis].tolist()) == {(1, 2, 3)[normal_axis]}
        for axis in axes:
            assert_allclose(np.unique(plane[:, axis]), (1, 2, 3)[axis] + np.linspace(-2, 2, GRID_SIZE), atol=1e-6)
    assert (arrows["field"], arrows["revision"]) == ("it", 5)


def test_arrows_are_the_field_acceleration_of_a_resting_body():
    field = fields.Formula("(-y + vx, x, t)")
    arrows = sample_arrows(field, t=2.0)
    assert_allclose(arrows["pushes"], field.at(arrows["positions"], 2.0), atol=1e-6)


@pytest.mark.parametrize(("field", "best"), [
    (fields.Vortex(1), "top"),
    (fields.Vortex(1, axis="z"), "front"),
    (fields.Vortex(1, axis="x"), "side"),
    (fields.Uniform((0, 1, 0)), "front"),
    (fields.Uniform((1, 0, 0)), "top"),
    (fields.Formula("(0, log(-1 - r), 0)"), "top"),
])  # fmt: skip
def test_best_plane_has_the_strongest_in_plane_acceleration(field, best):
    assert sample_arrows(field)["best"] == best


def test_arrow_grid_ends_at_the_field_boundary():
    assert np.abs(sample_arrows(fields.Noise(1).within(0.5), reach=9)["positions"]).max() == 0.5
    assert np.abs(sample_arrows(fields.Noise(1).within(50), reach=9)["positions"]).max() == 9
    assert field_extent(fields.Noise(1).within(1).scaled((1, -3, 1)).carried_by("x")) == 3
    assert field_extent(fields.Noise(1).within(size=(1, 4, 2)).within(9)) == 2
    assert field_extent(fields.Noise(1).within(1) + fields.Noise(2).within(2)) == 2
    assert field_extent(fields.Noise(1).within(1) + fields.Noise(2)) is None


def test_no_arrow_where_the_field_has_no_value():
    arrows = sample_arrows(fields.Formula("(1 / x, log(y), 0)"))
    bad = (arrows["positions"][..., 0] == 0) | (arrows["positions"][..., 1] <= 0)
    assert np.isnan(arrows["pushes"][..., :2][bad]).any(axis=-1).all()
    assert np.isfinite(arrows["pushes"][~bad]).all()


def test_carrier_field_is_sampled_around_its_carrier():
    arrows = sample_arrows(fields.Spring(1).carried_by("lamp"), t=3.0)
    assert_allclose(arrows["positions"].mean(axis=1), [(3, 0, 0)] * 3, atol=1e-6)
    assert_allclose(arrows["pushes"], (3, 0, 0) - arrows["positions"], atol=1e-6)
    flock = sample_arrows(fields.Spring(1).carried_by("bird/*"), t=3.0)
    assert_allclose(flock["pushes"], 2 * arrows["pushes"], atol=1e-6)
    late = sample_arrows(fields.Spring(1).carried_by("lamp").delayed(2), t=3.0)
    assert (np.abs(late["pushes"] - arrows["pushes"]) > 1e-3).any()


def test_pose_of_a_simulated_carrier_is_read_from_the_take():
    kite = Actor("kite", DynamicSpline((0, 0, 0), (1, 0, 0)))
    stage = Stage([kite, Actor("lamp", RIDE)], fields={"it": fields.Spring(1).carried_by("kite")})
    assert_allclose(
        unpack_update(pack_arrows(Preview(stage), "it", 2.0, 1.0, 1))["positions"].mean(axis=1), 0, atol=1e-6
    )
    arrows = unpack_update(pack_arrows(Preview(stage, shoot(stage, 4, 24)), "it", 2.0, 1.0, 1))
    assert_allclose(arrows["positions"].mean(axis=1), [(2, 0, 0)] * 3, atol=1e-6)


def test_trackers_and_removed_fields_have_no_arrows():
    assert sample_arrows(fields.KeepOffset("lamp")) is None
    assert pack_arrows(Preview(Stage([])), "it", 0.0, 1.0, 1) is None


@pytest.mark.parametrize(("field", "expected"), [
    (fields.Vortex(1).moved((1, 0, 0)).within(2) + 2 * fields.Uniform((1, 0, 0)), True),
    (fields.Formula("(x, y, vz)"), True),
    (fields.Formula("(x, y, t)"), False),
    (fields.Noise(1).turned(20, "x").scaled(2), True),
    (fields.Noise(1, speed=1), False),
    (fields.Spring(1).pulsing(2), False),
    (fields.Wall((0, 0, 0), (0, 1, 0), 1, 1).during(0, 1), False),
    (fields.Spring(1) + fields.Spring(1).carried_by("lamp"), False),
])  # fmt: skip
def test_static_fields_are_recognized(field, expected):
    assert is_static(field) is expected


# ---- when it is sent -------------------------------------------------------------------------------------------------


@pytest.fixture
def client(tmp_path):
    hub = Hub(Session(field_stage()), Folder(tmp_path))
    edited = Client(hub)
    hub.clients.add(edited)
    edited.outbox.clear_updates()
    yield edited
    hub.journal_executor.shutdown()


def send(client, do, **options):
    client.receive(json.dumps({"do": do, "id": 1, **options}))


def sent_fields(client):
    """The fields whose arrows are sent now, once each."""
    found = []
    while client.outbox:
        update = client.outbox.pop()
        head = unpack_update(update) if isinstance(update, bytes) else json.loads(update)
        found += [head["field"]] if head["is"] == "arrows" else []
    return found


def test_only_shown_fields_are_sent_once_each(client):
    send(client, "seek", time=0.5)
    assert sent_fields(client) == []
    send(client, "show_fields", fields=["whirl", "light", "whirl", "near", "nothing"], reach=2.0)
    assert sent_fields(client) == ["whirl", "light"]
    send(client, "show_fields", fields=[], reach=2.0)
    send(client, "seek", time=0.75)
    assert sent_fields(client) == []


def test_seek_sends_only_moving_or_time_dependent_fields(client):
    send(client, "show_fields", fields=["whirl", "light", "wind"], reach=2.0)
    sent_fields(client)
    send(client, "seek", time=0.75)
    assert sent_fields(client) == ["light", "wind"]


def test_changed_reach_sends_all_arrows_again(client):
    send(client, "show_fields", fields=["whirl"], reach=2.0)
    sent_fields(client)
    send(client, "show_fields", fields=["whirl"], reach=2.0)
    assert sent_fields(client) == []
    send(client, "show_fields", fields=["whirl"], reach=3.0)
    assert sent_fields(client) == ["whirl"]


def test_whole_scene_update_sends_all_arrows_again(client):
    send(client, "show_fields", fields=["whirl"], reach=2.0)
    sent_fields(client)
    client.send_scene((), is_full=True)
    assert sent_fields(client) == ["whirl"]


@pytest.mark.parametrize("reach", ["0", "-1", "1e300", "1e-300"])
def test_invalid_arrow_reach_is_refused(client, reach):
    client.receive('{"do": "show_fields", "id": 1, "fields": ["whirl"], "reach": ' + reach + "}")
    assert json.loads(client.outbox.pop())["is"] == "refused"
    send(client, "seek", time=0.5)
    assert sent_fields(client) == []


def test_arrow_rate_is_limited_during_playback_and_sent_at_pause(client):
    now = [100.0]
    shown = client.arrows
    shown.clock = lambda: now[0]
    send(client, "show_fields", fields=["light", "whirl"], reach=2.0)
    sent_fields(client)
    client.player = type("Playing", (), {"speed": 1.0, "time": 0.5, "preview": client.preview})()
    shown.send()
    assert sent_fields(client) == ["light"]
    shown.send()
    assert sent_fields(client) == []
    now[0] += 0.1
    shown.send()
    assert sent_fields(client) == ["light"]
    client.player = type("Paused", (), {"speed": 0.0, "time": 0.5, "preview": client.preview})()
    shown.send()
    assert sent_fields(client) == ["light"]


def is_whirl_update(update):
    """Whether these are arrows of the whirl; others may be drawn anew by the way, when somebody was shot."""
    return update["is"] == "arrows" and update["field"] == "whirl"


def test_field_drag_on_one_client_updates_all_clients(tmp_path):
    with serve_stage(field_stage(), tmp_path) as studio, studio.connect() as first, studio.connect() as second:
        second.request("show_fields", fields=["whirl", "mix"], reach=1.0)
        second.receive_until(lambda update: update["is"] == "arrows" and update["field"] == "mix")
        first.request("move_field", field="whirl", by=[1, 0, 0], gesture="g")
        arrows = second.receive_until(lambda update: is_whirl_update(update) and update["revision"] > 0)
        assert_allclose(arrows["positions"].mean(axis=1), [(2, 0, 0)] * 3, atol=1e-6)
        scene = second.receive_until(lambda update: update["is"] == "scene" and update["steps"]["undo"])
        assert scene["steps"]["undo"] == "move the field whirl"
        assert scene["fields"][1]["spec"]["center"] == [2, 0, 0]
        poses = second.receive_until(lambda update: update["is"] == "poses" and update["revision"] == scene["revision"])
        assert_allclose(poses["fields"][1, :3], (2, 0, 0), atol=1e-6)


def test_changed_field_reshoots_actors_that_sense_it(tmp_path):
    stage = Stage(
        [Actor("leaf", DynamicSpline((0, 0, 0), senses={"wind": 1}))], fields={"wind": fields.Uniform((1, 0, 0))}
    )
    with serve_stage(stage, tmp_path) as studio, studio.connect() as client:
        client.receive_until(lambda update: update["is"] == "curve" and (update["line"][-1:, 0] > 1).any())
        client.request("set_field", field="wind", value={"kind": "uniform", "vector": [0, 1, 0]})
        client.receive_until(lambda update: update["is"] == "curve" and (update["line"][-1:, 1] > 1).any())


def test_field_drag_sends_no_trails_from_the_old_take(tmp_path):
    async def drag():
        stage = field_stage()
        hub = Hub(Session(stage), Folder(tmp_path))
        hub.preview = Preview(stage, shoot(stage, 0.5))
        client = Client(hub)
        hub.clients.add(client)
        hub.apply(commands.MoveField(id=1, field="whirl", by=(1, 0, 0)))
        waiting = set(client.outbox.updates)
        await hub.close()
        return waiting

    waiting = asyncio.run(drag())
    assert "scene" in waiting
    assert not any(key[0] == "curve" for key in waiting)


def test_send_times_of_hidden_fields_are_dropped(client):
    client.arrows.sent_at = {"wind": 1.0, "gone": 1.0}
    send(client, "show_fields", fields=["wind"], reach=2.0)
    assert client.arrows.sent_at == {"wind": 1.0}
    client.arrows.reset()
    assert not client.arrows.sent_at
