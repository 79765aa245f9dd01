"""Whom do meetings wait for? The compiled loop watches them as the readable rule says."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from keypose.motion.appointments import ACTIVE
from keypose.script.delay_kernels import watch
from keypose.script.delays import Coming, Waited, watched
from keypose.script.regulate import CREEPING, MOVING, NOBODY, NOTHING, OUTRUN, STANDING
from tests.script.moments import Moment

SECONDS = 0.02
TIMES = 0.955, 0.97, 0.99, 1.0, 1.01, 1.19, 0.0, 0.5  # [s] around when something is told, too


@settings(deadline=None, max_examples=300)
@given(st.integers(0, 10_000))
def test_the_compiled_loop_watches_meetings_as_the_rule_says(seed):
    made = Moment(seed)
    rng, strands, goals, meetings = made.rng, len(made.at), len(made.where), len(made.state)
    own = made.pace * made.ease * SECONDS
    gone = own * rng.choice([0.0, 0.005, 0.05, 0.5, 1.0], strands)
    at_rest = rng.random(strands) < 0.2  # whose targets are at the end, and whose bodies go on
    went, gone = gone, np.where(at_rest & (gone > 0), -gone / SECONDS, gone)
    was_left = made.left + own[made.strand] * rng.choice([-1.0, 0.05, 0.5, 1.0], goals)
    before = [Waited(*times) for times in rng.choice(TIMES, (meetings, 3))]
    made.patience[:] = rng.choice([0.5, 1.02, 3.0], meetings)
    late, stuck, held = np.array(before).T.copy()
    blame, news, answer = rng.choice([NOBODY, STANDING, CREEPING, OUTRUN, MOVING], goals), np.full(meetings, 7), NOTHING
    known = blame.copy(), was_left.copy()
    said = made.strand, made.where, made.first, made.state, made.reached, made.early, made.pace, made.patience
    delays = late, stuck, held, was_left, blame, news
    found = watch(made.at, gone, made.left, *said, SECONDS, made.ease, made.hold, *delays)
    for meeting in range(meetings):
        span = range(made.first[meeting], made.first[meeting + 1])
        if made.state[meeting] != ACTIVE:
            assert (late[meeting], stuck[meeting], held[meeting], news[meeting]) == (*before[meeting], NOTHING)
            assert (blame[span] == known[0][span]).all()
            continue
        coming = [
            Coming(
                made.at[one := made.strand[goal]],
                made.hold[one],
                made.where[goal],
                went[one],
                known[1][goal] - made.left[goal],
                own[one],
                made.early[goal],
                not np.isnan(made.reached[goal]),
                known[0][goal],
            )
            for goal in span
        ]
        expected = watched(coming, before[meeting], made.patience[meeting], SECONDS)
        assert_allclose([late[meeting], stuck[meeting], held[meeting]], expected.waited, rtol=1e-12)
        assert blame[span].tolist() == expected.blame
        assert news[meeting] == expected.news
        answer |= expected.answer
    assert found == answer
    is_open = np.isnan(made.reached) & (made.state == ACTIVE)[made.meeting]
    assert_allclose(was_left, np.where(is_open, made.left, known[1]))
