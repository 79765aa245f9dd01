"""A field, and what can be done to one: sums, transforms, time windows, fields attached to actors."""

from keypose.fields.algebra.attached import Carried, delayed
from keypose.fields.algebra.field import Field, FieldOperations
from keypose.fields.algebra.sum import Sum, Times
from keypose.fields.algebra.transform import Moved, Scaled, Turned, Within
from keypose.fields.algebra.window import During, Pulsing

Field._operations = FieldOperations(Sum, Times, Moved, Turned, Scaled, Within, During, Pulsing, Carried, delayed)
