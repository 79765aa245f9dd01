"""What can be undone, and how much is that? Steps with names; a gesture that goes on is still the same step."""

from dataclasses import dataclass, replace
from pathlib import Path

from keypose.errors import KeyposeError
from keypose.stage.stage import Stage
from keypose.studio.edits import edited
from keypose.studio.protocol.commands import Edit

MEANWHILE = 16  # steps of others that a gesture in progress may have under it


@dataclass(frozen=True, eq=False)
class Step:
    """One thing that can be undone. A step that put another document in place of one knows the files of both."""

    says: str
    before: Stage
    after: Stage
    message: Edit | None = None
    files: tuple[Path | None, Path | None] | None = None


def step_of(gesture: str | None, done: list[Step]) -> int | None:
    """Which of the latest steps is this gesture's, if it goes on."""
    if gesture is None:
        return None
    for at in range(len(done) - 1, max(len(done) - 1 - MEANWHILE, -1), -1):
        message = done[at].message
        if message is None:
            return None
        if message.gesture == gesture:
            return at
    return None


def done_again(steps: list[Step], stage: Stage) -> list[Step]:
    """What others did meanwhile, done on top of what a gesture has become."""
    made = []
    for step in steps:
        assert step.message is not None
        try:
            after, says = edited(stage, step.message)
        except KeyposeError as error:
            raise KeyposeError(
                f"Meanwhile somebody did: {step.says}. That would not be possible any more. {error}"
            ) from None
        made.append(replace(step, says=says, before=stage, after=after))
        stage = after
    return made


def edits_since(base: list[Step], done: list[Step]) -> int:
    """How many edits a history is away from an earlier one, as a person counts: a drag is one, what was undone none."""
    if done:  # a long history forgets its beginning
        base = base[next((index for index, step in enumerate(base) if step is done[0]), 0) :]
    same = 0
    while same < min(len(base), len(done)) and base[same] is done[same]:
        same += 1
    return max(len(base), len(done)) - same
