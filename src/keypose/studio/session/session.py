"""What is on the desk? A document, its history, its file and its journal; edits come in, names of steps come out.

Everything can be undone and redone by name, another document opened in its place too. Messages of one gesture are one
step: each tells the gesture as a whole, so it is applied to what was there before the gesture began, and what others
did meanwhile is done again on top. What is refused changes nothing. An edit is in the journal, on the platter, before
`do` returns, or before it is acknowledged (`keeps_later`). Plain calls from one thread: who speaks to pages is told in
`server`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from keypose.document.scene import scene_object
from keypose.errors import KeyposeError
from keypose.files.formats import check_ending, load, save
from keypose.maths.kernel_switch import settle
from keypose.stage.stage import Stage
from keypose.studio.edits import edited
from keypose.studio.preview.dependents import dependents
from keypose.studio.protocol.commands import CancelGesture, Edit, Redo, Undo
from keypose.studio.protocol.updates.updates import Step as Steps
from keypose.studio.session.app_state import new_journal, remember
from keypose.studio.session.history import Step, done_again, edits_since, step_of
from keypose.studio.session.journal import Journal, held
from keypose.studio.session.recovery import Recoverable, begun, changed, stage_of

MOST_STEPS = 1000
LONG, TIMES_ITS_BEGINNING = 8 << 20, 4  # a journal of so many bytes, and so much more than it began with, begins anew
EMPTY = Stage([])


@dataclass(frozen=True)
class Change:
    """What a page has to draw anew. `whole`: all of it; else the pictures of the actors in `changed` may differ."""

    revision: int
    changed: frozenset[str]
    whole: bool
    says: str | None


@dataclass(frozen=True, eq=False)
class Base:
    """The document with which a journal began, or that was put in place of another since; edits are counted from it."""

    stage: Stage
    file: Path | None
    is_saved: bool
    done: list[Step]

    @property
    def record(self) -> bytes:
        """As the journal has it."""
        return begun(self.stage, self.file, self.is_saved)


class Session:
    """One document being edited. With `state`, the folder of the studio's own things, edits survive a crash."""

    def __init__(self, stage: Stage = EMPTY, *, file: Path | None = None, state: Path | None = None) -> None:
        settle()
        self._stage, self._file, self._state = stage, file, state
        self._revision = self._opened_at = 0
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self._put_aside: tuple[str | None, list[Step]] = (None, [])
        """What could be redone before the latest gesture, if that is called off."""
        self._saved: dict[Path | None, Stage] = {file: stage}
        self._journal: Journal | None = None
        self._base = Base(stage, file, True, [])
        self._longest = 0
        self.keeps_later = False
        """Whether somebody calls what `keeping` gives before a change is acknowledged; else it is done at once."""

    @classmethod
    def opened(cls, file: Path, *, state: Path | None = None) -> "Session":
        """A session on a scene file."""
        session = cls(_scene(file), file=file.absolute(), state=state)  # it may be recovered from another folder
        session._remember()
        return session

    @classmethod
    def recovered(cls, found: Recoverable, *, state: Path | None = None) -> "Session":
        """A session on what was not saved: one step, to be undone or saved. The old journal goes when all is kept."""
        base, stage = stage_of(found.base), stage_of(found.scene)
        session = cls(base, file=found.file, state=state)
        if not found.base_is_saved:
            session._saved.clear()
        step = Step(f"recover {found.what}", base, stage)
        with held(found.journal):
            session._keep(stage, found.file, step.says, [step], [])
            if state is not None:
                found.journal.unlink(missing_ok=True)
        return session

    # ---- what is there -----------------------------------------------------------------------------------------------

    @property
    def stage(self) -> Stage:
        """The document."""
        return self._stage

    @property
    def revision(self) -> int:
        """Grows with every change, undone ones too."""
        return self._revision

    @property
    def opened_at(self) -> int:
        """The revision at which this document came in place of another, opened or undone."""
        return self._opened_at

    @property
    def file(self) -> Path | None:
        """Where it is saved."""
        return self._file

    @property
    def is_saved(self) -> bool:
        """Whether nothing would be lost: it is as in its file, or untouched since it was begun or opened."""
        return self._saved.get(self._file) is self._stage

    @property
    def steps(self) -> Steps:
        """What undo and redo would do, by name."""
        undo, redo = (steps[-1].says if steps else None for steps in (self._done, self._undone))
        return Steps(undo=undo, redo=redo)

    def why_not_kept(self) -> str | None:
        """Why edits of this document would not survive a crash, if so: for a notice."""
        if self._state is None:
            return "Edits are not kept in a journal. Save now and then."
        try:
            scene_object(self._stage)
        except KeyposeError as error:
            return f"Edits are not kept in a journal: {error}"
        return None

    def keeping(self) -> Callable[[], None]:
        """What brings all changes until now to the platter, on any thread; a KeyposeError says why it cannot."""
        return (lambda: None) if self._journal is None else self._journal.syncing()

    # ---- what can be done --------------------------------------------------------------------------------------------

    def do(self, message: Edit | Undo | Redo | CancelGesture) -> Change:
        """Edit, undo, redo, or call a gesture off; a KeyposeError says why not, and then nothing has changed."""
        if isinstance(message, Undo):
            return self._undo()
        if isinstance(message, Redo):
            return self._redo()
        at = step_of(message.gesture, self._done)
        if isinstance(message, CancelGesture):
            return self._cancel(at)
        before = self._stage if at is None else self._done[at].before
        after, says = edited(before, message)
        later = [] if at is None else self._done[at + 1 :]
        steps = [*self._done[:at], Step(says, before, after, message), *done_again(later, after)]
        redoable = self._undone
        change = self._keep(steps[-1].after, self._file, says, steps, [])
        if at is None:
            self._put_aside = (message.gesture, redoable)
        return change

    def new(self) -> Change:
        """Begin an empty scene."""
        return self._switch(Stage([]), None, "new scene")

    def open(self, file: Path) -> Change:
        """Open a scene file in place of this document."""
        change = self._switch(_scene(file), file.absolute(), f"open {file.name}")
        self._remember()
        return change

    def open_example(self, name: str, stage: Stage) -> Change:
        """Begin with an example, which has no file yet."""
        return self._switch(stage, None, f"open the example {name}")

    def recover(self, found: Recoverable) -> Change:
        """Take up what was not saved, in place of this document. The old journal goes when all is kept."""
        stage, says = stage_of(found.scene), f"recover {found.what}"
        step = Step(says, self._stage, stage, files=(self._file, found.file))
        with held(found.journal):
            change = self._keep(stage, found.file, says, [*self._done, step], [], switches=True)
            if self._state is not None:
                self.keeping()()  # whatever is kept later: the old journal must not go before
                found.journal.unlink(missing_ok=True)
        return change

    def save(self, file: Path | None = None) -> Change:
        """Save where it was opened, or as another file. When this returns it is on the platter."""
        target = self._file if file is None else file.absolute()
        if target is None:
            raise KeyposeError("This scene has no file yet. Save it under a name, as 'walk.json'.")
        save(self._stage, target)
        self._file = target
        self._saved[target] = self._stage
        self._close_journal()  # only now: until here it held what the file did not
        self._remember()
        return Change(self._revision, frozenset(), False, f"save {target.name}")

    def close(self) -> None:
        """End it. Edits that were not saved stay in the journal and are offered at the next start."""
        if self._journal is not None:
            self._journal.close(remove=self.is_saved)
            self._journal = None

    # ---- inside ------------------------------------------------------------------------------------------------------

    def _cancel(self, at: int | None) -> Change:
        """Take a gesture out of the history; what others did meanwhile stays."""
        if at is None:
            return Change(self._revision, frozenset(), False, None)
        step = self._done[at]
        later = done_again(self._done[at + 1 :], step.before)
        stage = later[-1].after if later else step.before
        gesture, redoable = self._put_aside
        is_all = not later and step.message is not None and step.message.gesture == gesture
        again = redoable if is_all else []
        return self._keep(stage, self._file, f"cancel {step.says}", [*self._done[:at], *later], again)

    def _undo(self) -> Change:
        if not self._done:
            raise KeyposeError("There is nothing to undo.")
        step = self._done[-1]
        file = self._file if step.files is None else step.files[0]
        says, switches = f"undo {step.says}", step.files is not None
        return self._keep(step.before, file, says, self._done[:-1], [*self._undone, step], switches=switches)

    def _redo(self) -> Change:
        if not self._undone:
            raise KeyposeError("There is nothing to redo.")
        step = self._undone[-1]
        file = self._file if step.files is None else step.files[1]
        says, switches = f"redo {step.says}", step.files is not None
        return self._keep(step.after, file, says, [*self._done, step], self._undone[:-1], switches=switches)

    def _switch(self, stage: Stage, file: Path | None, says: str) -> Change:
        """Put another document in place of this one; there is nothing to lose in it."""
        step = Step(says, self._stage, stage, files=(self._file, file))
        return self._keep(stage, file, says, [*self._done, step], [], switches=True, is_new=True)

    def _keep(
        self,
        stage: Stage,
        file: Path | None,
        says: str,
        done: list[Step],
        undone: list[Step],
        *,
        switches: bool = False,
        is_new: bool = False,
    ) -> Change:
        """Write a change into the journal, then make it, then tell it: nothing that can fail comes after the first.

        One that `switches` puts another document in place of this one; in one that `is_new` there is nothing to lose.
        """
        whole = switches or stage.names != self._stage.names or stage.style != self._stage.style
        touched = frozenset(stage.names) if whole else dependents(self._stage, stage)
        change = Change(self._revision + 1, touched, whole, says)
        self._write(Base(stage, file, is_new or self._saved.get(file) is stage, done), says, switches)
        if is_new:
            self._saved[file] = stage
        self._stage.__dict__.pop("batches", None)  # a thousand old scenes need not be ready to play
        self._stage, self._file = stage, file
        self._done, self._undone = done[-MOST_STEPS:], undone
        self._revision += 1
        if switches:
            self._opened_at = self._revision
        return change

    def _write(self, now: Base, says: str, switches: bool) -> None:
        """Bring a change to the platter, in a journal that begins with the first change since the last save."""
        if self._state is None:
            return
        journal = self._journal
        if journal is None:
            if switches and now.is_saved and self.is_saved:
                return
            self._base = Base(self._stage, self._file, self.is_saved, self._done)
        record = now.record if switches else self._changed(self._stage, now, says)
        if journal is not None and journal.is_whole and journal.size + len(record) <= self._longest:
            journal.append(record, later=self.keeps_later)
        else:
            self._begin_journal(record)
        if switches:
            self._base = now

    def _begin_journal(self, record: bytes) -> None:
        """Begin the journal, or begin it anew: with the base, how it is now, and what comes."""
        try:
            first = [self._base.record]
        except KeyposeError:
            return  # what no file can hold, no journal holds either: see `why_not_kept`
        if self._stage is not self._base.stage:
            last = self._done[-1].says if self._done else None
            first.append(
                self._changed(self._base.stage, Base(self._stage, self._file, self.is_saved, self._done), last)
            )
        first.append(record)
        if self._journal is None:
            assert self._state is not None
            self._journal = Journal(new_journal(self._state), first)
        else:
            self._journal.begin_anew(first)
        self._longest = max(LONG, TIMES_ITS_BEGINNING * self._journal.size)

    def _changed(self, before: Stage, now: Base, says: str | None) -> bytes:
        return changed(before, now.stage, says, edits_since(self._base.done, now.done), now.is_saved)

    def _close_journal(self) -> None:
        if self._journal is not None:
            self._journal.close(remove=True)
            self._journal = None

    def _remember(self) -> None:
        if self._state is not None and self._file is not None:
            remember(self._state, self._file)


def _scene(file: Path) -> Stage:
    check_ending(file, Stage)
    stage = load(file)
    assert isinstance(stage, Stage)
    return stage
