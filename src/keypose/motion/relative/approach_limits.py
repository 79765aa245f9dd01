"""Where does a hand wait for a glass that comes towards it? Where the glass will be, not further.

Whoever is held on the way could be reached by the next key before that is due, and pushed back. Since it is known where
the key will be, nobody goes further than the nearest it will come: so distance never decreases, and the key is met.
"""

import numpy as np

from keypose.motion.relative.pass_log import Story
from keypose.motion.relative.root_search import Looks, Value, summits

BETWEEN_KEYS = np.array([-1.0, 1.0])  # past the last one less past the next one


def nearest(way: Value, leg: list[Looks], story: Story) -> Looks | None:
    """When the next key is nearer to the last one than it will be until it is passed, and how near [m] it is then.

    A `leg` of looks at the `way` has seen them until it is passed. None if nobody goes far enough to care.
    """
    times, which = np.unique(np.concatenate([t for t, _ in leg]), return_index=True)
    seen = np.concatenate([values for _, values in leg])[which]
    if not len(times) or story.held[-1] <= 0:
        return None
    gap = seen @ BETWEEN_KEYS
    backwards = summits(lambda t: -way(-t) @ BETWEEN_KEYS, -times[::-1], -gap[::-1], -min(gap[-1], story.held[-1]))
    found = [(times[-1], gap[-1]), *((-moment, -height) for moment, height in backwards)]
    if len(found) == 1 and story.held[-1] <= gap[-1]:
        return None
    begin = times[:1]
    gone = np.minimum(np.maximum(seen[0, 1], story.held_at(begin)), story.near_at(begin))
    comes, near = np.array(found[::-1]).T
    return comes, np.maximum(near, gone)  # who went further before he could know is not sent back at once
