"""Does the session keep its history? Played against a model that is nothing but a list of messages and of bytes.

The model applies every message itself and keeps the document's bytes at each place of the history. After every
operation the session must hold the same bytes, whether it was done, undone, refused, saved, opened again or recovered
from its journal, and whoever of two clients did it.
"""

from functools import partial
from random import Random

from keypose import KeyposeError, load
from keypose.document.scene import read
from keypose.studio.edits.apply import apply_edit
from keypose.studio.protocol import commands
from keypose.studio.session.history import MAX_INTERLEAVED_STEPS
from keypose.studio.session.recovery import find_recoverable
from keypose.studio.session.session import MAX_STEPS, Session
from tests.studio import random_edits
from tests.studio.scenes import field_stage, text

UNDO, REDO = commands.Undo(id=0), commands.Redo(id=0)
KINDS = ("edits", "refused", "undone", "redone", "cancelled", "saved", "reloaded", "opened", "recovered")


class Model:
    """A list of messages, the stage and the bytes after each, and a place in it. No message: another was opened."""

    def __init__(self, stage):
        self.stages, self.texts, self.messages, self.index = [stage], [text(stage)], [], 0
        self.undone_by_gesture = None, ([], [], [])

    @property
    def current_text(self):
        return self.texts[self.index]

    def do(self, message):
        messages, at = self.messages[: self.index], self._gesture_start(message.gesture)
        if at is None:
            at = self.index
        is_new, undone = at == self.index, self._undone()
        messages[at : at + 1] = [message]
        self._replay(messages, at)
        if is_new:
            self.undone_by_gesture = message.gesture, undone
        self._drop_oldest()

    def cancel(self, gesture):
        """The messages without those of a gesture, played again from where it began."""
        messages, at = self.messages[: self.index], self._gesture_start(gesture)
        if at is not None:
            restored = (
                self.undone_by_gesture[1]
                if at == self.index - 1 and self.undone_by_gesture[0] == gesture
                else ([], [], [])
            )
            del messages[at]
            self._replay(messages, at)
            for history, undone in zip((self.messages, self.stages, self.texts), restored, strict=True):
                history += undone

    def open(self, stage):
        """Another document in place of this one."""
        for history, one in ((self.messages, None), (self.stages, stage), (self.texts, text(stage))):
            history[self.index + (history is not self.messages) :] = [one]
        self.index += 1
        self._drop_oldest()

    def _undone(self):
        """What could be redone."""
        return self.messages[self.index :], self.stages[self.index + 1 :], self.texts[self.index + 1 :]

    def _gesture_start(self, gesture):
        """Where a gesture began that may go on."""
        latest = range(max(0, self.index - MAX_INTERLEAVED_STEPS), self.index)
        opened = max((at for at in latest if self.messages[at] is None), default=-1)
        same = [at for at in latest if at > opened and gesture is not None and self.messages[at].gesture == gesture]
        return same[-1] if same else None

    def _replay(self, messages, at):
        """Let these be the messages; those from a place on are done again."""
        stages, texts = self.stages[: at + 1], self.texts[: at + 1]
        for one in messages[at:]:
            stage, _ = apply_edit(stages[-1], one)
            stages.append(stage)
            texts.append(text(stage))
        self.messages, self.stages, self.texts, self.index = messages, stages, texts, len(messages)

    def _drop_oldest(self):
        """A long history has no beginning."""
        if self.index > MAX_STEPS:
            del self.messages[0], self.stages[0], self.texts[0]
            self.index -= 1

    def undo(self):
        self._go_to(self.index - 1)

    def redo(self):
        self._go_to(self.index + 1)

    def _go_to(self, index):
        if not 0 <= index < len(self.texts):
            raise KeyposeError("There is nothing there.")
        self.index = index


class Client:
    """One of those at the desk: has a gesture going on now and then."""

    def __init__(self, name):
        self.name, self.count, self.dragged = name, 0, None

    def message(self, random, stage):
        if self.dragged is None and random.random() < 0.15:
            self.count += 1
            name = random_edits.actor(random, stage)
            key, time = random_edits.some_key(random, stage, name), random.random()  # a hand drags at one moment
            self.dragged = {"actor": name, "key": key, "time": time, "gesture": f"{self.name}{self.count}"}
        if self.dragged is None:
            return random_edits.edit(random, stage)
        message = random_edits.drag(random, **self.dragged)
        if random.random() < 0.3:
            self.dragged = None
        return message

    def cancel_gesture(self):
        """The name of its last gesture, which is over now."""
        self.dragged = None
        return f"{self.name}{self.count}"


