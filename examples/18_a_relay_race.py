"""A relay race of eight: who comes calls, the next one starts, both are in the zone together, and the baton changes."""

import numpy as np

from keypose import Actor, Body, Capsule, Follow, Key, MotionPath, Script, Stage, shoot

LEG, ZONE, CALL = 4.0, 1.6, 2.0  # [m]: what each runs, where the next one waits and who comes calls, before its end
BEND_RADIUS = 2.2  # [m] radius
STRAIGHT = 4 * LEG - np.pi * BEND_RADIUS
HIGH, HAND = 0.45, 0.62  # [m]: a runner's middle, and the baton above that
SPEEDS = (2.4, 2.0, 2.6, 2.2, 2.5, 1.9, 2.3, 2.7)  # [m/s]
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999", "#f0e442")


def track_position(distance: float, lane: float) -> tuple[float, float, float]:
    """Return the position at a distance along the track [m], and so far outside of its middle."""
    wide, rest = BEND_RADIUS + lane, distance % (8 * LEG)
    if rest < STRAIGHT:
        return rest - STRAIGHT / 2, HIGH, wide
    rest -= STRAIGHT
    if rest < 4 * LEG - STRAIGHT:
        return STRAIGHT / 2 + wide * np.sin(rest / BEND_RADIUS), HIGH, wide * np.cos(rest / BEND_RADIUS)
    x, y, z = track_position(distance - 4 * LEG, lane)
    return -x, y, -z


def runner(number: int) -> Follow:
    """Waits before the zone, takes the baton, calls the next one, and gives it; two lanes, so that nobody collides."""
    lane, first = (-0.3 if number % 2 else 0.3), LEG * (number - 1)
    last = first + LEG
    begins = {first: None} if number == 1 else {first - ZONE: None, first - 0.8: None, first: "takes it"}
    ends = {last: "finish", last + 0.6: None} if number == 8 else {last: "gives it", last + 1: None}
    between = {first + 0.8: None, first + 1.4: None, last - CALL: "calls", last - 1: None}
    keys = [Key(track_position(at, lane), name=name) for at, name in {**begins, **between, **ends}.items()]
    return Follow(MotionPath(keys), Body(Capsule(0.16, 0.5)), within=0.3, speed=SPEEDS[number - 1])


hands = [Key((0, HAND, 0), relative_to=f"runner {number}", pin=False, name=f"with {number}") for number in range(1, 9)]
baton = Follow(MotionPath(hands), Body(Capsule(0.05, 0.25), 0.1), within=0.12, speed=3, reaction=0.05)

script = Script()
hand_over = ()
for number in range(1, 8):
    giver, receiver = f"runner {number}", f"runner {number + 1}"
    call = script.meet({giver: "calls", receiver: 0.0}, after=hand_over, gate=True, name=f"call {number}")
    hand_over = script.meet({giver: "gives it", receiver: "takes it"}, after=call, name=f"hand-over {number}")
    script.meet({"baton": f"with {number}"}, after=hand_over, gate=True, name=f"baton {number}")

stage = Stage(
    [
        *(Actor(f"runner {number}", runner(number), look=COLOURS[number - 1]) for number in range(1, 9)),
        Actor("baton", baton, look="#d55e00"),
    ],
    script=script,
)


def main() -> None:
    """See that nobody starts before the call, that all hand over in passing, and that the baton goes round."""
    take = shoot(stage, seconds=15, fps=50)
    meetings = take.script.meetings
    for number in range(1, 8):
        waiting = take[f"runner {number + 1}"].position[take.times < meetings[f"call {number}"].done]
        assert np.abs(waiting - waiting[0]).max() < 1e-3, "nobody starts before the call"
    spread = max(meetings[f"hand-over {number}"].spread for number in range(1, 8))
    assert spread < 0.02, "both are there at the same time"
    distance = np.linalg.norm(take["baton"].position[-1] - take["runner 8"].position[-1])
    assert abs(distance - HAND) < 0.02, "the last one has the baton"
    print(f"7 hand-overs, up to {1000 * spread:.0f} ms apart, the last after {meetings['hand-over 7'].done:.2f} s.")


if __name__ == "__main__":
    main()
