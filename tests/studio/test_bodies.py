"""What a page sees of bodies: forms, the rough path and what was done on it, targets, hits; and all of it live."""

import asyncio
import os
import sys
import threading
from dataclasses import replace

import numpy as np
import pytest

from keypose import Body, Follow, Mesh, MotionPath, Sphere, Stage, shoot
from keypose.stage.actor import Actor
from keypose.studio.edits.apply import apply_edit
from keypose.studio.present.bodies import mesh_faces
from keypose.studio.present.figures import link_views
from keypose.studio.present.scene import actor_view, pack_poses
from keypose.studio.present.trails import pack_curve
from keypose.studio.preview.collisions import MAX_COLLISIONS, collision_views
from keypose.studio.preview.preview import TAKE_FPS, Preview
from keypose.studio.protocol import commands
from keypose.studio.server.hub import Hub
from keypose.studio.session.folder import Folder
from keypose.studio.session.session import Session
from tests.physics.arms import arm
from tests.studio.live_scenes import join_client, play_live, with_hub
from tests.studio.scenes import body_stage
from tests.studio.studio_client import unpack_update

SECONDS = 3.0


@pytest.fixture(scope="module")
def preview():
    stage = body_stage()
    return Preview(stage, shoot(stage, SECONDS, TAKE_FPS))


def view_of(preview, name):
    return actor_view(preview.stage[name], preview, {})


def test_follower_view_has_its_options_and_nominal_speed(preview):
    follow = view_of(preview, "red").follow
    assert (follow.within, follow.speed, follow.nominal_speed) == (0.4, 1.5, pytest.approx(1.5))
    assert follow.is_critical
    assert not follow.has_orientations
    assert view_of(preview, "blue").follow.has_orientations
    assert view_of(preview, "ball").follow is None


def test_every_body_view_has_its_shape(preview):
    shapes = {name: view_of(preview, name).body.shape for name in preview.stage.names}
    assert shapes["floor"] == {"kind": "plane", "normal": (0.0, 1.0, 0.0), "offset": -0.3}
    assert shapes["red"] == {"kind": "sphere", "radius": 0.3}
    assert shapes["blue"] == {"kind": "capsule", "radius": 0.15, "length": 0.4}
    assert shapes["train"] == {"kind": "box", "size": (0.5, 0.5, 0.5)}
    assert view_of(preview, "ball").start.velocity == (0.5, 0, 0)
    assert view_of(preview, "wall").start.velocity is None


def test_mesh_is_sent_as_triangles_or_as_bounding_box_if_large(tmp_path):
    small = tmp_path / "tent.obj"
    small.write_text("v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nv 0 0 3\nf 1/1 2/2 3/3 4/4\nf -5 -4 -1\n")
    faces = np.reshape(mesh_faces(str(small), 2.0), (-1, 3, 3))
    assert faces.tolist()[0] == [[0, 0, 0], [4, 0, 0], [4, 2, 0]]
    assert len(faces) == 3
    many = tmp_path / "many.stl"
    corners = "".join(f"vertex {i % 7} {i % 5} {i % 3}\n" for i in range(3000))
    many.write_text(f"solid x\n{corners}endsolid\n")
    box = np.reshape(mesh_faces(str(many), 1.0), (-1, 3, 3))
    assert len(box) == 12
    assert box.reshape(-1, 3).max(axis=0).tolist() == [6, 4, 2]
    assert mesh_faces(str(tmp_path / "gone.stl"), 1.0) is None
    (tmp_path / "junk.obj").write_text("v here there\n")
    assert mesh_faces(str(tmp_path / "junk.obj"), 1.0) is None
    missing = Preview(Stage([Actor("a", Follow(MotionPath([(0, 0), (1, 0)]), Body(Mesh("gone.stl")), within=1))]))
    assert view_of(missing, "a").body.faces is None


TENT = "v 0 0 0\nv 2 0 0\nv 2 1 0\nf 1 2 3\n"


