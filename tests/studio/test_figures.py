"""What a page sees of figures, soft bodies and what holds bodies together; and what it can say of them."""

import numpy as np
import pytest

from keypose import (
    Actor,
    Ball,
    Body,
    Box,
    Figure,
    Follow,
    Key,
    Link,
    Motion,
    MotionPath,
    Orientation,
    Pin,
    Sphere,
    Stage,
    fields,
    shoot,
)
from keypose.physics.values.soft_lattice import build_lattice
from keypose.studio.edits.key_frames import carrier_frames_at, simulate_moment
from keypose.studio.present.figures import connection_views, link_views
from keypose.studio.present.relative_paths import current_relative_path
from keypose.studio.present.scene import actor_view, pack_poses
from keypose.studio.present.trails import pack_curve
from keypose.studio.preview.dependents import dependents
from keypose.studio.preview.preview import TAKE_FPS, Preview
from keypose.studio.protocol import commands
from keypose.studio.session.recovery import find_recoverable
from keypose.studio.session.session import Session
from tests.physics.arms import HAND_PATH
from tests.studio.edit_calls import crash_session, do, refused, undo
from tests.studio.live_scenes import play_live
from tests.studio.scenes import figure_stage, text
from tests.studio.studio_client import unpack_update


@pytest.fixture
def stage():
    return figure_stage()


# ---- parts and joints ------------------------------------------------------------------------------------------------


def test_link_view_has_its_joint_in_its_own_frame(stage):
    upper, lower, hand = (view.joint for view in link_views(stage))
    assert (upper.kind, upper.to, lower.to, hand.to) == ("hinge", "arm", "arm/upper", "arm/lower")
    assert hand.at == pytest.approx((-0.05, 0, 0))
    assert upper.at == pytest.approx((0, 0.2, 0)), "it lies: what was along x is along y for it"
    assert hand.numbers == {"stiffness": 0, "damping": 0.2, "strength": 0}
    loose = Figure(
        Body(Box(1)), [Ball(Link("a", Body(Sphere(1))), at=(0, 1, 0), limit=30), Pin(Link("b", Body(Box(1))))]
    )
    ball, pin = (view.joint for view in link_views(Stage([Actor("it", loose)])))
    assert (ball.limit, ball.limits, pin.numbers) == (30, None, {})


def test_joint_options_are_changed_and_limits_removed(stage):
    edited, label = do(stage, commands.SetJoints, links=("arm/hand",), changes={"stiffness": 3, "limits": [-20, 30]})
    assert label == "stiffness and limits of the joint of arm/hand"
    hand = edited["arm"].mover.joints[2]
    assert (hand.stiffness, hand.limits, hand.damping) == (3, (-20, 30), 0.2)
    assert edited["arm"].mover.joints[:2] == stage["arm"].mover.joints[:2]
    restored, _ = do(
        edited, commands.SetJoints, links=("arm/hand", "arm/upper"), changes={}, unset=("limits", "stiffness")
    )
    assert restored == stage


def test_bodies_of_links_and_root_are_changed(stage):
    heavy = {"mass": 2, "shape": {"kind": "box", "size": 0.1}}
    edited, label = do(stage, commands.SetBodies, actors=("arm/hand", "arm/lower", "arm"), changes=heavy)
    assert label == "mass and shape of 3 actors"
    assert edited["arm/hand"].mover.body == edited["arm/lower"].mover.body == Body(Box(0.1), 2)
    assert edited["arm"].mover.root == Body(Box(0.1), 2)
    assert edited["arm/upper"].mover.body == stage["arm/upper"].mover.body
    assert dependents(stage, edited) == set(stage.names)


def test_invalid_figure_edit_is_refused_with_reason(stage):
    assert "Did you mean 'arm/hand'?" in refused(stage, commands.SetJoints, links=("arm/hnd",), changes={"damping": 1})
    assert "damping" in refused(stage, commands.SetJoints, links=("arm/hand",), changes={"damping": -1})
    assert "no 'mood'" in refused(stage, commands.SetJoints, links=("arm/hand",), changes={}, unset=("mood",))
    assert "Nothing was said" in refused(stage, commands.SetJoints, links=("arm/hand",), changes={})
    assert "soft" in refused(stage, commands.SetBodies, actors=("arm/hand",), changes={"stiffness": 1000})
    assert "surface of a soft body" in refused(stage, commands.SetBodies, actors=("ball/skin",), changes={"mass": 1})


