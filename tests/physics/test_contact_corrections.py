"""Each correction of MuJoCo's contacts is needed: the deviation that docs/bodies.md lists appears without it."""

import re
from pathlib import Path
from unittest.mock import patch

import mujoco
import numpy as np
import pytest

from keypose import (
    Actor,
    Body,
    Box,
    Capsule,
    Free,
    KeyposeError,
    Motion,
    MotionPath,
    Orientation,
    Plane,
    Run,
    Sphere,
    Stage,
    Still,
    shoot,
)
from keypose.maths import quaternion
from keypose.physics.engine import flex, model_builder
from keypose.physics.engine.contact_model import contact_model, restitution, spring_contacts
from keypose.physics.engine.contact_model.contact_model import ContactModel
from keypose.physics.engine.engine import Engine
from keypose.physics.engine.joint_space import JointSpace
from keypose.physics.simulation import system
from tests.physics.test_contact_energy import DOWN, FPS, ball_row, energy, stage_with_frozen_contact
from tests.physics.test_spring_compensation import lamp

PAGE = (Path(__file__).parents[2] / "docs" / "bodies.md").read_text(encoding="utf-8")
FLOOR = Actor("floor", Still(Body(Plane())))
FAR_SOFT = Actor("soft", Free(Body(Box(0.2), stiffness=5000.0), (50, 50, 0)))


def rebound(bounce, *others):
    """The share of its speed with which a ball comes back from the floor, in the mean of beginnings within a step."""
    found = []
    for height in np.linspace(0.15, 0.1535, 8):
        ball = Actor("ball", Free(Body(Sphere(0.1), bounce=bounce), (0, height, 0), (0, -2, 0)))
        heights = shoot(Stage([ball, FLOOR, *others]), 0.12, FPS)["ball"].position[-2:, 1]
        found.append((heights[1] - heights[0]) * FPS / 2)
    return np.mean(found)


def slider_hop():
    """How high a box hops that slides over a floor with 3 m/s [m]."""
    box = Actor("box", Free(Body(Box(0.2), friction=0.8), (0, 0.1, 0), (3, 0, 0)))
    return shoot(Stage([box, FLOOR], gravity=DOWN), 0.6, FPS)["box"].position[:, 1].max() - 0.1


def slope_creep():
    """How far a crate creeps down a slope of 15 degrees in 2 s [m]."""
    normal = np.array([-np.sin(np.radians(15)), np.cos(np.radians(15)), 0])
    body = Body(Box(0.2), friction=0.8)
    crate = Actor("crate", Free(body, tuple(0.1 * normal), orientation=Orientation.turned(15, "z")))
    slope = Actor("slope", Still(Body(Plane(normal), friction=0.8)))
    positions = shoot(Stage([crate, slope], gravity=DOWN), 3.0, 24)["crate"].position
    return np.linalg.norm(positions[-1] - positions[24])


def sinking_depth():
    """How deep a ball of 1 kg is squeezed between a floor and a crate of 100 kg [m]."""
    ball = Actor("ball", Free(Body(Sphere(0.1), 1.0), (0, 0.1, 0)))
    crate = Actor("crate", Free(Body(Box(0.4), 100.0), (0, 0.4, 0)))
    walls = [
        Actor(f"wall/{number}", Still(Body(Plane(normal, -0.2), friction=0.0)))
        for number, normal in enumerate([(1, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1)])
    ]
    take = shoot(Stage([ball, crate, FLOOR, *walls], gravity=DOWN), 1.0, 24)
    return 0.4 - take["crate"].position[-1, 1]


def height_on_a_slab():
    """How high a crate is thrown by a keyed slab that stands in the floor [m]."""
    path = MotionPath([(0, 0.05, 0), (1, 0.05, 0)])
    slab = Actor("slab", Motion(path, duration=2.0), body=Body(Box((2, 0.2, 2))))
    crate = Actor("crate", Free(Body(Box(0.2)), (0, 0.25, 0)))
    take = shoot(Stage([slab, crate, FLOOR], gravity=DOWN), 0.5, FPS)
    return take["crate"].position[:, 1].max() - 0.25


