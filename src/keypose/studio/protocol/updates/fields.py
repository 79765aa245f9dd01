"""What is a page told of what pushes, and of those who sense it?"""

from typing import Any

import msgspec


class SenseView(msgspec.Struct, frozen=True, kw_only=True):
    """A link of a dynamic spline."""

    name: str | None
    """What it senses on the stage, by name; None for something of its own."""
    spec: Any
    """What it senses of its own, as the scene file writes it; else None."""
    title: str
    """In a person's words: "wind", "keeps its offset to man"."""
    target: str | None
    """Whom it tracks, avoids, or whose field it is, if that is one actor."""
    affinity: float


class SplineView(msgspec.Struct, frozen=True, kw_only=True):
    """What a dynamic spline says."""

    spec: dict[str, Any]
    """Its words in the scene file, every one, without its points if it is a drawing."""
    position: tuple[float, float, float]
    """Where it begins [m]; of a drawing its middle."""
    velocity: tuple[float, float, float]
    """How it begins [m/s]; of a drawing the mean."""
    friction: float


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """A named number of a formula; with a range it is a slider."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None


class PartView(msgspec.Struct, frozen=True, kw_only=True):
    """One of several fields that add up, and where it is."""

    kind: str
    """As of a field."""
    carrier: str | None
    position: tuple[float, float, float] | None
    """Its position [m] in the frame of its carrier, if that does not depend on carriers within it."""
    degrees: tuple[float, float, float]
    stretch: tuple[float, float, float]
    radius: float | None
    size: tuple[float, float, float] | None


class FieldView(msgspec.Struct, frozen=True, kw_only=True):
    """A field or tracker of the stage, and what can be said of it."""

    name: str
    kind: str
    """As the scene file writes it: "vortex", "formula", "keep_offset", "avoid"; of fields that add up "sum"."""
    spec: Any
    """All its words in the scene file."""
    is_placed: bool
    """Whether it can be moved, turned and stretched; trackers cannot."""
    carrier: str | None
    """Who carries it, or whom it is about; a group as "flock/*"."""
    text: str | None
    """Of a formula, a potential or a metric: what was typed."""
    parameters: tuple[Parameter, ...]
    degrees: tuple[float, float, float]
    """Yaw, pitch and roll in the frame of its carrier [degrees]."""
    stretch: tuple[float, float, float]
    """How many times as large it is along its own axes."""
    radius: float | None
    """Where it ends [m], if in a ball."""
    size: tuple[float, float, float] | None
    """Where it ends [m], if in a box: its sides."""
    sensed_by: int
    """How many actors sense it."""
    parts: tuple[PartView, ...] = ()
    """Of fields that add up, each."""
    unused: tuple[str, ...] = ()
    """Parameters that do nothing, for what was typed does not speak of them."""
