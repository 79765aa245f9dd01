"""The moving bodies of an engine and their contacts as kernels read them."""

from typing import NamedTuple

from keypose.maths import Floats, Ints


class BodyArrays(NamedTuple):
    """The moving bodies of an engine, a row each; poses and velocities are those of the current step."""

    poses: Floats
    """(moving, 7): position of the center of mass, orientation."""
    velocities: Floats
    """(moving, 6): velocity [m/s], then angular velocity in the frame of the body [rad/s]."""
    mass: Floats
    """(moving,) [kg]"""
    inertia: Floats
    """(moving, 3): about the principal axes [kg m²]."""
    axes: Floats
    """(moving, 4): orientation of the principal axes in the body."""
    payload: Floats
    """(moving, 2): angular acceleration by the weight of attached bodies [rad/s²], effective per own inertia."""


class ContactGeometry(NamedTuple):
    """The contacts of an engine after a step, a row each."""

    geoms: Ints
    """(n, 2): the geoms in contact, as MuJoCo numbers them."""
    body_of_geom: Ints
    """The body of each geom."""
    points: Floats
    """(n, 3) [m]"""
    frames: Floats
    """(n, 9): the first axis is the normal, from the first geom to the second."""


class ContactBuffers(NamedTuple):
    """Arrays that a search for contacts fills, at least as long as there are contacts."""

    codes: Ints
    """A number for each pair of bodies in contact, sorted."""
    contacts: Ints
    """The index of a contact for each pair that has just met."""
    speeds: Floats
    """The speed at which they met [m/s]."""
