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
    """Those who linger from now on: who did, and pairs (n, 2) that are deep in each other after steps of `step` [s]."""
    known_pairs = {(one, two) for one, two, _ in frozen_contacts.tolist()}
    new_pairs = dict.fromkeys((min(pair), max(pair)) for pair in deep_pairs.tolist())
    return np.vstack([frozen_contacts, *([one, two, step] for one, two in new_pairs if (one, two) not in known_pairs)])


def active_frozen_contacts(frozen_contacts: Floats, contact_pairs: Ints) -> Floats:
    """Those of them who are among pairs (n, 2) that touch."""
    pairs = {(min(pair), max(pair)) for pair in contact_pairs.tolist()}
    return frozen_contacts[[(one, two) in pairs for one, two, _ in frozen_contacts.tolist()]]


def frozen_solref(solref: Floats, contact_pairs: Ints, frozen_contacts: Floats, step: float) -> Floats:
    """How long contacts last and their ζ (n, 2): those of pairs (n, 2) who linger last as long as at their own steps.

    Never less long than at steps of `step` [s]: harder ones would not be stable.
    """
    factor_by_pair = {(one, two): max(1.0, seconds / step) for one, two, seconds in frozen_contacts.tolist()}
    factors = [factor_by_pair.get((min(pair), max(pair)), 1.0) for pair in contact_pairs.tolist()]
    return np.stack([solref[:, 0] * factors, solref[:, 1]], axis=1)


def renumber_pairs(pair_rows: Rows, old_names: Sequence[str], new_names: Sequence[str]) -> Rows:
    """Rows that begin with a pair of solids, as those are numbered now, by their names; who is gone is left out."""
    new_rows = {name: row for row, name in enumerate(new_names)}
    result = pair_rows.copy()
    for row, pair in enumerate(pair_rows[:, :2].astype(int).tolist()):
        result[row, :2] = sorted(new_rows.get(old_names[one], -1) for one in pair)
    return result[result[:, 0] >= 0]


def set_frozen_solref(geoms: Ints, body_of_geom: Ints, frozen_contacts: Floats, step: float, solref: Floats) -> None:
    """Change `solref` (n, 2) of contacts between geoms (n, 2) as `frozen_solref` does."""
    solref[:] = frozen_solref(solref, body_of_geom[geoms], frozen_contacts, step)
