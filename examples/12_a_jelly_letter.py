"""A letter of jelly: each of its points keeps its offset to a hand that carries it; a finger pokes it, it wobbles."""

from itertools import pairwise

import numpy as np

from keypose import Actor, DynamicSpline, Key, Motion, MotionPath, Stage, fields, shoot

# The outline of a K, a point every few centimetres.
STEM, ARM, LEG = [(0, 0), (0, 3), (0.7, 3), (0.7, 1.9)], [(1.7, 3), (2.6, 3), (1.2, 1.55)], [(2.7, 0), (1.8, 0)]
CORNERS = [*STEM, *ARM, *LEG, (0.7, 1.2), (0.7, 0), (0, 0)]
walls = [np.linspace(start, end, 12)[:-1] for start, end in pairwise(CORNERS)]
letter = np.concatenate([*walls, np.array(CORNERS[:1])])

carry = MotionPath(
    [Key((0, 0, 0), time=0), Key((0, 0, 0), time=1), Key((-3, 0, 0), time=2), Key((-3, 0, 0), time=4)], tension=1
)
poke = MotionPath([Key((5, 2.4, 0), time=0), Key((2.9, 2.4, 0), time=0.4), Key((5, 2.4, 0), time=0.8)])
stage = Stage(
    [
        Actor("hand", Motion(carry), look="#999999"),
        Actor("finger", Motion(poke), look="#d55e00"),
        Actor(
            "letter",
            DynamicSpline(letter, friction=0.08, senses={fields.KeepOffset("hand", response=0.2): 0.08, "poke": 1}),
            look="#0072b2",
        ),
    ],
    fields={"poke": fields.Repeller(35.0, falloff=0).within(1.5, edge=1.5).carried_by("finger")},
)


def main() -> None:
    """See that the poke dents it where it is, that it swings past the hand, and comes to rest as it was."""
    take = shoot(stage, seconds=6)
    shape = take["letter"].position - take["hand"].position[:, None]
    deformation = np.linalg.norm(shape - shape[0], axis=2)
    poked = deformation[:20].max(axis=0)  # before the hand moves
    assert poked.max() > 0.3, "the finger dents it"
    assert poked[letter[:, 1] < 0.5].max() < 0.02, "where it is, and not elsewhere"
    lag = (shape - shape[0])[:, letter[:, 1] < 0.5, 0].mean(axis=1)
    assert lag[24:40].max() > 0.1, "it stays behind as the hand moves off"
    assert lag[40:].min() < -0.1, "and swings past it as the hand stops"
    assert deformation[-1].max() < 0.02, "then it comes to rest as it was"
    print(f"{len(letter)} points; dented by {poked.max():.2f} m, then {lag.max():.2f} m behind the hand.")


if __name__ == "__main__":
    main()
