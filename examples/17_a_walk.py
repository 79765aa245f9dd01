"""A walk: arms and legs swing on paths of their own and meet at every step, and so does the road below them."""

import numpy as np

from keypose import (
    Actor,
    Body,
    Capsule,
    Figure,
    Hinge,
    Key,
    Link,
    Motion,
    MotionPath,
    Orientation,
    Pin,
    Reach,
    Script,
    SpeedProfile,
    Sphere,
    Stage,
    shoot,
)  # fmt: skip

STEP, STEPS = 0.56, 16  # [m], and how many
HIGH = 1.13  # [m]: the middle of the body; all other positions are from there
HIP, SHOULDER = (0, -0.27), (0, 0.24)
FOOT = {"front": (0.5 * STEP, -1.05), "back": (-0.5 * STEP, -1.05)}
HAND = {"front": (0.3, -0.08), "back": (-0.26, -0.2)}
SIDES = {"left": 1, "right": -1}
BEGIN = {"left foot": "front", "right foot": "back", "left hand": "back", "right hand": "front"}
BONE_LENGTHS = {"leg": (0.43, 0.43), "arm": (0.28, 0.27)}  # [m]: both sides alike, and long enough for both positions
SPEED = {"foot": 1.3, "hand": 1.5}  # [m/s]
ELBOW = (2.0, 140.0)  # [degrees]: how far it bends, and never backwards


def bone(name: str, start: tuple[float, float], end: tuple[float, float], z: float, mass: float, thick: float) -> Link:
    """A capsule from one point to another."""
    (x, y), (u, v) = start, end
    lean = np.degrees(np.arctan2(x - u, v - y))
    body = Body(Capsule(thick, float(np.hypot(u - x, v - y)) - 2 * thick), mass)
    return Link(name, body, ((x + u) / 2, (y + v) / 2, z), Orientation.turned(lean, "z"))


def middle_joint(top: tuple[float, float], end: tuple[float, float], limb: str, direction: int) -> tuple[float, float]:
    """Where the knee (way 1, forward) or elbow (way -1, backward) is between the two ends of a limb."""
    upper, lower = BONE_LENGTHS[limb]
    across = np.subtract(end, top)
    far = float(np.hypot(*across))
    along = (upper**2 - lower**2 + far**2) / (2 * far)
    aside = direction * np.sqrt(upper**2 - along**2)
    x, y = np.array(top) + along / far * across + aside / far * np.array([-across[1], across[0]])
    return float(x), float(y)


def bone_angle(start: tuple[float, float], end: tuple[float, float]) -> float:
    """Which way a bone points [degrees]."""
    return float(np.degrees(np.arctan2(end[1] - start[1], end[0] - start[0])))


def leg(side: str) -> list[Hinge | Pin]:
    """Thigh, shin and foot, as they begin."""
    z, (x, y) = 0.11 * SIDES[side], FOOT[BEGIN[f"{side} foot"]]
    knee = middle_joint(HIP, (x, y), "leg", 1)
    return [
        Hinge(bone(f"{side} thigh", HIP, knee, z, 0.8, 0.065), at=(*HIP, z), damping=0.3),
        Hinge(bone(f"{side} shin", knee, (x, y), z, 0.5, 0.05), f"{side} thigh", at=(*knee, z), damping=0.2),
        Pin(Link(f"{side} foot", Body(Sphere(0.075), 0.2), (x, y, z)), f"{side} shin"),
    ]


def arm(side: str) -> list[Hinge | Pin]:
    """Upper and lower arm, and hand, as they begin; no elbow bends backwards."""
    z, (x, y) = 0.24 * SIDES[side], HAND[BEGIN[f"{side} hand"]]
    elbow = middle_joint(SHOULDER, (x, y), "arm", -1)
    initial_angle = bone_angle(elbow, (x, y)) - bone_angle(SHOULDER, elbow)
    limits = (ELBOW[0] - initial_angle, ELBOW[1] - initial_angle)  # limits are from how it begins
    lower = bone(f"{side} lower", elbow, (x, y), z, 0.3, 0.04)
    return [
        Hinge(bone(f"{side} upper", SHOULDER, elbow, z, 0.4, 0.045), at=(*SHOULDER, z), damping=0.15),
        Hinge(lower, f"{side} upper", at=(*elbow, z), limits=limits, damping=0.1),
        Pin(Link(f"{side} hand", Body(Sphere(0.06), 0.1), (x, y, z)), f"{side} lower"),
    ]


