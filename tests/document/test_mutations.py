"""Two thousand mutated scene files: a stage that can be shot, or a sentence, and nothing else. `make fuzz` has more."""

from tests.document.mutations import Summary, mutated, outcome


def test_mutated_scenes_are_read_or_refused_with_field_paths():
    summary = Summary.of(map(outcome, range(2000)))
    assert summary.good, f"{summary} {[(one.number, one.text) for one in summary.crashes[:3]]}"
    assert summary.counts["refused"] > 1000
    assert summary.counts["accepted"] > 100


def test_mutations_are_deterministic():
    assert [mutated(number) for number in range(50)] == [mutated(number) for number in range(50)]