# ---- connections -----------------------------------------------------------------------------------------------------


def test_connection_views_have_anchors_and_reach_options(stage):
    reach, spring, rope = connection_views(Preview(stage))
    assert (reach.kind, reach.link, reach.to, reach.follow.within) == ("reach", "arm/hand", None, 0.2)
    assert reach.numbers == {"help": None}
    assert (spring.link, spring.to, spring.at) == ("lamp", "arm/lower", (0, 0, 0))
    assert spring.to_at == pytest.approx((0, -0.2, 0)), "as the arm sees it, which lies"
    assert spring.numbers == {"stiffness": 50, "damping": 1, "length": None}
    assert (rope.to, rope.to_at) == (None, (0.85, 0, 0))
    assert connection_views(Preview(Stage([]))) == ()


def test_reach_and_spring_options_are_changed(stage):
    edited, label = do(stage, commands.SetConnections, connections=(0,), changes={"speed": 1.5, "help": 20})
    assert label == "speed and help of the reach of arm/hand"
    assert (edited.connections[0].speed, edited.connections[0].help) == (1.5, 20)
    assert edited.connections[0].goal is stage.connections[0].goal
    eager, _ = do(edited, commands.SetConnections, connections=(0,), changes={"eagerness": 0.3}, unset=("help",))
    assert (eager.connections[0].speed, eager.connections[0].eagerness, eager.connections[0].help) == (None, 0.3, None)
    soft, label = do(stage, commands.SetConnections, connections=(1, 2), changes={"stiffness": 7})
    assert label == "stiffness of 2 connections"
    assert [one.stiffness for one in soft.connections[1:]] == [7, 7]
    assert set(stage.names) == dependents(stage, soft)
    assert "There is no connection 3" in refused(
        stage, commands.SetConnections, connections=(3,), changes={"damping": 1}
    )
    assert "within" in refused(stage, commands.SetConnections, connections=(0,), changes={"within": 0})
    assert "must have a within" in refused(
        stage, commands.SetConnections, connections=(0,), changes={}, unset=("within",)
    )


def test_figure_edits_are_undone_and_survive_a_crash(stage, tmp_path):
    session = Session(stage, state=tmp_path)
    session.apply(commands.SetConnections(id=1, connections=(0,), changes={"within": 0.4}))
    session.apply(commands.SetJoints(id=1, links=("arm/hand",), changes={"damping": 2}))
    session.apply(commands.SetBodies(id=1, actors=("arm/hand",), changes={"mass": 3}))
    session.apply(commands.SetConnections(id=1, connections=(1,), changes={"damping": 3}))
    session.apply(undo())
    assert session.stage.connections[1].damping == 1
    assert session.stage.connections[0].within == 0.4
    expected = crash_session(session)
    (found,) = find_recoverable(tmp_path)
    recovered = Session.from_recovery(found, state=tmp_path)
    assert text(recovered.stage) == expected
    recovered.close()


def test_reach_path_and_target_are_sent_and_preview_lasts_to_its_end(stage):
    preview = Preview(stage, shoot(stage, 0.5, TAKE_FPS))
    assert preview.duration >= HAND_PATH.length / stage.connections[0].pace
    curve = unpack_update(pack_curve(preview, "arm/hand", 24, 1))
    assert np.allclose(curve["path"], HAND_PATH.at(curve["path_u"].astype(float)), atol=1e-5)
    assert np.allclose(curve["keys"], HAND_PATH.at(np.arange(3.0)), atol=1e-5)
    rows = dict(zip(stage.names, unpack_update(pack_poses(preview, 0.3, 1))["targets"], strict=True))
    assert np.isfinite(rows["arm/hand"]).all()
    assert np.isnan(rows["arm/lower"]).all()


def test_unshot_figure_is_at_its_start_pose(stage):
    rows = dict(zip(stage.names, Preview(stage).all_poses(1.0)[0], strict=True))
    assert rows["arm"][:3].tolist() == [0, 1, 0]
    assert rows["arm/hand"][:3] == pytest.approx((0.85, 1, 0))


