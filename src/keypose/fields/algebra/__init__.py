"""A field, and what can be done to one: sums, transforms, time windows, fields attached to actors."""

from keypose.fields.algebra.carrier import CarriedField, delay_field
from keypose.fields.algebra.field import Field, FieldOperations
from keypose.fields.algebra.sum import Sum, WeightedField
from keypose.fields.algebra.transform import BoundedField, MovedField, ScaledField, TurnedField
from keypose.fields.algebra.window import PulsingField, TimedField

Field._operations = FieldOperations(
    Sum,
    WeightedField,
    MovedField,
    TurnedField,
    ScaledField,
    BoundedField,
    TimedField,
    PulsingField,
    CarriedField,
    delay_field,
)
