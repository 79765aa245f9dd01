"""Which joint does how much of what is wanted of a limb? As much as its muscle can; help from outside does the rest.

A muscle that is too weak gives what slows the limb down before all else, or it would swing for ever.

What keeps the springs of joints from moving a limb that is led? Forces on it, as strong as these springs draw.

How strong that is, is known from how far joints are bent. To learn it as other loads are learned would take the longer
the stiffer joints are, slow down who bends them, and come to an end where no more is made up for.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from keypose.maths import Floats


@dataclass(frozen=True, eq=False)
class JointTorques:
    """What the joints of a figure can do, and how much help there is from outside."""

    strength: Floats
    """[N m], for each number of MuJoCo's own motion."""
    assist_force: float | None
    """[N], None for as much as it takes."""


@dataclass(frozen=True, eq=False)
class EffectorTask:
    """What one pull wants of the muscles of a figure."""

    required_torques: Floats
    """[N m], for each number of MuJoCo's own motion."""
    damping_torques: Floats
    """What of that only slows down [N m]: given before all else."""
    jacobian: Floats
    """(6, motion): how what is pulled goes along with each of these numbers, and turns with them if it is turned."""
    mass_jacobian: Floats
    """(3, motion): how strongly what is pulled there resists each of these numbers."""
    joint_torques: JointTorques


def allocate_torques(
    tasks: Sequence[EffectorTask], solve_mass: Callable[[Floats], Floats]
) -> tuple[Floats, list[Floats]]:
    """What joints and help give to all hauls together [N m], and what each of these lacks.

    A joint that is pulled by several gives no more than its strength to all of them, each by its share. `solve_mass`
    says how everything gives way to forces on MuJoCo's own motion.
    """
    driving_torques = np.sum([task.required_torques - task.damping_torques for task in tasks], axis=0)
    requests = [_torque_request(task, driving_torques) for task in tasks]
    total = np.sum(requests, axis=0)
    applied, deficits = np.zeros_like(total), []
    for task, joint_share in zip(tasks, requests, strict=True):
        joint_share = joint_share * _limit_fraction(total, task.joint_torques.strength)
        remainder, assist_fraction = task.required_torques - joint_share, 1.0
        if task.joint_torques.assist_force is not None:
            assist_needed = float(np.linalg.norm(task.mass_jacobian @ solve_mass(remainder)))
            assist_fraction = min(1.0, task.joint_torques.assist_force / assist_needed) if assist_needed > 0 else 1.0
        applied += joint_share + remainder * assist_fraction
        deficits.append((1.0 - assist_fraction) * remainder)
    return applied, deficits


def _torque_request(task: EffectorTask, driving_torques: Floats) -> Floats:
    """What of a wish muscles are asked for: where they are too weak for all that is `driving_torques`, less of that [N
    m].

    What slows down stays as it is; where help does all the rest, so does everything.
    """
    fraction = _limit_fraction(driving_torques, task.joint_torques.strength)
    if task.joint_torques.assist_force is None:
        return task.required_torques
    return np.where(
        fraction < 1.0,
        fraction * (task.required_torques - task.damping_torques) + task.damping_torques,
        task.required_torques,
    )


def _limit_fraction(total: Floats, limits: Floats) -> Floats:
    """Which share of a total [N m], 0 … 1, does not go beyond the most there is."""
    return np.divide(np.clip(total, -limits, limits), total, out=np.ones_like(total), where=total != 0)


MassSolver = Callable[[Floats], Floats]
"""How everything gives way to each of some forces on MuJoCo's own motion, (n, motion) both."""


def constrained_solver(solve_mass: MassSolver, jacobian: Floats, compliance: Floats) -> MassSolver:
    """How everything gives way to forces that is held together, by ties (ties, motion) each of which `compliance` a
    little.

    Those of a ring go together: what one spring draws at moves them all.
    """
    responses = solve_mass(jacobian)
    constraint_matrix = jacobian @ responses.T + np.diag(compliance)

    def solve_constrained(forces: Floats) -> Floats:
        free = solve_mass(forces)
        return np.asarray(free - np.linalg.solve(constraint_matrix, jacobian @ free.T).T @ responses)

    return solve_constrained


def compensation_forces(spring_forces: Floats, jacobian: Floats, max_masses: Floats, solve_mass: MassSolver) -> Floats:
    """With what all that is led of one figure is pushed, along each of its ways, so that springs do not move it.

    `spring_forces` are forces on MuJoCo's own motion, and `jacobian` (ways, motion) says how what is led goes along
    with that: F with goes · M⁻¹ (springs + goesᵀ F) = 0, where M⁻¹ is `solve_mass`. All are found together: those who
    share a joint would each make up for it. A way that gives less than what is `max_masses` (ways,) [kg], [kg m²], is
    that of a limb which is nearly stretched: less and less is made up for there, and springs keep it from going to and
    fro.
    """
    unit = np.sqrt(max_masses)
    scaled_jacobian = jacobian * unit[:, None]
    inverse_masses, axes = np.linalg.eigh(solve_mass(scaled_jacobian) @ scaled_jacobian.T)
    accelerations = scaled_jacobian @ solve_mass(spring_forces[None])[0]
    return np.asarray(-unit * (axes @ ((axes.T @ accelerations) / np.maximum(inverse_masses, 1.0))))
