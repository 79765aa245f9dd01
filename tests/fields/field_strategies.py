"""What the tests of fields share: places, turns, fields of every kind, and carriers to look at."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from keypose.curves.orientation import Orientation
from keypose.fields import Attractor, Noise, Repeller, Spring, Uniform, Vortex, Wall
from keypose.motion.pose import Pose

RNG = np.random.default_rng(7)
POSITIONS = RNG.uniform(-3, 3, (40, 3))
TIMES = RNG.uniform(0, 2, 40)

numbers = st.floats(-3, 3, allow_subnormal=False).map(lambda x: round(x, 3))
positive_numbers = st.floats(0.1, 3).map(lambda x: round(x, 3))
vectors = st.tuples(numbers, numbers, numbers)
directions = vectors.filter(lambda v: np.linalg.norm(v) > 0.2)
turns = st.builds(Orientation.turned, st.floats(-180, 180), directions)

falloffs = st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.0])
simple_fields = st.one_of(
    st.builds(Uniform, vectors),
    st.builds(Attractor, numbers, center=vectors, falloff=falloffs, core=positive_numbers),
    st.builds(Repeller, numbers, center=vectors, falloff=falloffs, core=positive_numbers),
    st.builds(Vortex, numbers, center=vectors, axis=directions, falloff=falloffs, core=positive_numbers),
    st.builds(Spring, numbers, center=vectors),
    st.builds(Wall, vectors, directions, numbers, positive_numbers),
    st.builds(Noise, numbers, scale=positive_numbers, seed=st.integers(), speed=numbers),
)
transformed_fields = st.recursive(
    simple_fields,
    lambda inner: st.one_of(
        st.builds(lambda a, b: a + b, inner, inner),
        st.builds(lambda a, k: k * a, inner, numbers),
        st.builds(lambda a, v: a.moved(v), inner, vectors),
        st.builds(lambda a, q: a.turned(q), inner, turns),
        st.builds(lambda a, s: a.scaled(s), inner, st.tuples(positive_numbers, positive_numbers, positive_numbers)),
        st.builds(lambda a, r, c: a.within(r, center=c, edge=r / 3), inner, positive_numbers, vectors),
        st.builds(
            lambda a, s, c: a.within(size=s, center=c),
            inner,
            st.tuples(positive_numbers, positive_numbers, positive_numbers),
            vectors,
        ),
        st.builds(lambda a, start, k: a.during(start, start + k, fade=k / 4), inner, numbers, positive_numbers),
        st.builds(lambda a, k, start: a.pulsing(k, start=start), inner, positive_numbers, numbers),
    ),
    max_leaves=4,
)


def property_test(*strategies):
    """The claim is tried with values of these kinds; a busy machine may take its time."""
    return lambda test: settings(deadline=None, max_examples=60)(given(*strategies)(test))


def pose_lookup(**poses):
    """Where the actors are: each a place and a turn that stay, or a function of moments."""

    def look(name, t):
        pose = poses[name]
        if callable(pose):
            return pose(np.asarray(t))
        place, turn = pose
        shape = np.shape(t)
        return Pose(np.broadcast_to(place, (*shape, 3)), np.broadcast_to(turn.wxyz, (*shape, 4)))

    return look


def moving_carrier(position_at, turn=Orientation.identity):
    """A carrier on a way: place(s) as a function of moments () or (n,)."""
    return lambda t: Pose(
        np.stack(np.broadcast_arrays(*position_at(t)), axis=-1), np.broadcast_to(turn.wxyz, (*t.shape, 4))
    )


def jacobian(field, places, t=0.0, h=1e-5):
    """∂f_a/∂x_b (n, 3, 3) by central differences."""
    steps = h * np.eye(3)
    return np.stack([(field.at(places + e, t) - field.at(places - e, t)) / (2 * h) for e in steps], axis=-1)
