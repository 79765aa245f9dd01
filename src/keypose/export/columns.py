"""Which column is which? A take's columns have names with units, and the names lead back to actors and shapes.

`glass.x [m]` is a place and `glass.qw` a facing; `sail.0.x [m]` is point 0 of the drawing `sail`. Where a name ends is
known from the columns of its facing, so names may hold dots and whatever else they like.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from keypose.errors import KeyposeError, short_repr
from keypose.motion import axis_name

TIME, FPS = "time [s]", "fps"
QUATERNION_PARTS = ("qw", "qx", "qy", "qz")

_QUATERNION_COLUMN = re.compile(r"(.*)\.q[wxyz]", re.DOTALL)
_POSITION_COLUMN = re.compile(r"(.*)\.(x|y|z|x(?:[4-9]|[1-9][0-9]{1,8})) \[m\]", re.DOTALL)
_DRAWING_POINT = re.compile(r"(.*)\.(0|[1-9][0-9]{0,8})", re.DOTALL)

MAX_CANDIDATES = 1000  # columns to look through for a near miss
MAX_NAME_LENGTH = 200  # letters; comparing longer names takes for ever

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Block:
    """Where one actor's numbers stand: columns of its places, one by one, their shape, columns of its facing."""

    name: str
    shape: Shape
    positions: list[int]
    orientation: list[int]


@dataclass(frozen=True)
class Layout:
    """Where everything stands in a row; without an `fps` column the times tell it."""

    time: int
    fps: int | None
    blocks: list[Block]


def column_names(shapes: Mapping[str, Shape]) -> Iterator[str]:
    """The columns of actors whose places have these shapes, (dim,) or (points, dim)."""
    drawings = {name for name, shape in shapes.items() if len(shape) == 2}
    for name, shape in shapes.items():
        yield from _actor_columns(_escape_name(name, drawings), shape)


def parse_layout(columns: Sequence[str]) -> Layout:
    """What the columns of a table hold, in whatever order; a column too many or too few is refused."""
    indices = _column_indices(columns)
    actors = list(dict.fromkeys(found[1] for column in columns if (found := _QUATERNION_COLUMN.fullmatch(column))))
    extents: dict[str, dict[int, list[int]]] = {actor: {} for actor in actors}
    for column in columns:
        if column not in (TIME, FPS) and not _QUATERNION_COLUMN.fullmatch(column):
            actor, *numbers = _parse_position_column(column, extents, indices)
            extent = extents[actor].setdefault(len(numbers), [0] * len(numbers))
            extent[:] = map(max, extent, numbers)
    blocks = [_find_block(actor, extents[actor], indices) for actor in actors]
    names: set[str] = set()
    for block in blocks:
        if block.name in names:
            raise KeyposeError(
                f"Two actors of the table are named {short_repr(block.name)}. Rename the columns of one."
            )
        names.add(block.name)
    return Layout(indices[TIME], indices.get(FPS), blocks)


def _actor_columns(escaped: str, shape: Shape) -> Iterator[str]:
    """One after the other: a drawing that a table only pretends to hold may have a thousand million of them."""
    for point in range(shape[0]) if len(shape) == 2 else (None,):
        stem = escaped if point is None else f"{escaped}.{point}"
        for axis in range(shape[-1]):
            yield f"{stem}.{axis_name(axis)} [m]"
    for part in QUATERNION_PARTS:
        yield f"{escaped}.{part}"


def _escape_name(name: str, drawings: set[str]) -> str:
    """A name as columns begin with it: backslashes doubled, and one more where it looks like a point of a drawing."""
    stem = _DRAWING_POINT.fullmatch(name)
    if stem and stem[1] in drawings:
        return f"{_double_backslashes(stem[1])}\\.{stem[2]}"
    return _double_backslashes(name)


def _double_backslashes(name: str) -> str:
    return name.replace("\\", "\\\\")


