"""Does the session keep its history? Played against a model that is nothing but a list of messages and of bytes.

The model applies every message itself and keeps the document's bytes at each place of the history. After every
operation the session must hold the same bytes, whether it was done, undone, refused, saved, opened again or recovered
from its journal, and whoever of two clients did it.
"""

from functools import partial
from random import Random

from keypose import KeyposeError, load
from keypose.document.scene import read
from keypose.studio import messages as say
from keypose.studio.edits import edited
from keypose.studio.recovery import recoverable
from keypose.studio.session import MEANWHILE, MOST_STEPS, Session
from tests.studio import chance
from tests.studio.scenes import cast, text

UNDO, REDO = say.Undo(id=0), say.Redo(id=0)


class Model:
    """A list of messages, the stage and the bytes after each, and a place in it."""

    def __init__(self, stage):
        self.stages, self.texts, self.messages, self.place = [stage], [text(stage)], [], 0
        self.aside = None, ([], [], [])

    @property
    def now(self):
        return self.texts[self.place]

    def do(self, message):
        messages, at = self.messages[: self.place], self.place
        same = [i for i, one in enumerate(messages) if message.gesture is not None and one.gesture == message.gesture]
        if same and same[-1] >= self.place - MEANWHILE:
            at = same[-1]
        messages[at : at + 1] = [message]
        stages, texts = self.stages[: at + 1], self.texts[: at + 1]
        for one in messages[at:]:
            made, _ = edited(stages[-1], one)
            stages.append(made)
            texts.append(text(made))
        if at == self.place:
            undone = self.messages[at:], self.stages[at + 1 :], self.texts[at + 1 :]
            self.aside = message.gesture, undone
        self.messages, self.stages, self.texts, self.place = messages, stages, texts, len(messages)
        if len(messages) > MOST_STEPS:
            self.messages, self.stages, self.texts = messages[1:], stages[1:], texts[1:]
            self.place -= 1

    def cancel(self, gesture):
        """The messages without those of a gesture, played again from where it began."""
        messages = self.messages[: self.place]
        same = [i for i, one in enumerate(messages) if one.gesture == gesture]
        if same and same[-1] >= self.place - MEANWHILE:
            at = same[-1]
            stages, texts = self.stages[: at + 1], self.texts[: at + 1]
            for one in messages[at + 1 :]:
                made, _ = edited(stages[-1], one)
                stages.append(made)
                texts.append(text(made))
            is_last = at == self.place - 1 and self.aside[0] == gesture
            undone = self.aside[1] if is_last else ([], [], [])
            del messages[at]
            self.place = len(messages)
            self.messages, self.stages, self.texts = (
                now + again for now, again in zip((messages, stages, texts), undone, strict=True)
            )

    def undo(self):
        self._go(self.place - 1)

    def redo(self):
        self._go(self.place + 1)

    def _go(self, place):
        if not 0 <= place < len(self.texts):
            raise KeyposeError("There is nothing there.")
        self.place = place


class Client:
    """One of those at the desk: has a gesture going on now and then."""

    def __init__(self, name):
        self.name, self.count, self.dragged = name, 0, None

    def message(self, random, stage):
        if self.dragged is None and random.random() < 0.15:
            self.count += 1
            name = chance.actor(random, stage)
            self.dragged = name, chance.some_key(random, stage, name), f"{self.name}{self.count}"
        if self.dragged is None:
            return chance.edit(random, stage)
        message = chance.drag(random, *self.dragged)
        if random.random() < 0.3:
            self.dragged = None
        return message

    def call_off(self):
        """The name of its last gesture, which is over now."""
        self.dragged = None
        return f"{self.name}{self.count}"


def play(operations, seed, folder):
    """Play so many operations by chance; how many were done and how many refused."""
    random = Random(seed)
    state, file = folder / "state", folder / "scene.json"
    session, model = Session(cast(), state=state), Model(cast())
    clients = [Client("a"), Client("b")]
    done = {"edits": 0, "refused": 0, "undone": 0, "cancelled": 0, "redone": 0, "saved": 0, "recovered": 0}
    for operation in range(operations):
        what = random.random()
        if what < 0.03:
            gesture = random.choice(clients).call_off()
            message = say.CancelGesture(id=0, gesture=gesture)
            done["cancelled" if _both(partial(session.do, message), partial(model.cancel, gesture)) else "refused"] += 1
        elif what < 0.8:
            message = random.choice(clients).message(random, model.stages[model.place])
            done["edits" if _both(partial(session.do, message), partial(model.do, message)) else "refused"] += 1
        elif what < 0.91:
            done["undone" if _both(partial(session.do, UNDO), model.undo) else "refused"] += 1
        elif what < 0.985:
            done["redone" if _both(partial(session.do, REDO), model.redo) else "refused"] += 1
        elif what < 0.995:
            session.save(file)
            assert file.read_bytes() == model.now
            if random.random() < 0.5:
                session.close()
                session, model = Session.opened(file, state=state), Model(load(file))
            done["saved"] += 1
        else:
            session, model = _crash(session, model, state), Model(read(model.now))
            done["recovered"] += 1
        assert text(session.stage) == model.now, f"operation {operation} of seed {seed}"
        if model.place == 0 and len(model.stages) == 1 and not session.stage.names:
            session, model = Session(cast(), state=state), Model(cast())
    session.close()
    return done


def _both(one, two):
    """Do the same twice; whether it was done, which both must agree about."""
    outcomes = []
    for way in (one, two):
        try:
            way()
            outcomes.append(None)
        except KeyposeError as error:
            outcomes.append(error)
    assert (outcomes[0] is None) == (outcomes[1] is None), outcomes
    return outcomes[0] is None


def _crash(session, model, state):
    """The session of the next start: nothing of what was done may be missing."""
    was_saved = session.is_saved
    if session._journal is not None:
        session._journal.close()
    found = recoverable(state)
    if was_saved:
        assert not found
        return Session(read(model.now), state=state)
    again = Session.recovered(found[0], state=state)
    assert text(again.stage) == model.now
    again.close()
    for one in recoverable(state):
        one.journal.unlink()
    return Session(read(model.now), state=state)
