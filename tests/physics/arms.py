"""An arm of three links on a wall, for tests of figures."""

from keypose import Body, Box, Capsule, Figure, Hinge, Link, MotionPath, Orientation, Sphere

LYING = Orientation.turned(90, "z")
DOWN = (0, -9.81, 0)
HAND_PATH = MotionPath([(0.85, 1, 0), (0.6, 0.6, 0), (0.4, 0.3, 0)])  # of the hand, all within its reach


def arm(*, strength=0.0, held=True, stiffness=0.0, damping=0.0):
    """An arm that stretches out along x from a wall at (0, 1, 0): its hand is at (0.85, 1, 0)."""
    joint_options = {"strength": strength, "stiffness": stiffness, "damping": damping}
    return Figure(
        Body(Box(0.1)),
        [
            Hinge(Link("upper", Body(Capsule(0.04, 0.3), 1.5), (0.2, 0, 0), LYING), at=(0, 0, 0), **joint_options),
            Hinge(
                Link("lower", Body(Capsule(0.035, 0.3)), (0.6, 0, 0), LYING), "upper", at=(0.4, 0, 0), **joint_options
            ),
            Hinge(Link("hand", Body(Sphere(0.06), 0.4), (0.85, 0, 0)), "lower", at=(0.8, 0, 0), **joint_options),
        ],
        position=(0, 1, 0),
        held=held,
    )