class Game:
    """A session and its model, on a desk of their own."""

    def __init__(self, seed, folder):
        self.random, self.state, self.file = Random(seed), folder / "state", folder / "scene.json"
        self.clients, self.last_was_undo_or_redo = [Client("a"), Client("b")], False
        self.begin()

    def begin(self):
        """A new session on the windy stage."""
        self.session, self.model = Session(field_stage(), state=self.state), Model(field_stage())

    def apply_random_operation(self):
        """One operation by chance; what it was. Who has undone something often goes on to and fro."""
        choice = (
            self.random.choice([0.85, 0.9])
            if self.last_was_undo_or_redo and self.random.random() < 0.6
            else self.random.random()
        )
        self.last_was_undo_or_redo = 0.8 <= choice < 0.97
        if choice < 0.03:
            gesture = self.random.choice(self.clients).cancel_gesture()
            message = commands.CancelGesture(id=0, gesture=gesture)
            return self.both("cancelled", partial(self.session.apply, message), partial(self.model.cancel, gesture))
        if choice < 0.8:
            message = self.random.choice(self.clients).message(self.random, self.model.stages[self.model.index])
            return self.both("edits", partial(self.session.apply, message), partial(self.model.do, message))
        if choice < 0.88:
            return self.both("undone", partial(self.session.apply, UNDO), self.model.undo)
        if choice < 0.97:
            return self.both("redone", partial(self.session.apply, REDO), self.model.redo)
        if choice < 0.99:
            return self.random.choice([self.save, self.reload, self.open])()
        return self.crash()

    def both(self, outcome, one, two):
        """Do the same twice; `what`, or that it was refused, which both must agree about."""
        outcomes = []
        for apply in (one, two):
            try:
                apply()
                outcomes.append(None)
            except KeyposeError as error:
                outcomes.append(error)
        assert (outcomes[0] is None) == (outcomes[1] is None), outcomes
        return outcome if outcomes[0] is None else "refused"

    def save(self):
        """Save as a file."""
        self.session.save(self.file)
        assert self.file.read_bytes() == self.model.current_text
        return "saved"

    def reload(self):
        """Save, end, and begin again with the file."""
        self.save()
        self.session.close()
        self.session, self.model = Session.from_file(self.file, state=self.state), Model(load(self.file))
        return "reloaded"

    def open(self):
        """Open what was saved last in place of what is there, which undo brings back."""
        if not self.file.exists():
            return self.save()
        self.session.open(self.file)
        self.model.open(load(self.file))
        return "opened"

    def equals_its_file(self):
        """Whether nothing would be lost: edits may change nothing, or come to what was saved."""
        return self.session.file == self.file and self.file.read_bytes() == self.model.current_text

    def crash(self):
        """The session of the next start: nothing of what was done may be missing, what is saved is not offered."""
        if self.session.journal is not None:
            self.session.journal.close()
        found = [Session.from_recovery(one, state=self.state) for one in find_recoverable(self.state)]
        offered = [text(session.stage) for session in found]
        if self.session.is_saved or self.equals_its_file():
            assert set(offered) <= set(self.model.texts), "what is offered could have come back by undo alone"
        else:
            assert offered == [self.model.current_text], "what was not saved is lost"
        for session in found:
            session.close()
        for one in find_recoverable(self.state):
            one.journal.unlink()
        self.session, self.model = (
            Session(read(self.model.current_text), state=self.state),
            Model(read(self.model.current_text)),
        )
        return "recovered"


def play(operations, seed, folder):
    """Play so many operations by chance; how many of each kind were done."""
    game, done = Game(seed, folder), dict.fromkeys(KINDS, 0)
    for operation in range(operations):
        try:
            done[game.apply_random_operation()] += 1
            assert text(game.session.stage) == game.model.current_text, "the document is another than the model's"
        except Exception as error:
            error.add_note(f"This was operation {operation} of seed {seed}.")
            raise
        if game.model.index == 0 and len(game.model.stages) == 1 and not game.session.stage.names:
            game.begin()
    game.session.close()
    return done
