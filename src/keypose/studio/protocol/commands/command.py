"""What does every message have? A number by which it is answered; and what changes the document, a gesture."""

from typing import Annotated, Literal

import msgspec

Index = Annotated[int, msgspec.Meta(ge=0)]
Indices = Annotated[tuple[Index, ...], msgspec.Meta(min_length=1, max_length=100_000)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]
Names = Annotated[tuple[Name, ...], msgspec.Meta(min_length=1, max_length=100_000)]
Side = Literal["arrive", "leave", "both"]
Digits = Annotated[int, msgspec.Meta(ge=-12, le=12)]
"""Behind the point, below nought before it: to how many a dragged number is rounded, far below what can be seen."""


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag=True, kw_only=True):
    """Anything a page says. `id` comes back in the answer."""

    id: Index


class Edit(Command, frozen=True, kw_only=True):
    """A change to the document, undone by name. Messages of one `gesture` are undone together."""

    gesture: str | None = None