def _unescape_name(escaped: str) -> str:
    return re.sub(r"\\([\\.])", r"\1", escaped)


def _column_indices(columns: Sequence[str]) -> dict[str, int]:
    indices: dict[str, int] = {}
    for index, column in enumerate(columns):
        if column in indices:
            raise KeyposeError(
                f"Column {short_repr(column)} stands twice, as columns {indices[column] + 1} and {index + 1}. "
                "Delete one."
            )
        indices[column] = index
    if TIME not in indices:
        raise KeyposeError(
            f"The table has no column {TIME!r}.{_name_suggestion(TIME, columns[:MAX_CANDIDATES]) or ' Add one.'}"
        )
    return indices


def _parse_position_column(
    column: str, actors: Collection[str], present: Collection[str]
) -> tuple[str, *tuple[int, ...]]:
    """Whose place a column holds, and which number of it: (actor, axis) or (actor, point, axis)."""
    found = _POSITION_COLUMN.fullmatch(column)
    if found is None:
        raise _unknown_column(column, actors, present)
    stem, letter = found[1], found[2]
    axis = "xyz".index(letter) if len(letter) == 1 else int(letter[1:]) - 1
    if stem in actors:
        return stem, axis
    point = _DRAWING_POINT.fullmatch(stem)
    if point and point[1] in actors:
        return point[1], int(point[2]), axis
    raise _unknown_column(column, actors, present)


def _find_block(actor: str, extents: Mapping[int, Sequence[int]], indices: Mapping[str, int]) -> Block:
    """Where an actor's columns stand, each of which must be there, up to the farthest point and axis named."""
    if len(extents) > 1:
        raise KeyposeError(
            f"Actor {short_repr(_unescape_name(actor))} has columns of one place and of a drawing's points. "
            "Delete one kind."
        )
    shape = tuple(last + 1 for last in next(iter(extents.values()), [0]))
    found = []
    for column in _actor_columns(actor, shape):
        if column not in indices:
            raise KeyposeError(
                f"The table has no column {short_repr(column)}, which {short_repr(_unescape_name(actor))} "
                "needs. Add it."
            )
        found.append(indices[column])
    return Block(_unescape_name(actor), shape, found[:-4], found[-4:])


def _unknown_column(column: str, actors: Iterable[str], present: Collection[str]) -> KeyposeError:
    """A column that belongs to nobody, or to somebody who does not face anywhere."""
    known = list(islice(actors, MAX_CANDIDATES))
    found = _POSITION_COLUMN.fullmatch(column)
    if found is None:
        candidates = [
            TIME,
            FPS,
            *(f"{actor}.{end}" for actor in known for end in ("x [m]", "y [m]", "z [m]", *QUATERNION_PARTS)),
        ]
        suggestion = _name_suggestion(column, (candidate for candidate in candidates if candidate not in present))
        return KeyposeError(f"Column {short_repr(column)} is not one of a take.{suggestion or ' Delete it.'}")
    point = _DRAWING_POINT.fullmatch(found[1])
    suggestion = _name_suggestion(found[1], known) or (_name_suggestion(point[1], known) if point else "")
    if suggestion:
        return KeyposeError(f"Column {short_repr(column)} belongs to nobody in the table.{suggestion}")
    return KeyposeError(
        f"Column {short_repr(column)} belongs to nobody: no columns 'qw' to 'qz' say which way "
        f"{short_repr(found[1])} faces. "
        "Add them; 1, 0, 0, 0 is no turn."
    )


def _name_suggestion(wrong: str, candidates: Iterable[str]) -> str:
    """' Did you mean …?' for a near miss, else nothing."""
    from difflib import get_close_matches  # only for people who mistype

    near = (
        get_close_matches(wrong, [candidate for candidate in candidates if len(candidate) <= MAX_NAME_LENGTH], n=1)
        if len(wrong) <= MAX_NAME_LENGTH
        else []
    )
    return f" Did you mean {short_repr(near[0])}?" if near else ""
