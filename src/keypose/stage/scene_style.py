"""What holds for a whole scene? Its default tension and its own named effects, kept so that a saved scene has them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from keypose.curves import MAX_TCB, Effect
from keypose.errors import KeyposeError, short_repr
from keypose.maths import parse_number


@dataclass(frozen=True)
class SceneStyle:
    """The style of a scene: `tension` for paths in its file that say none, `effects` that its keys may name.

    A path made in Python has its own tension already; the style is for the scene's file and those who edit it.
    """

    tension: float = 0.0
    effects: Mapping[str, Effect] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tension", parse_number(self.tension, "The default tension of a scene"))
        _check_strength("The default tension of a scene", self.tension)
        if not isinstance(self.effects, Mapping):
            raise KeyposeError(f"A scene has effects {short_repr(self.effects)}. Give {{name: Effect(…)}}.")
        for name, effect in self.effects.items():
            if not isinstance(name, str) or not name or not isinstance(effect, Effect):
                raise KeyposeError(
                    f"A scene has the effect {short_repr(name)}: {short_repr(effect)}. Give {{name: Effect(…)}}."
                )
            for word in ("tension", "continuity", "bias"):
                _check_strength(f"The {word} of effect {name!r}", float(effect[word]))
        object.__setattr__(self, "effects", MappingProxyType(dict(self.effects)))

    @property
    def names(self) -> dict[tuple[Any, ...], str]:
        """The names of its effects by their tension, continuity and bias."""
        plain = {name: one for name, one in self.effects.items() if "arrive" not in one}
        return {(one["tension"], one["continuity"], one["bias"]): name for name, one in plain.items()}

    def __hash__(self) -> int:
        return hash((self.tension, frozenset(self.effects.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        return SceneStyle, (self.tension, dict(self.effects))


def _check_strength(what: str, value: float) -> None:
    """What no key could have, no style has."""
    if abs(value) > MAX_TCB:
        raise KeyposeError(f"{what} is {value:g}. Give {MAX_TCB:g} at most; -1 … 1 is the scale.")