def test_mesh_with_non_utf8_comments_is_read(tmp_path):
    file = tmp_path / "tent.obj"
    file.write_bytes(b"# fa\xe7ade, Br\xfccke\n" + TENT.encode())
    assert len(mesh_faces(str(file), 1.0)) == 9


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders here")
def test_named_pipe_is_no_mesh_and_does_not_block(tmp_path):
    pipe = tmp_path / "pipe.obj"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(TENT,))  # it waits for whoever reads
    writer.start()
    try:
        assert mesh_faces(str(pipe), 1.0) is None
    finally:
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        writer.join()
        os.close(reader)


def test_rough_path_and_its_keys_are_sent_apart_from_the_body_trail(preview):
    curve, path = unpack_update(pack_curve(preview, "red", 24, 1)), preview.stage["red"].mover.path
    assert np.allclose(curve["path"], path.at(curve["path_u"].astype(float)), atol=1e-5)
    assert np.allclose(curve["keys"], path.at([0.0, 1.0, 2.0]), atol=1e-6)
    assert np.allclose(curve["leave"], path.leave, atol=1e-6)
    positions = preview.take["red"].at(np.linspace(0, SECONDS, 10)).position
    assert all(np.linalg.norm(curve["line"] - position, axis=1).min() < 0.05 for position in positions)
    assert curve["length"] >= max(path.length, curve["stripes"][-1]) - 1e-4


def test_rough_path_is_sent_before_the_first_shoot():
    curve = unpack_update(pack_curve(Preview(body_stage()), "red", 24, 1))
    assert len(curve["line"]) == 0
    assert len(curve["path"]) > 50
    flat = Stage([Actor("a", Follow(MotionPath([(0, 0), (1, 2)], closed=True), Body(Sphere(1)), within=1))])
    curve = unpack_update(pack_curve(Preview(flat), "a", 24, 1))
    assert curve["keys"].tolist() == [[0, 0, 0], [1, 2, 0]]
    assert np.allclose(curve["path"][0], curve["path"][-1])


def test_unshot_bodies_are_at_start_pose_and_moved_wall_follows_at_once(preview):
    stage = preview.stage
    rows = dict(zip(stage.names, Preview(stage).all_poses(1.0)[0], strict=True))
    assert rows["red"][:3].tolist() == [0, 0, 0]
    assert rows["ball"][:3].tolist() == [1.5, 3, 1]
    assert rows["wall"][:3].tolist() == [4.4, 0.1, 0.8]
    moved, _ = apply_edit(stage, commands.MoveBodies(id=1, actors=("wall",), by=(1, 0, 0)))
    rows = dict(zip(stage.names, preview.with_stage(moved, frozenset(stage.names)).all_poses(1.0)[0], strict=True))
    assert rows["wall"][0] == pytest.approx(5.4)
    assert rows["ball"][1] < 3


def test_follower_key_times_are_when_its_target_passes_them(preview):
    times = [key.time for key in view_of(preview, "red").keys]
    assert times[0] == 0
    position = preview.take.targets["red"][round(times[1] * TAKE_FPS)]
    assert np.linalg.norm(position - (3, 1, 0)) < 0.05
    assert not any(key.is_pinned for key in view_of(preview, "red").keys)
    unshot = [key.time for key in view_of(Preview(preview.stage), "red").keys]
    assert unshot == sorted(unshot)


def test_preview_lasts_until_followers_finish(preview):
    assert preview.duration == np.ceil(1.1 * preview.stage["red"].mover.path.length / 1.5 + 1)
    assert Preview(body_stage().changed(actors=[body_stage()["ball"]])).duration == 10.0


def test_targets_are_sent_with_the_poses_in_stage_order(preview):
    moment = unpack_update(pack_poses(preview, 1.0, 1))
    rows = dict(zip(preview.stage.names, moment["targets"], strict=True))
    assert np.isnan(rows["ball"]).all()
    assert np.allclose(rows["red"], preview.take.targets["red"][60], atol=1e-5)
    assert np.isfinite(unpack_update(pack_poses(preview, 99.0, 1))["targets"][2]).all()
    assert "targets" not in unpack_update(pack_poses(Preview(preview.stage), 1.0, 1))


