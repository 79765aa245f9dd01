"""What is on the desk? A document, its history, its file and its journal; edits come in, names of steps come out.

Everything can be undone and redone by name, another document opened in its place too. Messages of one gesture are one
step: each tells the gesture as a whole, so it is applied to what was there before the gesture began, and what others
did meanwhile is done again on top. What is refused changes nothing. An edit is in the journal, on the platter, before
`apply` returns, or before it is acknowledged (`prepare_sync`). Plain calls from one thread: who speaks to pages is told
in `server`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from keypose.document import scene_object
from keypose.errors import KeyposeError
from keypose.files import check_format, load, save
from keypose.maths import load_kernels
from keypose.stage import Stage
from keypose.studio.edits.apply import apply_edit
from keypose.studio.preview.dependents import dependents
from keypose.studio.protocol.commands import CancelGesture, Edit, Redo, Undo
from keypose.studio.protocol.updates.updates import Step as Steps
from keypose.studio.session.app_state import add_recent_file, new_journal_path
from keypose.studio.session.history import HistoryStep, count_edits, find_gesture_step, reapply_steps
from keypose.studio.session.journal import Journal, lock_journal
from keypose.studio.session.recovery import Recoverable, change_record, document_record, stage_from_scene

MAX_STEPS = 1000
MIN_JOURNAL_LIMIT, JOURNAL_GROWTH = (
    8 << 20,
    4,
)  # a journal of so many bytes, and so much more than it began with, begins anew
EMPTY_STAGE = Stage([])


@dataclass(frozen=True)
class Change:
    """What a page has to draw anew. `is_full`: all of it; else only the `changed_actors` may
    differ.
    """

    revision: int
    changed_actors: frozenset[str]
    is_full: bool
    label: str | None


@dataclass(frozen=True, eq=False)
class JournalBase:
    """The document with which a journal began, or that was put in place of another since; edits are counted from it."""

    stage: Stage
    file: Path | None
    is_saved: bool
    steps: list[HistoryStep]

    @property
    def record(self) -> bytes:
        """As the journal has it."""
        return document_record(self.stage, self.file, self.is_saved)


class Session:
    """One document being edited. With `state`, the folder of the studio's own things, edits survive a crash."""

    def __init__(self, stage: Stage = EMPTY_STAGE, *, file: Path | None = None, state: Path | None = None) -> None:
        load_kernels()
        self._stage, self._file, self._state = stage, file, state
        self._revision = self._opened_at = 0
        self._undo_steps: list[HistoryStep] = []
        self._redo_steps: list[HistoryStep] = []
        self._shelved_redo: tuple[str | None, list[HistoryStep]] = (None, [])
        """What could be redone before the latest gesture, if that is called off."""
        self._saved_stages: dict[Path | None, Stage] = {file: stage}
        self.journal: Journal | None = None
        self._base = JournalBase(stage, file, True, [])
        self._max_journal_size = 0
        self.defers_sync = False
        """Whether somebody calls `prepare_sync` before a change is acknowledged; else it is done at once."""

    @classmethod
    def from_file(cls, file: Path, *, state: Path | None = None) -> "Session":
        """A session on a scene file."""
        session = cls(_load_scene(file), file=file.absolute(), state=state)  # it may be recovered from another folder
        session._remember()
        return session

    @classmethod
    def from_recovery(cls, recoverable: Recoverable, *, state: Path | None = None) -> "Session":
        """A session on what was not saved: one step, to be undone or saved. The old journal goes when all is kept."""
        base, stage = stage_from_scene(recoverable.base), stage_from_scene(recoverable.scene)
        session = cls(base, file=recoverable.file, state=state)
        if not recoverable.base_is_saved:
            session._saved_stages.clear()
        step = HistoryStep(f"recover {recoverable.summary}", base, stage)
        with lock_journal(recoverable.journal):
            session._commit(stage, recoverable.file, step.label, [step], [])
            if state is not None:
                recoverable.journal.unlink(missing_ok=True)
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
        return self._saved_stages.get(self._file) is self._stage

    @property
    def steps(self) -> Steps:
        """What undo and redo would do, by name."""
        undo, redo = (steps[-1].label if steps else None for steps in (self._undo_steps, self._redo_steps))
        return Steps(undo=undo, redo=redo)

    def journal_problem(self) -> str | None:
        """Why edits of this document would not survive a crash, if so: for a notice."""
        if self._state is None:
            return "Edits are not kept in a journal. Save now and then."
        try:
            scene_object(self._stage)
        except KeyposeError as error:
            return f"Edits are not kept in a journal: {error}"
        return None

    def prepare_sync(self) -> Callable[[], None]:
        """What brings all changes until now to the platter, on any thread; a KeyposeError says why it cannot."""
        return (lambda: None) if self.journal is None else self.journal.prepare_sync()

    # ---- what can be done --------------------------------------------------------------------------------------------

    def apply(self, message: Edit | Undo | Redo | CancelGesture) -> Change:
        """Edit, undo, redo, or call a gesture off; a KeyposeError says why not, and then nothing has changed."""
        if isinstance(message, Undo):
            return self._undo()
        if isinstance(message, Redo):
            return self._redo()
        at = find_gesture_step(message.gesture, self._undo_steps)
        if isinstance(message, CancelGesture):
            return self._cancel(at)
        before = self._stage if at is None else self._undo_steps[at].before
        after, label = apply_edit(before, message)
        later = [] if at is None else self._undo_steps[at + 1 :]
        steps = [*self._undo_steps[:at], HistoryStep(label, before, after, message), *reapply_steps(later, after)]
        redo_steps = self._redo_steps
        change = self._commit(steps[-1].after, self._file, label, steps, [])
        if at is None:
            self._shelved_redo = (message.gesture, redo_steps)
        return change

    def new(self) -> Change:
        """Begin an empty scene."""
        return self._switch(Stage([]), None, "new scene")

    def open(self, file: Path) -> Change:
        """Open a scene file in place of this document."""
        change = self._switch(_load_scene(file), file.absolute(), f"open {file.name}")
        self._remember()
        return change

    def open_example(self, name: str, stage: Stage) -> Change:
        """Begin with an example, which has no file yet."""
        return self._switch(stage, None, f"open the example {name}")

    def recover(self, recoverable: Recoverable) -> Change:
        """Take up what was not saved, in place of this document. The old journal goes when all is kept."""
        stage, label = stage_from_scene(recoverable.scene), f"recover {recoverable.summary}"
        step = HistoryStep(label, self._stage, stage, files=(self._file, recoverable.file))
        with lock_journal(recoverable.journal):
            change = self._commit(stage, recoverable.file, label, [*self._undo_steps, step], [], switches=True)
            if self._state is not None:
                self.prepare_sync()()  # whatever is kept later: the old journal must not go before
                recoverable.journal.unlink(missing_ok=True)
        return change

    def save(self, file: Path | None = None) -> Change:
        """Save where it was opened, or as another file. When this returns it is on the platter."""
        target = self._file if file is None else file.absolute()
        if target is None:
            raise KeyposeError("This scene has no file yet. Save it under a name, as 'walk.json'.")
        save(self._stage, target)
        self._file = target
        self._saved_stages[target] = self._stage
        self._close_journal()  # only now: until here it held what the file did not
        self._remember()
        return Change(self._revision, frozenset(), False, f"save {target.name}")

    def close(self) -> None:
        """End it. Edits that were not saved stay in the journal and are offered at the next start."""
        if self.journal is not None:
            self.journal.close(remove=self.is_saved)
            self.journal = None

    # ---- inside ------------------------------------------------------------------------------------------------------

    def _cancel(self, at: int | None) -> Change:
        """Take a gesture out of the history; what others did meanwhile stays."""
        if at is None:
            return Change(self._revision, frozenset(), False, None)
        step = self._undo_steps[at]
        later = reapply_steps(self._undo_steps[at + 1 :], step.before)
        stage = later[-1].after if later else step.before
        gesture, redo_steps = self._shelved_redo
        restores_redo = not later and step.edit is not None and step.edit.gesture == gesture
        redo = redo_steps if restores_redo else []
        return self._commit(stage, self._file, f"cancel {step.label}", [*self._undo_steps[:at], *later], redo)

    def _undo(self) -> Change:
        if not self._undo_steps:
            raise KeyposeError("There is nothing to undo.")
        step = self._undo_steps[-1]
        file = self._file if step.files is None else step.files[0]
        label, switches = f"undo {step.label}", step.files is not None
        return self._commit(
            step.before, file, label, self._undo_steps[:-1], [*self._redo_steps, step], switches=switches
        )

    def _redo(self) -> Change:
        if not self._redo_steps:
            raise KeyposeError("There is nothing to redo.")
        step = self._redo_steps[-1]
        file = self._file if step.files is None else step.files[1]
        label, switches = f"redo {step.label}", step.files is not None
        return self._commit(
            step.after, file, label, [*self._undo_steps, step], self._redo_steps[:-1], switches=switches
        )

    def _switch(self, stage: Stage, file: Path | None, label: str) -> Change:
        """Put another document in place of this one; there is nothing to lose in it."""
        step = HistoryStep(label, self._stage, stage, files=(self._file, file))
        return self._commit(stage, file, label, [*self._undo_steps, step], [], switches=True, is_new=True)

    def _commit(
        self,
        stage: Stage,
        file: Path | None,
        label: str,
        undo_steps: list[HistoryStep],
        redo_steps: list[HistoryStep],
        *,
        switches: bool = False,
        is_new: bool = False,
    ) -> Change:
        """Write a change into the journal, then make it, then tell it: nothing that can fail comes after the first.

        One that `switches` puts another document in place of this one; in one that `is_new` there is nothing to lose.
        """
        is_full = switches or stage.names != self._stage.names or stage.style != self._stage.style
        changed_actors = frozenset(stage.names) if is_full else dependents(self._stage, stage)
        change = Change(self._revision + 1, changed_actors, is_full, label)
        self._journal_change(
            JournalBase(stage, file, is_new or self._saved_stages.get(file) is stage, undo_steps), label, switches
        )
        if is_new:
            self._saved_stages[file] = stage
        self._stage.resolved.drop_batches()  # a thousand old scenes need not be ready to play
        self._stage, self._file = stage, file
        self._undo_steps, self._redo_steps = undo_steps[-MAX_STEPS:], redo_steps
        self._revision += 1
        if switches:
            self._opened_at = self._revision
        return change

    def _journal_change(self, base: JournalBase, label: str, switches: bool) -> None:
        """Bring a change to the platter, in a journal that begins with the first change since the last save."""
        if self._state is None:
            return
        journal = self.journal
        if journal is None:
            if switches and base.is_saved and self.is_saved:
                return
            self._base = JournalBase(self._stage, self._file, self.is_saved, self._undo_steps)
        record = base.record if switches else self._change_record(self._stage, base, label)
        if journal is not None and journal.is_writable and journal.size + len(record) <= self._max_journal_size:
            journal.append(record, sync_later=self.defers_sync)
        else:
            self._start_journal(record)
        if switches:
            self._base = base

    def _start_journal(self, record: bytes) -> None:
        """Begin the journal, or begin it anew: with the base, how it is now, and what comes."""
        try:
            first = [self._base.record]
        except KeyposeError:
            return  # what no file can hold, no journal holds either: see `journal_problem`
        if self._stage is not self._base.stage:
            last = self._undo_steps[-1].label if self._undo_steps else None
            first.append(
                self._change_record(
                    self._base.stage, JournalBase(self._stage, self._file, self.is_saved, self._undo_steps), last
                )
            )
        first.append(record)
        if self.journal is None:
            assert self._state is not None
            self.journal = Journal(new_journal_path(self._state), first)
        else:
            self.journal.rewrite(first)
        self._max_journal_size = max(MIN_JOURNAL_LIMIT, JOURNAL_GROWTH * self.journal.size)

    def _change_record(self, before: Stage, base: JournalBase, label: str | None) -> bytes:
        return change_record(before, base.stage, label, count_edits(self._base.steps, base.steps), base.is_saved)

    def _close_journal(self) -> None:
        if self.journal is not None:
            self.journal.close(remove=True)
            self.journal = None

    def _remember(self) -> None:
        if self._state is not None and self._file is not None:
            add_recent_file(self._state, self._file)


def _load_scene(file: Path) -> Stage:
    check_format(file, Stage)
    stage = load(file)
    assert isinstance(stage, Stage)
    return stage
