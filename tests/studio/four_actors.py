"""Four actors, three of whom depend on each other, and a page that has seen all of them."""

from keypose import Actor, LookAt, Motion, MotionPath, SpeedProfile, Stage

PATH = MotionPath([(0, 0, 0), (1, 1, 0), (2, 0, 0)])
STAGE = Stage(
    [
        Actor("red", Motion(PATH, SpeedProfile([1, 2, 1, 1]), duration=2.0)),
        Actor("ring", Motion(MotionPath([(0, 1, 0), (0, 2, 0)]), duration=2.0), parent="red"),
        Actor("blue", Motion(PATH, duration=1.0), facing=LookAt("red")),
        Actor("alone", Motion(PATH, duration=1.0)),
    ]
)


def receive_all_curves(client, names=STAGE.names):
    """Listen until the scene and a curve of each is told."""
    while not client.scenes or set(names) - set(client.curves):
        client.receive()