# ---- soft bodies -----------------------------------------------------------------------------------------------------


def test_soft_body_view_has_its_surface_and_points(stage):
    preview, lattice = Preview(stage), build_lattice(Sphere(0.3))
    view = actor_view(stage["ball"], preview, {}).body
    assert view.stiffness == 2000
    assert np.array_equal(np.reshape(view.surface, (-1, 3)), lattice.triangles)
    assert actor_view(stage["lamp"], preview, {}).body.surface is None
    assert "ball/skin" not in [link.name for link in link_views(stage)]
    for current in (preview, Preview(stage, shoot(stage, 0.5, TAKE_FPS))):
        points = unpack_update(pack_poses(current, 0.0, 1))["points"]
        assert points == pytest.approx(lattice.points[lattice.surface_indices] + (2, 0.5, 0), abs=2e-3)


def test_newly_soft_body_has_its_surface_around_it_until_it_is_shot(stage):
    preview = Preview(stage, shoot(stage, 0.5, TAKE_FPS))
    edited, label = do(stage, commands.SetBodies, actors=("lamp",), changes={"stiffness": 500})
    assert label == "stiffness of lamp"
    updated = preview.with_stage(edited, dependents(stage, edited))
    rows, points = updated.all_poses(0.4)
    position = rows[edited.names.index("lamp"), :3]
    assert position[1] != 0.5
    assert np.linalg.norm(points[0] - position, axis=1).max() < 0.11
    restored, _ = do(edited, commands.SetBodies, actors=("lamp",), changes={}, unset=("stiffness",))
    assert restored == stage


# ---- carried keys ----------------------------------------------------------------------------------------------------

WAGON_ORIENTATION = Orientation.turned(90, "y")


def wagon_stage():
    """A bee that follows keys on a wagon, which is turned to the left: one is pinned when it comes there."""
    path = [(0, 1, 2), Key((0, 0.6, 0), relative_to="wagon"), Key((1, 1, 0), relative_to="wagon", pin=False)]
    ride = MotionPath([Key((0, 0, 0), orientation=WAGON_ORIENTATION), Key((8, 0, 0), orientation=WAGON_ORIENTATION)])
    return Stage(
        [
            Actor("wagon", Motion(ride, duration=4)),
            Actor("bee", Follow(MotionPath(path), Body(Sphere(0.1)), within=0.5, speed=4)),
        ]
    )


def test_relative_keys_of_a_follower_move_with_their_carrier_until_pinned():
    stage = wagon_stage()
    preview = Preview(stage, shoot(stage, 4, TAKE_FPS))
    assert unpack_update(pack_poses(Preview(stage), 0.0, 1))["keys 1"][1] == pytest.approx((0, 0.6, 0), abs=1e-5)
    early, late = (unpack_update(pack_poses(preview, t, 1)) for t in (0.25, 3.9))
    assert early["keys 1"][0] == pytest.approx((0, 1, 2))
    assert early["keys 1"][1] == pytest.approx((0.5, 0.6, 0), abs=1e-5)
    assert late["keys 1"][2] == pytest.approx((7.8, 1, -1), abs=1e-5)
    assert 0.5 < late["keys 1"][1][0] < 5, "it stayed where the bee met it"
    assert len(early["path 1"]) == len(early["path_u 1"])
    met = late["keys 1"][1]
    assert np.linalg.norm(preview.take.targets["bee"] - met, axis=1).min() < 0.1
    assert "keys 0" not in early
    assert current_relative_path(preview, "wagon", 0.0) is None


def test_relative_key_is_pinned_when_the_target_reaches_it_in_path_order():
    """The path begins where its last key is carried at first: the target is near that long before it is its turn."""
    ride = Motion(MotionPath([(0, 0, 0), (4, 0, 0)]), duration=8)
    path = MotionPath([(0, 0, 0), (1, 0, 0), (0, 1, 0), Key((0, 0, 0), relative_to="wagon")])
    bee = Follow(path, Body(Sphere(0.1)), within=0.5, speed=2)
    stage = Stage([Actor("wagon", ride), Actor("bee", bee)])
    preview = Preview(stage, shoot(stage, 8, TAKE_FPS))
    early, late = (unpack_update(pack_poses(preview, t, 1))["keys 1"][3] for t in (0.2, 7.9))
    assert early == pytest.approx((0.1, 0, 0), abs=1e-5), "nobody has come to it yet"
    pinned = carrier_frames_at(simulate_moment(stage, 7.9))["bee"].position[0, 0]
    assert pinned[0] > 0.5
    assert late == pytest.approx(pinned, abs=0.5 / TAKE_FPS)
    times = [key.time for key in actor_view(stage["bee"], preview, {}).keys]
    assert times == sorted(times)
    assert times[3] == pytest.approx(pinned[0] / 0.5, abs=1 / TAKE_FPS)