def row_energy():
    """The energy of a row of balls after a hit, as a multiple of that before."""
    energies, _ = energy(ball_row(1.0, 0.001), 0.3)
    return energies.max() / energies[0]


def tumbling_energy(shape, friction, seed, spin, velocity=(0, 0, 0)):
    """The most energy of what tumbles over a floor with `bounce=1`, as a multiple of that at first."""
    rng = np.random.default_rng(seed)
    body, orientation = Body(shape, bounce=1.0, friction=friction), tuple(quaternion.normalize(rng.normal(size=4)))
    body_mover = Free(body, (0, 0.7, 0), velocity, orientation=orientation, spin=spin)
    floor = Actor("floor", Still(Body(Plane(), friction=friction)))
    run = Run(Stage([Actor("body", body_mover), floor], gravity=DOWN))
    (system_state,) = run.moment.system_states.values()
    engine, energies = system_state.system.engines.engine(None), []  # built before
    while run.time < 3.0:
        (pose,), (velocity,) = engine.poses, engine.velocities
        angular_velocity = quaternion.rotate(quaternion.conjugate(engine.inertia_axes[0]), velocity[3:])
        energies.append(
            engine.mass[0] * (velocity[:3] @ velocity[:3] / 2 + 9.81 * pose[1])
            + engine.inertia[0] @ angular_velocity**2 / 2
        )
        run.tick()
    return max(energies) / energies[0]


def plank_energy():
    return tumbling_energy(Box((0.4, 0.1, 0.2)), 0.0, 0, (200, 100, 50))


def rod_energy():
    return tumbling_energy(Capsule(0.05, 0.4), 0.5, 107, (0, 100, 600), (0.5, 0, 0))


def bullet_depth():
    """How deep a bullet of 20 m/s goes into a wall [m]."""
    bullet = Actor("bullet", Free(Body(Sphere(0.05)), (0.5, 0, 0), (20, 0, 0)))
    wall = Actor("wall", Still(Body(Box((0.2, 2, 2))), (1, 0, 0)))
    return shoot(Stage([bullet, wall]), 0.05, FPS)["bullet"].position[:, 0].max() - 0.85


def rebound_with_a_pea():
    """The speed of a ball that hits the floor with 1 m/s while steps are halved for another [m/s]."""
    heights = shoot(stage_with_frozen_contact(), 0.2, FPS)["ball"].position[-2:, 1]
    return (heights[1] - heights[0]) * FPS


def landings():
    """How many collisions are reported of a soft capsule that falls on a floor."""
    capsule = Actor("capsule", Free(Body(Capsule(0.1, 0.3), bounce=0.3, stiffness=500.0), (0, 0.4, 0)))
    return len(shoot(Stage([capsule, FLOOR], gravity=DOWN), 4.0, 24).collisions)


def without(method, replacement=lambda *_: None):
    """A function that makes a `ContactModel` without one of its methods."""
    make = ContactModel.__init__

    def init(self, *args):
        make(self, *args)
        setattr(self, method, replacement)

    return init


def default_impedance(element, body):
    element.friction = body.friction, *contact_model.ROLLING_FRICTION
    element.solmix = 10.0 ** (contact_model.BOUNCE_MIX_EXPONENT * body.bounce)


def equal_mix(element, body):
    contact_model.set_contact_parameters(element, body)
    element.solmix = 1.0


def default_friction(option):
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC


def explicit_solref(bounce, step, is_discrete):
    return restitution.contact_solref(bounce, step, False)


def springs_of_several(*args):
    with patch.object(spring_contacts, "LOSSLESS_DAMPING_RATIO", -1.0):
        return spring_contacts.set_spring_contacts(*args)