def swing(limb: str) -> Reach:
    """A foot goes back on the ground and forward above it, a hand to and fro, until the last step."""
    side, part = limb.split()
    ends, z = (FOOT, 0.11) if part == "foot" else (HAND, 0.24)
    low, high = ((0, -1.05), (0, -0.88)) if part == "foot" else ((0.03, -0.3), (0.05, -0.29))
    keys, end = [], BEGIN[limb]
    for step in range(STEPS + 1):
        keys.append((ends[end], f"step {step}"))
        keys.append((low if end == "front" else high, None))
        end = "back" if end == "front" else "front"
    path = MotionPath([Key((x, HIGH + y, SIDES[side] * z), name=name) for (x, y), name in keys[:-1]])
    return Reach(f"walker/{limb}", path, within=0.08, speed=SPEED[part], reaction=0.06)


head = Pin(Link("head", Body(Sphere(0.13), 0.5), (0, 0.47, 0)))
limbs = [joint for side in SIDES for joint in (*leg(side), *arm(side))]
walker = Figure(Body(Capsule(0.12, 0.34), 4), [head, *limbs], position=(0, HIGH, 0), held=True)
ramp_share = 0.4 / STEPS  # four tenths of a step: from rest to rest, and steadily in between
speed_profile = SpeedProfile.through({0: 0, ramp_share: 1, 1 - ramp_share: 1, 1: 0})
road = Motion(MotionPath([(0, 0, 0), (-STEP * STEPS, 0, 0)]), speed_profile, duration=10.2)
stones = [(x, 0.05, z) for x in np.arange(-1.5, STEP * STEPS + 1.5, 1.5) for z in (-0.5, 0.5)]

script = Script()
last = ()
for step in range(1, STEPS + 1):
    goals = {f"walker/{limb}": f"step {step}" for limb in BEGIN}
    last = script.meet({"road": step * STEP, **goals}, after=last, name=f"step {step}")

stage = Stage(
    [
        Actor("walker", walker, look="#0072b2"),
        Actor("road", road, look="#999999"),
        *(
            Actor(f"stone/{number}", Motion(MotionPath([position] * 2), duration=1), parent="road", look="#e69f00")
            for number, position in enumerate(stones)
        ),
    ],
    connections=[swing(limb) for limb in BEGIN],
    gravity=(0, -9.81, 0),
    script=script,
)


def main() -> None:
    """See that all come to every step together, that feet stand on the road, and that all rest after the last step."""
    take = shoot(stage, seconds=12, fps=60)
    steps = [meeting for meeting in take.script.meetings.values() if meeting.done is not None]
    assert len(steps) == STEPS
    spread = max(step.spread for step in steps)
    assert spread < 0.02, "all at the same time, at each step"
    ends = [step.done for step in steps]
    lengths = np.diff(ends)[:-1]
    assert np.ptp(lengths) < 0.03, "and in time"
    speed = -np.diff(take["road"].position[:, 0]) * take.fps
    times = take.times[1:]
    assert speed[(times > ends[0]) & (times < ends[-2])].min() > 0.5, "the road stands nowhere in between"
    slips = []
    for side in SIDES:
        foot = take[f"walker/{side} foot"].position - take["road"].position
        on_ground = foot[1:, 1] < 0.1
        slips.append(np.abs(np.diff(foot[:, 0]) * take.fps)[on_ground].mean())
    assert max(slips) < 0.25, "a foot that stands goes with the road"
    rest = int((ends[-1] + 0.4) * take.fps)
    assert np.ptp(take["road"].position[rest:], axis=0).max() < 1e-9, "with the last step the road stops"
    for limb in BEGIN:
        assert np.ptp(take[f"walker/{limb}"].position[rest:], axis=0).max() < 0.01, "and so does everybody"
    print(
        f"{len(steps)} steps of {lengths.mean():.2f} s, limbs and road up to {1000 * spread:.0f} ms apart; "
        f"a foot on the road slips at {max(slips):.2f} m/s, which goes at {STEP / lengths.mean():.2f} m/s."
    )


if __name__ == "__main__":
    main()
