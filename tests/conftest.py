"""Nothing in the tests depends on how long something takes, properties that hold for all numbers included."""

from hypothesis import HealthCheck, settings

settings.register_profile("keypose", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("keypose")
