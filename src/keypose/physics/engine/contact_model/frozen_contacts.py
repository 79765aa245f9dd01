"""Contacts that keep the softness of longer steps; the reference of `kernels.set_frozen_solref`.

Contacts are harder at shorter steps. Bodies that are deep in each other when steps are halved would be thrown apart
with more energy than it took to press them together: their contacts stay as they are until they separate.
"""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from keypose.maths import Floats, Ints

Rows = TypeVar("Rows", Floats, Ints)

NO_FROZEN_CONTACTS: Floats = np.empty((0, 3))
"""Rows of two solids, the smaller number first, and the seconds of a step."""


def add_frozen_contacts(frozen_contacts: Floats, deep_pairs: Ints, step: float) -> Floats:
    """The frozen contacts, and those of pairs (n, 2) that are deep in each other after steps of `step` [s]."""
    known_pairs = {(one, two) for one, two, _ in frozen_contacts.tolist()}
    new_pairs = dict.fromkeys((min(pair), max(pair)) for pair in deep_pairs.tolist())
    return np.vstack([frozen_contacts, *([one, two, step] for one, two in new_pairs if (one, two) not in known_pairs)])


def active_frozen_contacts(frozen_contacts: Floats, contact_pairs: Ints) -> Floats:
    """The frozen contacts whose pairs are among the pairs (n, 2) that touch."""
    pairs = {(min(pair), max(pair)) for pair in contact_pairs.tolist()}
    return frozen_contacts[[(one, two) in pairs for one, two, _ in frozen_contacts.tolist()]]


def frozen_solref(solref: Floats, contact_pairs: Ints, frozen_contacts: Floats, step: float) -> Floats:
    """Durations and ζ of contacts (n, 2): frozen ones have the duration of the steps at which they were frozen.

    It is never shorter than at steps of `step` [s]: harder contacts would be unstable.
    """
    factor_by_pair = {(one, two): max(1.0, seconds / step) for one, two, seconds in frozen_contacts.tolist()}
    factors = [factor_by_pair.get((min(pair), max(pair)), 1.0) for pair in contact_pairs.tolist()]
    return np.stack([solref[:, 0] * factors, solref[:, 1]], axis=1)


def renumber_pairs(pair_rows: Rows, old_names: Sequence[str], new_names: Sequence[str]) -> Rows:
    """Rows that begin with a pair of bodies, by the new numbers of these bodies; removed bodies are left out."""
    new_rows = {name: row for row, name in enumerate(new_names)}
    result = pair_rows.copy()
    for row, pair in enumerate(pair_rows[:, :2].astype(int).tolist()):
        result[row, :2] = sorted(new_rows.get(old_names[one], -1) for one in pair)
    return result[result[:, 0] >= 0]


def set_frozen_solref(geoms: Ints, body_of_geom: Ints, frozen_contacts: Floats, step: float, solref: Floats) -> None:
    """Change `solref` (n, 2) of contacts between geoms (n, 2) as `frozen_solref` does."""
    solref[:] = frozen_solref(solref, body_of_geom[geoms], frozen_contacts, step)
