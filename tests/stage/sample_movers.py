"""Movers that follow, drift and break, and runs of them."""

from dataclasses import dataclass

import numpy as np

from keypose import (
    KeyTimes,
    Motion,
    MotionPath,
    Pose,
)

UPRIGHT = np.array([1.0, 0, 0, 0])
WALK = Motion(MotionPath([(0, 0, 0), (4, 0, 0), (4, 0, 4)]), duration=4.0)
TURN = Motion(MotionPath([(9, 0, 0), (9, 0, 0)]), KeyTimes([0, 1]))


@dataclass(frozen=True)
class Follower:
    """Pulled to its leaders by damped springs; a state is a place and a velocity."""

    watches: tuple[str, ...]
    pull: float = 3.0
    place: tuple[float, float, float] = (0.0, 1.0, 0.0)

    def begin(self, view):
        return np.array(self.place), np.zeros(3)

    def step(self, state, view, dt):
        place, velocity = state
        acceleration = -2 * self.pull * velocity
        for name in self.watches:
            acceleration = acceleration + self.pull**2 * (view[name].position - place)
        velocity = velocity + dt * acceleration
        return place + dt * velocity, velocity

    def pose(self, state):
        return Pose(state[0], UPRIGHT)


@dataclass(frozen=True)
class Drifter:
    """Goes straight; begins where its leader is."""

    watches: tuple[str, ...] = ()
    velocity: tuple[float, float, float] = (0.0, 0.0, 1.0)
    tick: float = 0.1

    def begin(self, view):
        return view[self.watches[0]].position if self.watches else np.zeros(3)

    def step(self, state, view, dt):
        return state + dt * np.array(self.velocity)

    def pose(self, state):
        return Pose(state, UPRIGHT)


def tick_many(run, count):
    for _ in range(count):
        run.tick()
    return run


def same_poses(one, two):
    return one.keys() == two.keys() and all(one[name] == two[name] for name in one)
