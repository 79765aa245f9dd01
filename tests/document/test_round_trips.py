"""Stages by chance, saved, loaded and shot: the same values, the same text, the same bytes."""

import warnings

from hypothesis import HealthCheck, assume, given, settings

from keypose import KeyposeError, shoot
from keypose.document.scene import read
from tests.document.stage_samples import scene_bytes
from tests.document.stage_strategies import stages


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(stages())
def test_random_stages_round_trip_and_shoot_bitwise_identically(stage):
    written = scene_bytes(stage)
    again = read(written)
    assert again == stage
    assert scene_bytes(again) == written
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # far and fast things may come to infinity, in both alike
        try:
            take = shoot(stage, 0.1)
        except KeyposeError:
            assume(False)
        other = shoot(again, 0.1)
    for name in take.names:
        assert take.poses[name].position.tobytes() == other.poses[name].position.tobytes()
        assert take.poses[name].orientation.tobytes() == other.poses[name].orientation.tobytes()
