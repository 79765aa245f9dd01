"""How does air swirl for no reason one can see? Smooth noise that neither gathers nor thins out what drifts in it.

A random slope stands at every corner of a grid; the height between the corners blends what the slopes around say. Three
such heights are the components of a vector potential ψ, and the field is its curl ∇×ψ, so its divergence is zero. The
blend is smooth to the second derivative, so the field and its first derivatives are continuous. The slopes come from
hashed whole numbers: the same seed gives the same air everywhere, for ever.
"""

from dataclasses import KW_ONLY, dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from keypose.fields.algebra.field import Field, FieldQuery
from keypose.maths import Floats, parse_bounded_number, parse_integer, parse_positive

Hashes = NDArray[np.uint64]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2⁶⁴ divided by the golden ratio, odd: multiples of it fall far apart
HALF_WORD = np.uint64(32)  # bits
GRID_PERIOD = 2.0**32  # cells after which it repeats
GRADIENT_BITS, GRADIENT_MASK = np.uint64(16), np.uint64(0xFFFF)  # of a hash for each number of a slope
BLOCK_SIZE = 1024  # places at a time: what they need in between then stays near the processor
GRADIENT_RANGE = 3**0.5  # slopes from −√3 to √3 have a mean square of 1

# Root mean square of |∇×ψ| for such slopes, over a cell of a grid in space, or in space and time; see the test.
CURL_RMS = {3: 2.1132369825382735, 4: 2.0308060168115850}


@dataclass(frozen=True, repr=False)
class Noise(Field):
    """Swirls that are about `scale` [m] large, in all directions alike; `strength` [m/s²] is their root mean square.

    With a `speed` [m/s] they change in time, a wholly new pattern about every scale/speed seconds; without one they
    stand still. Another `seed`, any whole number, is other air.
    """

    strength: float
    _: KW_ONLY
    scale: float = 1.0
    seed: int = 0
    speed: float = 0.0

    def __post_init__(self) -> None:
        values = self.__dict__
        values["strength"] = parse_bounded_number(self.strength, "The strength of a Noise")
        values["scale"] = parse_positive(self.scale, "The scale of a Noise", minimum=1e-9)
        values["seed"] = parse_integer(self.seed, "The seed of a Noise")
        values["speed"] = parse_bounded_number(self.speed, "The speed of a Noise")

    def push(self, query: FieldQuery) -> Floats:
        """Strength · ∇×ψ(x / scale), scaled to a root mean square of 1."""
        grid = query.position / self.scale
        if self.speed:
            time = np.broadcast_to(query.t * (self.speed / self.scale), grid.shape[:1])
            grid = np.concatenate([grid, time[:, None]], axis=1)
        gradients = np.empty((len(grid), 3, 3))
        for start in range(0, len(grid), BLOCK_SIZE):
            gradients[start : start + BLOCK_SIZE] = potential_gradients(grid[start : start + BLOCK_SIZE], self.seed)
        curl = np.stack([gradients[:, a, b] - gradients[:, b, a] for a, b in ((2, 1), (0, 2), (1, 0))], axis=1)
        return np.asarray(self.strength / CURL_RMS[grid.shape[1]] * curl)


def potential_gradients(grid: Floats, seed: int) -> Floats:
    """∂ψ_a/∂x_b (n, 3, 3) at places on the grid (n, 3), or at places and times (n, 4).

    ψ_a is the sum over the corners of a cell of w (g·d): d leads here from the corner, g is the corner's slope, and its
    weight w is the product of one blend along each axis, s³(10 − 15s + 6s²) or 1 less that.
    """
    cell = np.floor(grid)
    fraction = grid - cell
    blend, blend_slope = fraction**3 * (10 - fraction * (15 - 6 * fraction)), 30 * fraction**2 * (1 - fraction) ** 2
    blends, blend_slopes = np.stack([1 - blend, blend], axis=-1), np.stack([-blend_slope, blend_slope], axis=-1)
    corner_gradient = _corner_gradients(cell, seed)
    from_corners = fraction[:, None, :] - np.array(list(product((0.0, 1.0), repeat=grid.shape[1])))
    height = np.einsum("ncad,ncd->nca", corner_gradient, from_corners)
    gradients = np.einsum("nc,ncab->nab", _corner_products(blends), corner_gradient[..., :3])
    for axis in range(3):
        axis_blends = blends.copy()
        axis_blends[:, axis] = blend_slopes[:, axis]
        gradients[:, :, axis] += np.einsum("nc,nca->na", _corner_products(axis_blends), height)
    return np.asarray(gradients)


def _corner_products(pairs: Floats) -> Floats:
    """The products (n, 2ᵈ) at the corners of a cell of what was said for the near and the far end of each axis."""
    products = pairs[:, 0]
    for axis in range(1, pairs.shape[1]):
        products = (products[:, :, None] * pairs[:, axis, None, :]).reshape(len(pairs), 2 ** (axis + 1))
    return products


def _corner_gradients(cell: Floats, seed: int) -> Floats:
    """Random slopes g (n, 2ᵈ, 3, d): at each corner of a cell (n, d) one for each of the three heights."""
    dimensions = cell.shape[1]
    ends = np.stack([cell, cell + 1], axis=-1)
    ends = np.remainder(ends, GRID_PERIOD).astype(np.uint64)
    hashes = _mix_bits(np.full((len(cell), 1), seed % 2**64, dtype=np.uint64))  # else the next seed were the next cell
    for axis in range(dimensions):
        hashes = _mix_bits(hashes[:, :, None] ^ ends[:, axis, None, :]).reshape(len(cell), 2 ** (axis + 1))
    hashes = _mix_bits(hashes[:, :, None] ^ np.arange(1, 4, dtype=np.uint64))
    shifts = GRADIENT_BITS * np.arange(dimensions, dtype=np.uint64)
    bits = (hashes[..., None] >> shifts) & GRADIENT_MASK
    return GRADIENT_RANGE * ((bits.astype(np.float64) + 0.5) / 2**15 - 1)


def _mix_bits(numbers: Hashes) -> Hashes:
    """Whole numbers of 64 bits shaken up, so that near ones come out unlike: products carry up, shifts carry down."""
    for _ in range(3):
        numbers = (numbers + GOLDEN) * GOLDEN  # beyond 64 bits it wraps, as it shall
        numbers ^= numbers >> HALF_WORD
    return numbers
