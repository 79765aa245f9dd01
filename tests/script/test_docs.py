"""What docs/script.md shows runs as it stands, and its figures are right."""

import re
from pathlib import Path

import pytest

from keypose.physics.sync.kernels import ARRIVAL_FRACTION
from keypose.script.meeting import DEFAULT_PATIENCE
from keypose.script.participant import MIN_SPEED_FACTOR
from keypose.script.sync.rules.clock_rates import RAMP_TIME
from keypose.script.sync.rules.delays import LATE_AFTER
from keypose.script.sync.rules.speed_factors import EFFICIENCY_FILTER, REGULATION_PERIOD

PAGE = (Path(__file__).parents[2] / "docs" / "script.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def example():
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    names = {}
    exec(compile("\n".join(blocks), "docs/script.md", "exec"), names)
    return names


def test_the_page_s_example_meets_as_described(example):
    meeting_events = [event for event in example["take"].events if getattr(event, "meeting", None)]
    for meeting in ("arch", "home"):
        arrival_times = [
            event.time for event in meeting_events if event.meeting == meeting and event.state == "reached"
        ]
        assert len(arrival_times) == 2
        assert max(arrival_times) - min(arrival_times) <= 0.01
        assert any(event.meeting == meeting and event.state == "done" for event in meeting_events)


def test_distances_to_the_arch_are_those_on_the_page(example):
    near, far = (example[name].distance(1.0) for name in ("left", "right"))
    assert f"{near:.1f} m to its arch" in PAGE
    assert f"blue {far:.1f} m" in PAGE


def test_constants_on_the_page_are_those_of_the_code():
    assert f"Every {1000 * REGULATION_PERIOD:g} ms" in PAGE
    assert f"{EFFICIENCY_FILTER:g} s. Whoever" in PAGE
    assert f"{ARRIVAL_FRACTION:g} · `within`" in PAGE
    assert MIN_SPEED_FACTOR == 0.1
    assert "slower than a tenth" in PAGE
    assert RAMP_TIME == 0.25
    assert "a quarter of a second" in PAGE
    assert LATE_AFTER == 1.0
    assert f"patience={DEFAULT_PATIENCE:g}" in PAGE
