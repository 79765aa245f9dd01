"""The channels of a script that are targets of followers, as kernels read them."""

from typing import NamedTuple

from keypose.maths import Bools, Floats, Ints


class FollowerChannels(NamedTuple):
    """Channels that are targets of followers: of their positions, or of their rotations."""

    follower_rows: Ints
    """(channels,) the follower of each."""
    is_rotation: Bools
    """(channels,) whether it is the target of the rotation."""
    rest_orientations: Floats
    """The orientation samples of paths whose relative keys are at rest."""
    cumulative_angles: Floats
    """The angle that each path has turned by each of these samples [rad]."""
