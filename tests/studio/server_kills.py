"""What is left when a whole studio is killed? `keypose studio` as a process of its own, with a page that is at work.

A page sends many messages without waiting for answers; after some of these the process is killed. At the next start
there must be what the last answer acknowledged, or what was under way then; it is taken up, and the page goes on.
"""

import os
import signal
import sys
import time
import traceback
import urllib.parse
import warnings
from contextlib import suppress
from random import Random

import msgspec
from websockets.exceptions import ConnectionClosed

from keypose import KeyposeError, Stage, save
from keypose.studio.protocol import commands
from keypose.studio.server.launch import serve
from keypose.studio.session.recovery import find_recoverable, stage_from_scene
from keypose.studio.session.session import Session
from tests.studio import random_edits
from tests.studio.scenes import mixed_stage, text
from tests.studio.studio_client import StudioClient

MESSAGES_PER_LIFE = 24  # messages in a life
MAX_KILL_DELAY = 0.05  # [s] from an answer to the end
TEST_ONLY_ACTORS = ("shade",)  # a mover that only these tests know


def kill_servers(times, seed, folder, progress=lambda done, total: None):
    """Kill so many studios; how many messages were acknowledged, and how many lives ended with something to recover."""
    random, messages, recovered = Random(seed), 0, 0
    stage = Stage([actor for actor in mixed_stage().actors if actor.name not in TEST_ONLY_ACTORS])
    save(stage, folder / "scene.json")
    for life in range(times):
        with Studio(folder, warm=life > 0) as studio, studio.connect() as client:
            acknowledged, documents = _run_until_killed(random, studio, client, stage)
        messages += acknowledged
        found = find_recoverable(folder / "state")
        recovered += bool(found)
        current = text(stage_from_scene(found[0].scene)) if found else (folder / "scene.json").read_bytes()
        matching = [document for document in documents[acknowledged:] if text(document) == current]
        assert matching, f"life {life} of seed {seed}: an acknowledged edit is lost"
        stage = matching[0]
        progress(life + 1, times)
    with Studio(folder) as studio, studio.connect() as client:
        _recover_unsaved(client)
        assert client.request("save")["is"] == "done"
        assert (folder / "scene.json").read_bytes() == text(stage)
    return messages, recovered


class Studio:
    """A studio that runs until it is killed: the command, or quicker, a fork of this warm process."""

    def __init__(self, folder, *, warm=True):
        environment = {**os.environ, "KEYPOSE_STATE": str(folder / "state"), "KEYPOSE_NO_BROWSER": "1"}
        reading, writing = os.pipe()
        self._pid = (_fork_server if warm else _spawn_command)(folder, environment, writing)
        os.close(writing)
        with os.fdopen(reading) as printed:
            address = urllib.parse.urlsplit(printed.readline().split()[-1])
        self.host, self.origin = address.netloc, f"http://{address.netloc}"
        self.cookie = f"keypose-{address.port}={urllib.parse.parse_qs(address.query)['token'][0]}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def connect(self):
        return StudioClient(self)

    def kill(self):
        """SIGKILL, as the kernel does it when memory is short."""
        if self._pid is not None:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            self._pid = None


def _spawn_command(folder, environment, writing):
    """The number of a new process: what a person has who types the command."""
    command = [sys.executable, "-m", "keypose.cli", "studio", str(folder / "scene.json")]
    return os.posix_spawn(sys.executable, command, environment, file_actions=[(os.POSIX_SPAWN_DUP2, writing, 1)])


def _fork_server(folder, environment, writing):
    """The number of a new process that does as the command does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks with threads
        pid = os.fork()
    if pid:
        return pid
    try:
        os.environ.update(environment)
        os.dup2(writing, 1)
        sys.stdout = os.fdopen(1, "w")
        serve(folder / "scene.json")
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(1)


def _run_until_killed(random, studio, client, stage):
    """How many messages were acknowledged before the end, and the documents before the first and after each."""
    if random.random() < 0.1:  # it ends while what was not saved is being taken up
        client.send("recover", take=True)
        time.sleep(random.random() * MAX_KILL_DELAY)
        studio.kill()
        return 0, [stage]
    _recover_unsaved(client)
    model, documents, sent = Session(stage), [stage], []
    for _ in range(MESSAGES_PER_LIFE):
        message = _message(random, model)
        refused = False
        try:
            if not isinstance(message, commands.Save):
                model.apply(message)
        except KeyposeError:
            refused = True
        documents.append(model.stage)
        fields = msgspec.to_builtins(message)
        del fields["id"]
        sent.append((client.send(**fields), "refused" if refused else "done"))
    return _kill_after_replies(random, studio, client, dict(sent)), documents


def _message(random, model):
    """What a page says next, in a life in which the model is what it sees."""
    choice = random.random()
    if choice < 0.06:
        return commands.Save(id=0)
    if choice < 0.2 and model.steps.undo is not None:
        return commands.Undo(id=0)
    if choice < 0.4:
        return commands.MoveKeys(id=0, actor="table", keys=(0,), by=(choice, random.random(), 0), gesture="drag")
    return random_edits.edit(random, model.stage)


def _kill_after_replies(random, studio, client, sent):
    """Kill the studio after some of its answers; how many of the messages are acknowledged by then."""
    replies, reply_count = {}, random.randrange(len(sent))
    while len(replies) < reply_count:
        _receive(client, replies)
    time.sleep(random.random() ** 2 * MAX_KILL_DELAY)
    studio.kill()
    with suppress(ConnectionClosed):  # what it said before is still on its way
        while True:
            _receive(client, replies)
    assert replies == {number: sent[number] for number in replies}
    numbers = list(sent)
    return max((numbers.index(number) + 1 for number, reply in replies.items() if reply == "done"), default=0)


def _receive(client, replies):
    reply = client.receive()
    if reply["is"] in ("done", "refused"):
        replies[reply["id"]] = reply["is"]


def _recover_unsaved(client):
    """Take up what was not saved, if there is anything."""
    client.request("ping")
    if client.notes[0]["recovery"] is not None:
        assert client.request("recover", take=True)["is"] == "done"