CORRECTIONS = {
    "bounce": (
        lambda: rebound(0.6),
        (contact_model, "contact_solref", lambda *_: (0.02, 1.0)),
        (0.58, 0.61),
        (0.1, 0.2),
    ),
    "bounce in few steps": (
        lambda: rebound(0.2),
        (restitution, "euler_restitution", restitution.restitution),
        (0.175, 0.2),
        (0.15, 0.17),
    ),
    "bounce beside soft bodies": (
        lambda: rebound(0.9, FAR_SOFT),
        (contact_model, "contact_solref", explicit_solref),
        (0.83, 0.92),
        (0.5, 0.7),
    ),
    "the bouncier one counts": (
        lambda: rebound(0.9),
        (model_builder, "set_contact_parameters", equal_mix),
        (0.88, 0.92),
        (-0.1, 0.2),
    ),
    "hard contacts": (
        sinking_depth,
        (model_builder, "set_contact_parameters", default_impedance),
        (0.001, 0.002),
        (0.006, 0.01),
    ),
    "friction time": (
        slider_hop,
        (ContactModel, "__init__", without("set_friction_time")),
        (0.0, 0.004),
        (0.05, 0.2),
    ),
    "hard friction": (
        slope_creep,
        (model_builder, "set_contact_options", default_friction),
        (0.0, 5e-5),
        (2e-4, 1e-3),
    ),
    "kinematic pairs": (
        height_on_a_slab,
        (ContactModel, "exclude_kinematic_pairs", lambda _: False),
        (0.0, 1e-4),
        (0.1, 1.0),
    ),
    "spring contacts": (row_energy, (ContactModel, "set_springs", lambda _: None), (0.9, 1.01), (1.2, 1.4)),
    "soft springs": (
        plank_energy,
        (ContactModel, "__init__", without("soften_springs")),
        (0.9, 1.001),
        (1.01, 1.1),
    ),
    "lossless springs": (
        rod_energy,
        (ContactModel, "__init__", without("set_spring_contacts", springs_of_several)),
        (0.9, 1.01),
        (1.1, 3.0),
    ),
    "substeps": (bullet_depth, (system, "substep_level", lambda *_: 0), (0.0, 0.002), (0.01, 0.1)),
    "frozen contacts": (
        rebound_with_a_pea,
        (Engine, "freeze_contacts", lambda _: None),
        (0.9, 1.03),
        (4.0, 8.0),
    ),
    "gap of soft bodies": (landings, (flex, "CONTACT_GAP", 0.0), (1, 1), (2, 9)),
}
"""By its name in docs/bodies.md: what is measured, how it is switched off, and the range with and without it."""


@pytest.fixture
def no_cached_contacts():
    """Stiffness and damping are computed anew before and after."""
    for function in (restitution.contact_stiffness_damping, restitution.euler_damping_ratio):
        function.cache_clear()
    yield
    for function in (restitution.contact_stiffness_damping, restitution.euler_damping_ratio):
        function.cache_clear()


@pytest.mark.parametrize("name", CORRECTIONS)
def test_deviation_disappears_with_the_correction(name):
    measure, _, (low, high), _ = CORRECTIONS[name]
    assert low <= measure() <= high


@pytest.mark.parametrize("name", CORRECTIONS)
def test_deviation_appears_without_the_correction(name, monkeypatch, no_cached_contacts):
    measure, (owner, attribute, replacement), _, (low, high) = CORRECTIONS[name]
    monkeypatch.setattr(owner, attribute, replacement)
    assert low <= measure() <= high


def test_stiff_joint_springs_are_lost_without_their_limit(monkeypatch):
    def stage():
        return Stage([Actor("lamp", lamp(1e4, 0.1))], gravity=(1, -9.81, 0))

    assert np.abs(shoot(stage(), 0.5)["lamp/head"].position - (0, 1, 0)).max() < 0.001
    monkeypatch.setattr(JointSpace, "set_timestep", lambda *_: None)
    with pytest.raises(KeyposeError, match="is lost"):
        shoot(stage(), 0.5)


def test_each_correction_has_a_row_on_the_page():
    table = PAGE[PAGE.index("## Corrections of MuJoCo's contacts") :]
    rows = re.findall(r"^\| ([a-z][^|]*?) \|", table[: table.index("\n## ", 3)], re.MULTILINE)
    assert [row for row in rows if row != "correction"] == [*CORRECTIONS, "joint springs"]
