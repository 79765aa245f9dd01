"""What can be undone, and how much is that? Steps with names; a gesture that goes on is still the same step."""

from dataclasses import dataclass, replace
from pathlib import Path

from keypose.errors import KeyposeError
from keypose.stage import Stage
from keypose.studio.edits.apply import apply_edit
from keypose.studio.protocol.commands import Edit

MAX_INTERLEAVED_STEPS = 16  # steps of others that a gesture in progress may have under it


@dataclass(frozen=True, eq=False)
class HistoryStep:
    """One thing that can be undone. A step that put another document in place of one knows the files of both."""

    label: str
    before: Stage
    after: Stage
    edit: Edit | None = None
    files: tuple[Path | None, Path | None] | None = None


def find_gesture_step(gesture: str | None, steps: list[HistoryStep]) -> int | None:
    """Which of the latest steps is this gesture's, if it goes on."""
    if gesture is None:
        return None
    for at in range(len(steps) - 1, max(len(steps) - 1 - MAX_INTERLEAVED_STEPS, -1), -1):
        message = steps[at].edit
        if message is None:
            return None
        if message.gesture == gesture:
            return at
    return None


def reapply_steps(steps: list[HistoryStep], stage: Stage) -> list[HistoryStep]:
    """What others did meanwhile, done on top of what a gesture has become."""
    new_steps = []
    for step in steps:
        assert step.edit is not None
        try:
            after, label = apply_edit(stage, step.edit)
        except KeyposeError as error:
            raise KeyposeError(
                f"Meanwhile somebody did: {step.label}. That would not be possible any more. {error}"
            ) from None
        new_steps.append(replace(step, label=label, before=stage, after=after))
        stage = after
    return new_steps


def count_edits(base: list[HistoryStep], steps: list[HistoryStep]) -> int:
    """How many edits a history is away from an earlier one, as a person counts: a drag is one, what was undone none."""
    if steps:  # a long history forgets its beginning
        base = base[next((index for index, step in enumerate(base) if step is steps[0]), 0) :]
    common = 0
    while common < min(len(base), len(steps)) and base[common] is steps[common]:
        common += 1
    return max(len(base), len(steps)) - common
