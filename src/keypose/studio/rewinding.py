"""How many changes of a live run can be rewound to? As many as fit into some memory, for each holds a whole moment.

A hand that drags makes one at every tick: of a drawing with all its points, of fields that travel with where their
carriers were.
"""

from math import prod

from keypose.fields.sensing import Felt
from keypose.stage.moment import Moment
from keypose.studio.film import Film

MEMORY = 100e6  # [bytes] for all changes together
MOST, FEWEST = 1000, 20  # changes

MOMENT, ACTOR, POINT = 10_000, 1_000, 250  # [bytes] as measured: of any moment, for each actor, for each of its points


def changes_kept(moment: Moment) -> int:
    """How many changes to keep when each is as large as this moment."""
    return int(min(max(MEMORY // size_of(moment), FEWEST), MOST))


def size_of(moment: Moment) -> float:
    """About how many bytes a moment takes."""
    film = Film(moment.stage)
    points = sum(prod(film.shape(name)[:-1]) for name in moment.stage.names)
    felt = (getattr(cast.state, "felt", None) for cast in moment.casts.values())
    travelling = sum(one.past.place.nbytes + one.past.turn.nbytes for one in felt if isinstance(one, Felt))
    return float(MOMENT + ACTOR * len(moment.stage.actors) + POINT * points + travelling)