def test_collisions_are_sent_and_capped_to_the_hardest(preview):
    assert {"ball"} <= {hit.actor for hit in preview.collisions} | {hit.other for hit in preview.collisions}
    assert all(hit.speed > 0 and 0 < hit.time <= SECONDS for hit in preview.collisions)
    assert list(preview.collisions) == sorted(preview.collisions, key=lambda hit: hit.time)
    events = [event for event in preview.take.events if getattr(event, "speed", 0)]
    many = collision_views(events * (2 * MAX_COLLISIONS))
    assert len(many) == MAX_COLLISIONS
    assert {hit.speed for hit in many} == {max(event.speed for event in events)}


def test_figure_links_are_named_below_their_actor():
    views = link_views(Stage([Actor("left/arm", arm())]))
    assert [(view.name, view.actor) for view in views] == [
        (f"left/arm/{link}", "left/arm") for link in ("upper", "lower", "hand")
    ]
    assert views[2].body.shape == {"kind": "sphere", "radius": 0.06}
    assert link_views(body_stage()) == ()


# ---- on a page -------------------------------------------------------------------------------------------------------


def test_follower_path_updates_at_once_and_trails_after_the_shoot(tmp_path):
    def script(hub):
        client = join_client(hub)
        hub.preview = Preview(hub.session.stage, shoot(hub.session.stage, 0.5, TAKE_FPS))
        shown = []
        client.outbox.set_update = lambda key, *_, **__: shown.append(key)
        hub.apply(commands.MoveKeys(id=1, actor="red", keys=(1,), by=(0, 1, 0), gesture="drag"))
        assert [key for key in shown if key[0] == "curve"] == [("curve", "red")]
        assert unpack_update(hub.render_curve("red", 24))["keys"][1].tolist() == [3, 2, 0]
        shown.clear()
        hub.apply(commands.SetMovers(id=1, actors=("red",), changes={"within": 1}, gesture="slide"))
        assert not [key for key in shown if key[0] == "curve"]

    with_hub(tmp_path, script, body_stage())


def test_missing_physics_extra_is_reported_once(tmp_path, monkeypatch):
    for module in ("engine.engine", "simulation.engine_assembly"):  # an earlier test may have imported them
        monkeypatch.delitem(sys.modules, f"keypose.physics.{module}", raising=False)
    monkeypatch.setitem(sys.modules, "mujoco", None)

    async def run():
        hub = Hub(Session(body_stage()), Folder(tmp_path))
        client = join_client(hub)
        await hub.shoot_task
        hub.remove_client(client)
        await hub.close()
        return client.notices

    ((kind, text),) = asyncio.run(run())
    assert kind == "error"
    assert "pip install 'keypose[physics]'" in text


# ---- live ------------------------------------------------------------------------------------------------------------


def advance(live, seconds):
    """Let so much time pass, in pieces for which there is time."""
    for _ in range(round(seconds / 0.02)):
        live.wait(0.02)


def test_changed_live_run_of_bodies_rewinds_bitwise_identically():
    def script(live):
        advance(live, 0.4)
        live.run.update_document(body_stage().with_actor(with_follow_options(body_stage()["red"], speed=4.0)))
        advance(live, 0.4)
        rows, time = live.pose_rows(), live.run.time
        targets = dict(live.run.preview.targets(time))
        assert set(targets) == {"red", "blue"}
        live.run.pause()
        live.run.seek(0.2)
        finish_seek(live)
        assert live.run.time == pytest.approx(0.2)
        live.run.seek(time)
        finish_seek(live)
        assert np.array_equal(live.pose_rows(), rows)
        assert np.array_equal(live.run.preview.targets(time)["red"], targets["red"])

    play_live(script, body_stage())


def with_follow_options(actor, **options):
    return actor.changed(motion_or_mover=replace(actor.mover, **options))


def finish_seek(live):
    while live.run.live_run.has_pending_seek:
        live.run.catch_up()


def test_live_collisions_appear_as_they_happen_and_vanish_on_rewind():
    def script(live):
        assert live.run.preview.collisions == ()
        advance(live, 1.0)
        hits = live.run.preview.collisions
        assert hits
        assert all(hit.time <= live.run.time for hit in hits)
        live.run.pause()
        live.run.seek(hits[0].time - 0.01)
        finish_seek(live)
        assert live.run.preview.collisions == ()

    play_live(script, body_stage())
