"""What do fields make together? A sum of fields, or a field some times as strong; PF89 §3: fields are additive."""

from dataclasses import dataclass, replace

from keypose.errors import KeyposeError, short_repr
from keypose.fields.algebra.field import Field, FieldQuery
from keypose.maths import Floats, parse_bounded_number


@dataclass(frozen=True, repr=False)
class FieldModifier(Field):
    """A field made of one other."""

    field: Field

    def __post_init__(self) -> None:
        if not isinstance(self.field, Field):
            raise KeyposeError(
                f"A {type(self).__name__} field was made of {short_repr(self.field)}. Make it of a field."
            )

    @property
    def parts(self) -> tuple[Field, ...]:
        """The field within."""
        return (self.field,)

    def with_parts(self, parts: tuple[Field, ...]) -> Field:
        """The same around another field."""
        (field,) = parts
        return replace(self, field=field)

    def _inner_code(self) -> str:
        """The field within, as code that a method can be called on."""
        return f"({self.field!r})" if isinstance(self.field, Sum | WeightedField) else repr(self.field)


@dataclass(frozen=True, repr=False)
class Sum(Field):
    """Several fields at once: a + b."""

    summands: tuple[Field, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.summands, tuple) or not all(isinstance(each, Field) for each in self.summands):
            raise KeyposeError(f"A sum was made of {short_repr(self.summands)}. Make it of a tuple of fields.")
        if len(self.summands) < 2:
            raise KeyposeError(f"A sum was made of {len(self.summands)} fields. Give at least two.")

    def _terms(self) -> tuple[Field, ...]:
        return self.summands

    @property
    def parts(self) -> tuple[Field, ...]:
        """What is added up."""
        return self.summands

    def with_parts(self, parts: tuple[Field, ...]) -> Field:
        """A sum of others."""
        return Sum(parts)

    def push(self, query: FieldQuery) -> Floats:
        """Σ fₖ, from the first to the last."""
        first, *others = (each.push(query) for each in self.summands)
        return sum(others, start=first)

    def __repr__(self) -> str:
        return " + ".join(f"({each!r})" if isinstance(each, Sum) else repr(each) for each in self.summands)


@dataclass(frozen=True, repr=False)
class WeightedField(FieldModifier):
    """A field `factor` times as strong: 2 * f."""

    factor: float

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "factor", parse_bounded_number(self.factor, "The factor of a field"))

    def push(self, query: FieldQuery) -> Floats:
        """k·f."""
        return self.factor * self.field.push(query)

    def __repr__(self) -> str:
        return f"{self.factor!r} * {self._inner_code()}"
