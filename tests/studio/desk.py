"""What is said at a desk, briefly, and what is left of it when its process dies."""

from keypose.studio import messages as say
from tests.studio.scenes import text


def move(by=(1, 0, 0), actor="red", key=1, gesture=None):
    return say.MoveKeys(id=1, actor=actor, keys=(key,), by=by, gesture=gesture)


def undo():
    return say.Undo(id=1)


def redo():
    return say.Redo(id=1)


def cancel(gesture):
    return say.CancelGesture(id=1, gesture=gesture)


def crashed(session):
    """The session as it is left when its process dies."""
    session._journal.close()
    session._journal = None
    return text(session.stage)
