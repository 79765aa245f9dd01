"""A mover in ten lines: a dog pulled to its master as by a damped spring. It takes ticks, and is filmed alike."""

from dataclasses import dataclass

import numpy as np

from keypose import Actor, FaceForward, Motion, MotionPath, Pose, Run, Stage, savable, shoot

UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


@savable("follower")  # in a scene file: {"kind": "follower", "leader": "master", "pull": 4}
@dataclass(frozen=True)
class Follower:
    """Pulled to its leader; a state is its position and its velocity."""

    leader: str
    pull: float = 4.0  # [1/s]

    @property
    def watches(self):
        return (self.leader,)

    def begin(self, view):
        return np.zeros(3), np.zeros(3)

    def step(self, state, view, dt):
        position, velocity = state
        acceleration = self.pull**2 * (view[self.leader].position - position) - 2 * self.pull * velocity
        velocity = velocity + dt * acceleration
        return position + dt * velocity, velocity

    def pose(self, state):
        return Pose(state[0], UPRIGHT)


walk = Motion(MotionPath([(1, 0, 0), (4, 0, 1), (5, 0, 4)]), duration=4.0)
stage = Stage([Actor("dog", Follower("master"), facing=FaceForward()), Actor("master", walk)])


def main() -> None:
    """See that the dog lags and catches up, and that a rewound run does the same again, to the last bit."""
    take = shoot(stage, seconds=7)
    distance = np.linalg.norm(take["dog"].position - take["master"].position, axis=1)
    assert distance[48] > 0.2, "it lags while the master walks"
    assert distance[-1] < 0.01, "and catches up when the master waits"

    run = Run(stage)
    while run.time < 2:
        run.tick()
    before = run.poses["dog"]
    run.change("dog", Follower("master", pull=8.0))  # a shorter leash, while it runs
    for _ in range(24):
        run.tick()
    after = run.poses["dog"]
    assert run.rewind(2.0) == 2.0
    assert run.poses["dog"] == before
    assert np.array_equal(before.position, take["dog"].at(2.0).position)
    for _ in range(24):
        run.tick()
    assert run.poses["dog"] == after
    print(
        f"{len(take.times)} frames; the dog is {distance.max():.2f} m behind at most "
        f"and {distance[-1]:.4f} m at the end."
    )


if __name__ == "__main__":
    main()
