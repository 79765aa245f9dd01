"""What can be done with the document as a whole?"""

from keypose.studio.protocol.commands.command import Command, Name


class Undo(Command, frozen=True, kw_only=True, tag="undo"):
    """Take the last change back."""


class Redo(Command, frozen=True, kw_only=True, tag="redo"):
    """Do it again."""


class CancelGesture(Command, frozen=True, kw_only=True, tag="cancel_gesture"):
    """Take a gesture back as if it had never begun: there is nothing to redo. One that did nothing leaves nothing."""

    gesture: Name


class New(Command, frozen=True, kw_only=True, tag="new"):
    """Begin an empty scene."""


class Open(Command, frozen=True, kw_only=True, tag="open"):
    """Open a scene file of the studio's folder."""

    file: Name


class OpenExample(Command, frozen=True, kw_only=True, tag="open_example"):
    """Open one of the example scenes, unsaved."""

    name: Name


class Save(Command, frozen=True, kw_only=True, tag="save"):
    """Save where it was opened; `file`: save as."""

    file: Name | None = None


class Recover(Command, frozen=True, kw_only=True, tag="recover"):
    """Take up the edits that were not saved when the studio last ended, or leave them."""

    take: bool


class Export(Command, frozen=True, kw_only=True, tag="export"):
    """Shoot and write a take, by the file's ending."""

    file: Name
    fps: float = 24.0
    seconds: float | None = None


class CancelExport(Command, frozen=True, kw_only=True, tag="cancel_export"):
    """Stop writing; nothing is left of it."""
