"""Records of followers: what is given of each, `FOLLOWER`, and its state from step to step, `FOLLOWER_STATE` (LG95 §3).

A follower has a target on its path and, where the path has orientations, a second target for its rotation. Fields of
the second one begin with `turn_` or `angular_`.
"""

from typing import NamedTuple

import numpy as np

from keypose.maths import Floats, RecordArray, record_dtype

FOLLOWER = record_dtype(
    [
        ("body_row", np.int64),  # among the moving bodies
        ("stiffness", np.float64),  # k [1/s²]
        ("damping", np.float64),  # c [1/s]
        ("within", np.float64),  # the lead distance of its target [m]
        ("max_target_speed", np.float64),  # [m/s]
        ("turn_within", np.float64),  # the lead angle of its second target [rad]
        ("max_turn_speed", np.float64),  # [rad/s]
        ("stall_time", np.float64),  # without a move before it is stuck [s]
        ("filter_time", np.float64),  # of the disturbance [s]; 0: none is compensated
        ("max_disturbance", np.float64),  # the most that is compensated [m/s²]
        ("max_angular_disturbance", np.float64),  # the same of rotation, without a payload [rad/s²]
        ("first_segment", np.int64),
        ("segment_count", np.int64),
        ("first_sample", np.int64),  # of its orientations
        ("sample_count", np.int64),  # 0: its rotation is free
        ("closed", np.bool_),
    ]
)

FOLLOWER_STATE = record_dtype(
    [
        ("u", np.float64),  # the parameter of its target
        ("speed_factor", np.float64),  # of its nominal speed
        ("stop_at", np.float64),  # the parameter at which its target stops for a meeting, or NO_STOP
        ("stalled_for", np.float64),  # without a move [s]
        ("stall_u", np.float64),  # u at its last move
        ("stall_position", np.float64, 3),  # its position then
        ("target", np.float64, 3),  # [m]
        ("velocity", np.float64, 3),  # in the last step [m/s]
        ("accel_cmd", np.float64, 3),  # commanded in the last step [m/s²]
        ("disturbance", np.float64, 3),  # the constant acceleration that other forces cause [m/s²]
        ("path_velocity", np.float64, 3),  # of the path at its target, as carriers move it [m/s]
        ("raw_path_velocity", np.float64, 3),  # the same, of the last tick alone
        ("turn_u", np.float64),
        ("turn_speed_factor", np.float64),
        ("turn_stop_at", np.float64),
        ("turn_stalled_for", np.float64),
        ("turn_stall_u", np.float64),
        ("stall_orientation", np.float64, 4),
        ("angular_velocity", np.float64, 3),  # [rad/s]
        ("angular_accel_cmd", np.float64, 3),  # [rad/s²]
        ("angular_disturbance", np.float64, 3),
        ("path_angular_velocity", np.float64, 3),
        ("raw_path_angular_velocity", np.float64, 3),
        ("weak_for", np.float64),  # for how long the joints of its limb have been too weak [s]
        ("weak_u", np.float64),  # u at its last progress
        ("closest", np.float64),  # the least distance to its target since then [m]
        ("recent_closest", np.float64),
        ("weak_report", np.int64),  # NOT_REPORTED, SUSPECTED or REPORTED, see `diagnostics.strength`
        ("is_new", np.bool_),  # before its first step
        ("stall_reported", np.bool_),
        ("turn_stall_reported", np.bool_),
    ]
)


class FollowerPaths(NamedTuple):
    """All followers and their paths, as kernels read them."""

    specs: RecordArray
    """(n,) of `FOLLOWER`."""
    cubics: Floats
    """(segments, 4, 3): the factors of 1, s, s², s³."""
    orientation_samples: Floats
    """(segments · SAMPLES_PER_SEGMENT + 1 each, 4)"""


def float_fields(followers: RecordArray) -> Floats:
    """All numbers of the states that are floats, (n, numbers); bytes that fill up a record have no value."""
    end = FOLLOWER_STATE.fields["weak_report"][1]  # type: ignore[index]
    return followers.view(np.float64).reshape(len(followers), FOLLOWER_STATE.itemsize // 8)[:, : end // 8]
