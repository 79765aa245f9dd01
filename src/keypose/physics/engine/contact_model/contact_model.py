"""The contact model: what is changed in MuJoCo's contacts between its collision detection and its constraints."""

from collections.abc import Sequence

import mujoco
import numpy as np

from keypose.maths import Floats, Ints, kernels_available
from keypose.physics.engine.body_arrays import BodyArrays
from keypose.physics.engine.contact_model import frozen_contacts, spring_contacts
from keypose.physics.engine.contact_model.restitution import CONTACT_IMPEDANCE, MIN_BOUNCE, contact_solref
from keypose.physics.engine.contact_model.spring_contacts import SPRING_IMPEDANCE, soften_spring
from keypose.physics.engine.joint_space import JointSpace
from keypose.physics.engine.model_spec import BodySpec
from keypose.physics.values.body import Body

FRICTION_TIME = 0.05  # [s]: the time constant of friction where bodies rest on each other
SHALLOW_FRACTION = 0.01  # of half of the narrowest body: resting bodies are no deeper in each other
BOUNCE_MIX_EXPONENT = 8.0  # powers of ten: of two bodies in contact the one that bounces more counts
ROLLING_FRICTION = (0.005, 0.0001)  # MuJoCo's own
FRICTION_IMPEDANCE_RATIO = 10.0  # how many times as hard as contacts friction is


def set_contact_options(option: mujoco.MjOption) -> None:
    """Set the friction cone of a world without soft bodies."""
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC  # the only one in which friction has its own time constant
    option.impratio = FRICTION_IMPEDANCE_RATIO


def set_contact_parameters(element: mujoco.MjsGeom | mujoco.MjsFlex, body: Body) -> None:
    """Set friction, impedance and priority of the contacts of a geom or a flex."""
    element.friction = body.friction, *ROLLING_FRICTION
    element.solmix = 10.0 ** (BOUNCE_MIX_EXPONENT * body.bounce if body.stiffness is None else 0.0)
    element.solimp = constant_impedance(CONTACT_IMPEDANCE)


def constant_impedance(impedance: float) -> tuple[float, ...]:
    """An impedance that does not depend on the depth of a contact or the violation of an equality."""
    return impedance, impedance, 0.001, 0.5, 2.0


def set_friction_time(dist: Floats, friction_solref: Floats, shallow_depth: float, friction_time: float) -> None:
    """Give friction its own time constant where bodies rest on each other, in `friction_solref` (n, 2).

    If it were that of the contact, a sliding body would be thrown up by its own friction. A body that hits another, and
    so is deeper in it, keeps that of the contact: 0 means that to MuJoCo.
    """
    is_resting = dist >= -shallow_depth
    friction_solref[:, 0], friction_solref[:, 1] = friction_time * is_resting, is_resting


class ContactModel:
    """The corrections of all contacts in one model."""

    def __init__(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        body_specs: Sequence[BodySpec],
        body_of_geom: Ints,
        bodies: BodyArrays,
        min_half_width: float,
        joint_space: JointSpace | None,
    ) -> None:
        """`joint_space` is None if all bodies are free."""
        if kernels_available():
            from keypose.physics.engine.contact_model import kernels

            self.set_spring_contacts, self.soften_springs = kernels.set_spring_contacts, kernels.soften_springs
            self.set_frozen_solref, self.set_friction_time = kernels.set_frozen_solref, kernels.set_friction_time
        else:
            self.set_spring_contacts, self.soften_springs = (
                spring_contacts.set_spring_contacts,
                spring_contacts.soften_springs,
            )
            self.set_frozen_solref, self.set_friction_time = frozen_contacts.set_frozen_solref, set_friction_time
        self._model, self._data, self._body_of_geom = model, data, body_of_geom
        self._bodies, self._joint_space = bodies, joint_space
        self._bounces = [body_specs[number].body.bounce for number in body_of_geom]
        self._has_bounce = any(body_spec.body.bounce >= MIN_BOUNCE for body_spec in body_specs)
        is_pushable = [body_specs[number].is_movable and not body_specs[number].is_kinematic for number in body_of_geom]
        self._is_pushable = np.array([*is_pushable, True])
        """Whether contacts move a geom, (geoms + 1,); the last one stands for flexes, which have none."""
        self._has_kinematic_bodies = any(body_spec.is_kinematic for body_spec in body_specs)
        self.shallow_depth = SHALLOW_FRACTION * min_half_width
        """The depth up to which bodies rest on each other [m]."""

    def set_timestep(self, timestep: float) -> None:
        """Make all contacts as hard as steps of this length allow, and as bouncy as their bodies."""
        is_discrete = self._model.nflex > 0
        for geom, bounce in enumerate(self._bounces):
            self._model.geom_solref[geom] = contact_solref(bounce, timestep, is_discrete)
        if is_discrete:
            self._model.flex_solref[:] = contact_solref(0.0, timestep, is_discrete)

    def correct_contacts(self, frozen: Floats, timestep: float) -> None:
        """Change the contacts that were found; see `frozen_contacts` for `frozen`."""
        contacts = self._data.contact
        self.exclude_kinematic_pairs()
        self.set_friction_time(contacts.dist, contacts.solreffriction, self.shallow_depth, FRICTION_TIME)
        if len(frozen):
            self.set_frozen_solref(contacts.geom, self._body_of_geom, frozen, timestep, contacts.solref)
        if self._has_bounce:
            self.set_springs()

    def exclude_kinematic_pairs(self) -> bool:
        """Exclude contacts between bodies that contacts do not move; return whether there are any.

        Within a step a kinematic body would be pushed away from what is in its way, and would throw what lies on it.
        """
        if not self._has_kinematic_bodies:
            return False
        is_excluded = ~self._is_pushable[self._data.contact.geom].any(axis=1)
        self._data.contact.exclude[is_excluded] = 1
        return bool(is_excluded.any())

    def set_springs(self) -> None:
        """Let contacts push as springs where bodies bounce off several others at once."""
        contacts, pairs = self._data.contact, (self._data.contact.geom, self._body_of_geom)
        if not self.set_spring_contacts(
            *pairs, len(self._bodies.poses), contacts.dist, self.shallow_depth, contacts.solref, contacts.solimp
        ):
            return
        if self._joint_space is None:
            self.soften_springs(*pairs, self._bodies, contacts.pos, contacts.frame, contacts.solimp, contacts.solref)
            return
        for contact in np.flatnonzero(contacts.solimp[:, 0] == SPRING_IMPEDANCE).tolist():
            body_ids = self._model.geom_bodyid[contacts.geom[contact]]
            inverse_mass = self._joint_space.inverse_contact_mass(
                body_ids, contacts.pos[contact], contacts.frame[contact, :3]
            )
            contacts.solref[contact] = soften_spring(
                contacts.solref[contact], inverse_mass, self._model.body_invweight0[body_ids, 0].sum()
            )
