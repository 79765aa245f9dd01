"""What is said at a desk, briefly, and what is left of it when its process dies."""

import numpy as np
import pytest

from keypose import KeyposeError
from keypose.document.scene import read
from keypose.studio.edits.apply import apply_edit
from keypose.studio.protocol import commands
from tests.studio.scenes import text


def do(stage, kind, **options):
    """The stage after an edit, which a file can say, and the edit's name."""
    edited, label = apply_edit(stage, kind(id=1, **options))
    assert text(read(text(edited))) == text(edited)
    return edited, label


def refused(stage, kind, **options):
    """Why an edit is refused; the stage stays as it was."""
    before = text(stage)
    with pytest.raises(KeyposeError) as error:
        apply_edit(stage, kind(id=1, **options))
    assert text(stage) == before
    return str(error.value)


def move(by=(1, 0, 0), actor="red", key=1, gesture=None):
    return commands.MoveKeys(id=1, actor=actor, keys=(key,), by=by, gesture=gesture)


def undo():
    return commands.Undo(id=1)


def redo():
    return commands.Redo(id=1)


def cancel(gesture):
    return commands.CancelGesture(id=1, gesture=gesture)


def crash_session(session):
    """The session as it is left when its process dies."""
    session.journal.close()
    session.journal = None
    return text(session.stage)


def given_path(stage, name):
    """The path that was said of an actor."""
    return stage[name].motion.spec[0]


def position_of(stage, name, t):
    """Where an actor is in the world; others may take ticks."""
    positions = stage.resolved.evaluator(np.atleast_1d(np.array(t, dtype=float))).pose(name).position
    return positions if np.ndim(t) else positions[0]
