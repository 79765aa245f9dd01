"""A field in a few words, for titles and events."""

import pytest

from keypose import fields
from keypose.fields.algebra.field import Field
from keypose.fields.describe.field_text import describe_field

WIND, WHIRL = fields.Uniform((0.4, 0, -1)), fields.Vortex(2)


class CustomField(Field):
    """A field of one's own."""

    def push(self, query):
        return 0 * query.position


@pytest.mark.parametrize(
    ("field", "words"),
    [
        (WIND, "uniform (0.4, 0, -1)"),
        (WHIRL.turned(30, "y"), "vortex 2, turned 30° about y"),
        (WHIRL.turned(-30, "x"), "vortex 2, turned -30° about x"),
        (WHIRL.turned(120, (1, 1, 1)), "vortex 2, turned 120° about (0.5774, 0.5774, 0.5774)"),
        (fields.Vortex(1 / 3, axis="z", center=(1, 0, 0)), "vortex 0.3333 about z at (1, 0, 0)"),
        (fields.Attractor(1).moved((0, 1, 0)).within(2), "attractor 1, moved by (0, 1, 0), within 2 m"),
        (WIND + WHIRL.scaled(2), "uniform (0.4, 0, -1) + (vortex 2, stretched 2×)"),
        (2 * (WIND + WHIRL), "2 × (uniform (0.4, 0, -1) + vortex 2)"),
        ((WIND + WHIRL).within(size=(1, 2, 3)), "(uniform (0.4, 0, -1) + vortex 2), within 1 × 2 × 3 m"),
        (fields.Repeller(1).carried_by("lamp").delayed(3), "repeller 1, carried by 'lamp' at 3 m/s"),
        (fields.Repeller(1).carried_by(("a", "b", "c")), "repeller 1, carried by 'a' and 2 others"),
        (fields.Noise(0.3).during(1, 2).pulsing(0.5), "noise 0.3, from 1 to 2 s, pulsing every 0.5 s"),
        (fields.Wall((0, 1, 0), "y", 5, 0.5), "wall 5 along y at (0, 1, 0)"),
        (fields.Spring(3), "spring 3"),
        (fields.Formula("(-y, x, 0)"), "formula (-y, x, 0)"),
        (fields.KeepOffset("man"), "KeepOffset('man')"),
        (fields.KeepDistance(fields.Pointer(), 1), "KeepDistance('pointer', 1)"),
        (fields.KeepOnPlane((0, 1, 0), (0, 1, 0)), "KeepOnPlane((0, 1, 0), (0, 1, 0))"),
        (fields.Keep("x - X", "man"), "Keep('x - X', 'man')"),
        (fields.Avoid("flock/*"), "Avoid('flock/*')"),
        (CustomField(), "CustomField"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_field_text_names_its_kind_and_transforms(field, words):
    assert describe_field(field) == words


def test_long_sums_name_the_first_fields_and_count_the_others():
    many = sum((fields.Attractor(1).turned(10 * each, "y") for each in range(1, 9)), start=WIND)
    assert describe_field(many, 70) == "uniform (0.4, 0, -1) + (attractor 1, turned 10° about y) + 7 more"
    assert describe_field(fields.Formula(f"({'x + ' * 50}x, 0, 0)"), 20) == "formula (x + x + x …"
