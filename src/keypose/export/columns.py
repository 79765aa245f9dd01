"""Which column is which? A take's columns have names with units, and the names lead back to actors and shapes.

`glass.x [m]` is a place and `glass.qw` a facing; `sail.0.x [m]` is point 0 of the drawing `sail`. Where a name ends is
known from the columns of its facing, so names may hold dots and whatever else they like.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from keypose.errors import KeyposeError, shown

TIME, FPS = "time [s]", "fps"
FACING = ("qw", "qx", "qy", "qz")

_FACING = re.compile(r"(.*)\.q[wxyz]", re.DOTALL)
_PLACE = re.compile(r"(.*)\.(x|y|z|x(?:[4-9]|[1-9][0-9]{1,8})) \[m\]", re.DOTALL)
_POINT = re.compile(r"(.*)\.(0|[1-9][0-9]{0,8})", re.DOTALL)

ENOUGH = 1000  # columns to look through for a near miss
LONG = 200  # letters; comparing longer names takes for ever

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Block:
    """Where one actor's numbers stand: columns of its places, one by one, their shape, columns of its facing."""

    name: str
    shape: Shape
    places: list[int]
    facing: list[int]


@dataclass(frozen=True)
class Layout:
    """Where everything stands in a row; without an `fps` column the times tell it."""

    time: int
    fps: int | None
    blocks: list[Block]


def columns_of(shapes: Mapping[str, Shape]) -> Iterator[str]:
    """The columns of actors whose places have these shapes, (dim,) or (points, dim)."""
    drawings = {name for name, shape in shapes.items() if len(shape) == 2}
    for name, shape in shapes.items():
        yield from _columns(_written(name, drawings), shape)


def layout_of(columns: Sequence[str]) -> Layout:
    """What the columns of a table hold, in whatever order; a column too many or too few is refused."""
    where = _places_in_row(columns)
    actors = list(dict.fromkeys(found[1] for column in columns if (found := _FACING.fullmatch(column))))
    extents: dict[str, dict[int, list[int]]] = {actor: {} for actor in actors}
    for column in columns:
        if column not in (TIME, FPS) and not _FACING.fullmatch(column):
            actor, *numbers = _place(column, extents, where)
            extent = extents[actor].setdefault(len(numbers), [0] * len(numbers))
            extent[:] = map(max, extent, numbers)
    blocks = [_block(actor, extents[actor], where) for actor in actors]
    named: set[str] = set()
    for block in blocks:
        if block.name in named:
            raise KeyposeError(f"Two actors of the table are named {shown(block.name)}. Rename the columns of one.")
        named.add(block.name)
    return Layout(where[TIME], where.get(FPS), blocks)


def _columns(written: str, shape: Shape) -> Iterator[str]:
    """One after the other: a drawing that a table only pretends to hold may have a thousand million of them."""
    for point in range(shape[0]) if len(shape) == 2 else (None,):
        stem = written if point is None else f"{written}.{point}"
        for axis in range(shape[-1]):
            yield f"{stem}.{'xyz'[axis] if axis < 3 else f'x{axis + 1}'} [m]"
    for part in FACING:
        yield f"{written}.{part}"


def _written(name: str, drawings: set[str]) -> str:
    """A name as columns begin with it: backslashes doubled, and one more where it looks like a point of a drawing."""
    stem = _POINT.fullmatch(name)
    if stem and stem[1] in drawings:
        return f"{_doubled(stem[1])}\\.{stem[2]}"
    return _doubled(name)


def _doubled(name: str) -> str:
    return name.replace("\\", "\\\\")


def _named(written: str) -> str:
    return re.sub(r"\\([\\.])", r"\1", written)


def _places_in_row(columns: Sequence[str]) -> dict[str, int]:
    where: dict[str, int] = {}
    for index, column in enumerate(columns):
        if column in where:
            raise KeyposeError(
                f"Column {shown(column)} stands twice, as columns {where[column] + 1} and {index + 1}. Delete one."
            )
        where[column] = index
    if TIME not in where:
        raise KeyposeError(f"The table has no column {TIME!r}.{_near(TIME, columns[:ENOUGH]) or ' Add one.'}")
    return where


def _place(column: str, actors: Collection[str], there: Collection[str]) -> tuple[str, *tuple[int, ...]]:
    """Whose place a column holds, and which number of it: (actor, axis) or (actor, point, axis)."""
    found = _PLACE.fullmatch(column)
    if found is None:
        raise _unknown(column, actors, there)
    stem, letter = found[1], found[2]
    axis = "xyz".index(letter) if len(letter) == 1 else int(letter[1:]) - 1
    if stem in actors:
        return stem, axis
    point = _POINT.fullmatch(stem)
    if point and point[1] in actors:
        return point[1], int(point[2]), axis
    raise _unknown(column, actors, there)


def _block(actor: str, extents: Mapping[int, Sequence[int]], where: Mapping[str, int]) -> Block:
    """Where an actor's columns stand, each of which must be there, up to the farthest point and axis named."""
    if len(extents) > 1:
        raise KeyposeError(
            f"Actor {shown(_named(actor))} has columns of one place and of a drawing's points. Delete one kind."
        )
    shape = tuple(last + 1 for last in next(iter(extents.values()), [0]))
    found = []
    for column in _columns(actor, shape):
        if column not in where:
            raise KeyposeError(f"The table has no column {shown(column)}, which {shown(_named(actor))} needs. Add it.")
        found.append(where[column])
    return Block(_named(actor), shape, found[:-4], found[-4:])


def _unknown(column: str, actors: Iterable[str], there: Collection[str]) -> KeyposeError:
    """A column that belongs to nobody, or to somebody who does not face anywhere."""
    known = list(islice(actors, ENOUGH))
    found = _PLACE.fullmatch(column)
    if found is None:
        words = [TIME, FPS, *(f"{actor}.{end}" for actor in known for end in ("x [m]", "y [m]", "z [m]", *FACING))]
        meant = _near(column, (word for word in words if word not in there))
        return KeyposeError(f"Column {shown(column)} is not one of a take.{meant or ' Delete it.'}")
    drawn = _POINT.fullmatch(found[1])
    meant = _near(found[1], known) or (_near(drawn[1], known) if drawn else "")
    if meant:
        return KeyposeError(f"Column {shown(column)} belongs to nobody in the table.{meant}")
    return KeyposeError(
        f"Column {shown(column)} belongs to nobody: no columns 'qw' to 'qz' say which way {shown(found[1])} faces. "
        "Add them; 1, 0, 0, 0 is no turn."
    )


def _near(wrong: str, words: Iterable[str]) -> str:
    """' Did you mean …?' for a near miss, else nothing."""
    from difflib import get_close_matches  # only for people who mistype

    near = get_close_matches(wrong, [word for word in words if len(word) <= LONG], n=1) if len(wrong) <= LONG else []
    return f" Did you mean {shown(near[0])}?" if near else ""