def test_relative_key_of_a_follower_is_dragged_as_shown():
    edited, label = do(wagon_stage(), commands.MoveKeys, actor="bee", keys=(1,), by=(1, 0, 0), time=0.5)
    assert label == "move key 1 of bee"
    assert edited["bee"].mover.path.keys[1].position == pytest.approx((0, 0.6, 1)), "the wagon is turned"
    free, _ = do(wagon_stage(), commands.MoveKeys, actor="bee", keys=(0,), by=(1, 0, 0))
    assert free["bee"].mover.path.keys[0].position.tolist() == [1, 1, 2]
    do(edited, commands.TurnKeys, actor="bee", keys=(1,), by=(1, 0, 0, 0))
    do(edited, commands.DragTangent, actor="bee", key=1, side="both", to=(1, 0, 0), time=0.5)


def test_key_inserted_on_a_relative_rough_path_gets_its_carrier():
    edited, _ = do(wagon_stage(), commands.InsertKey, actor="bee", u=1.5, time=0.5)
    key = edited["bee"].mover.path.keys[2]
    assert (key.relative_to, key.pin) == ("wagon", False)
    assert 0.2 < key.position[0] < 0.8
    assert abs(key.position[2]) < 0.5, "between its neighbours on the wagon"
    free, _ = do(wagon_stage(), commands.InsertKey, actor="bee", u=0.5, time=1.0)
    assert free["bee"].mover.path.keys[1].relative_to is None


def test_time_of_a_relative_key_is_when_the_target_reaches_it():
    stage = wagon_stage()
    preview = Preview(stage, shoot(stage, 4, TAKE_FPS))
    time = actor_view(stage["bee"], preview, {}).keys[1].time
    wagons, target = preview.take["wagon"].at(time).position, preview.take.targets["bee"][round(time * TAKE_FPS)]
    assert np.linalg.norm(target - wagons - (0, 0.6, 0)) < 0.1


def test_live_frame_has_the_frames_of_relative_keys():
    def script(live):
        live.wait(0.3)
        positions = unpack_update(pack_poses(live.run.preview, live.run.time, 1))["keys 1"]
        assert positions[1] == pytest.approx((2 * live.run.time, 0.6, 0), abs=0.01)

    play_live(script, wagon_stage())


# ---- what bodies sense -----------------------------------------------------------------------------------------------


def test_senses_of_bodies_are_linked_changed_and_cut(stage):
    windy = stage.changed(fields={"wind": fields.Uniform((1, 0, 0))})
    preview = Preview(windy)
    assert actor_view(windy["ball"], preview, {}).senses == ()
    assert actor_view(windy["floor"], preview, {}).senses is None
    edited, label = do(windy, commands.LinkActors, actors=("ball", "lamp"), field="wind", affinity=0.5)
    assert label == "link 2 actors to wind"
    assert edited["ball"].mover.senses == {"wind": 0.5}
    (sense,) = actor_view(edited["ball"], Preview(edited), {}).senses
    assert (sense.name, sense.affinity) == ("wind", 0.5)
    cut, _ = do(edited, commands.LinkActors, actors=("ball",), field="wind", affinity=None)
    assert cut["ball"].mover == windy["ball"].mover
    own = {"kind": "uniform", "vector": [0, 2, 0]}
    other, _ = do(windy, commands.LinkActors, actors=("ball",), field=own, affinity=1)
    named, _ = do(other, commands.NameSensed, actor="ball", field=own, name="lift")
    assert named["ball"].mover.senses == {"lift": 1}
    assert "is not pushed by fields" in refused(windy, commands.LinkActors, actors=("floor",), field="wind", affinity=1)
