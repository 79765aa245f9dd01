"""When does a body come to a goal? What is foreseen is what the race comes to, played tick by tick."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from keypose.physics.following.force_law import Gains
from keypose.physics.sync.kernels import ARRIVAL_FRACTION, arrival_time, body_distance_left, max_target_speed

few_examples = settings(deadline=None, max_examples=50)
DT = 2e-4


def simulated_arrival_time(distance_left, distance_to_stop, behind, speed, within, gains, max_speed_ratio):
    """In how many seconds a body has gone so far: LG95's race in one dimension, tick by tick."""
    nominal_speed, t = gains.stiffness * within / gains.damping, 0.0
    while distance_left > 0:
        speed += DT * float(gains.acceleration(np.array([behind]), np.array([speed]), 0.0)[0])
        distance_left, behind, t = distance_left - DT * speed, behind - DT * speed, t + DT
        target_step = min(max(within - behind, 0.0), max_speed_ratio * nominal_speed * DT, distance_to_stop)
        behind, distance_to_stop = behind + target_step, distance_to_stop - target_step
    return t


@few_examples
@given(
    st.floats(0.05, 0.8),
    st.sampled_from([0.7, 1.0, 1.5]),
    st.sampled_from([0.05, 0.1, 0.2]),
    st.floats(0.0, 1.5),
    st.floats(0.0, 1.0),
    st.floats(0.1, 1.0),
    st.sampled_from([0.0, 0.3, 5.0]),
    st.sampled_from([1.0, 3.0]),
)
def test_arrival_time_is_predicted_for_any_gains_and_any_target_stop(
    eagerness, damping_ratio, reaction, behind, speed, ahead, beyond, max_speed_ratio
):
    within, gains = 0.2, Gains.of(eagerness, damping_ratio * np.sqrt(2 * eagerness), reaction)
    nominal_speed = gains.stiffness * within / gains.damping
    distance_left = ahead + behind * within - ARRIVAL_FRACTION * within
    arguments = distance_left, ahead + beyond * within, behind * within, speed * nominal_speed, within
    predicted, simulated = (
        arrival_time(*arguments, *gains, max_speed_ratio),
        simulated_arrival_time(*arguments, gains, max_speed_ratio),
    )
    assert_allclose(predicted, simulated, atol=0.02 * within / nominal_speed + 0.002, rtol=0.005)


@few_examples
@given(st.floats(-0.5, 3.0), st.floats(0.0, 3.0), st.floats(0.0, 0.4), st.floats(0.05, 1.0), st.floats(0.1, 1.0))
def test_body_has_arrived_within_the_arrival_distance_wherever_its_path_ends(
    ahead, beyond, behind, within, speed_factor
):
    distance_left = body_distance_left(ahead, beyond, behind, 0.5, within, 100.0, 20.0, speed_factor)
    assert (distance_left <= 0.0) == (ahead + behind - ARRIVAL_FRACTION * within <= 0.0)


@pytest.mark.parametrize("beyond", [0.0, 0.2, 4.0])
def test_remaining_distance_of_a_body_increases_with_distance_to_its_goal(beyond):
    distances = [
        body_distance_left(ahead, beyond, 0.4, 2.0, 0.4, 100.0, 20.0, 1.0) for ahead in np.linspace(-0.3, 2, 200)
    ]
    assert (np.diff(distances) > 0).all()


def test_remaining_distance_of_a_body_at_steady_speed_is_its_path_distance():
    assert_allclose(
        body_distance_left(3.0, 9.0, 0.4, 2.0, 0.4, 100.0, 20.0, 1.0), 3.4 - ARRIVAL_FRACTION * 0.4, rtol=1e-9
    )


def test_remaining_distance_to_a_very_distant_goal_is_known_at_once():
    assert_allclose(body_distance_left(1e300, 0.0, 0.0, 0.0, 0.4, 100.0, 20.0, 1.0), 1e300)


def test_target_exceeds_nominal_speed_only_at_speed_factor_one():
    assert_allclose([max_target_speed(1.0), max_target_speed(0.5), max_target_speed(0.1)], [3.0, 1.0, 1.0], rtol=1e-3)
