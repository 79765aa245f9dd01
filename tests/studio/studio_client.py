"""A real studio on loopback, and a page that is not a browser: what it sends is what it wants to send."""

import asyncio
import http.client
import json
import threading
from contextlib import contextmanager

import numpy as np
from websockets.sync.client import connect

from keypose.studio.server.app import create_app, create_server, open_socket
from keypose.studio.server.hub import Hub
from keypose.studio.server.security import new_token
from keypose.studio.session.folder import Folder
from keypose.studio.session.session import Session

TIMEOUT = 120.0  # [s] with whoever is slow; nobody waits so long who is not waited for in vain


class ServedStudio:
    """A studio that runs in a thread of this process."""

    def __init__(self, stage, folder, *, file=None, patience=TIMEOUT, state=None):
        self.token = new_token()
        self.folder = folder
        self._socket = open_socket("127.0.0.1", 0)
        self.port = self._socket.getsockname()[1]
        self.session = Session(stage, file=file, state=state)
        self.workshop = Hub(self.session, Folder(folder), state)
        self._server = create_server(create_app(self.workshop, self.token, "127.0.0.1", self.port, patience))
        self._thread = threading.Thread(target=lambda: asyncio.run(self._server.serve(sockets=[self._socket])))
        self._thread.start()

    @property
    def host(self):
        return f"127.0.0.1:{self.port}"

    @property
    def origin(self):
        return f"http://{self.host}"

    @property
    def cookie(self):
        return f"keypose-{self.port}={self.token}"

    def close(self):
        self._server.should_exit = True
        self._thread.join(TIMEOUT)
        self._socket.close()
        assert not self._thread.is_alive()

    def ask(self, target="/", *, method="GET", headers=None, raw_headers=()):
        """One plain request with exactly these headers: (status, headers, text)."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        line.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
        for name, value in [*(headers or {"Host": self.host, "Cookie": self.cookie}).items(), *raw_headers]:
            line.putheader(name, value)
        line.endheaders()
        answer = line.getresponse()
        text = answer.read().decode()
        line.close()
        return answer.status, dict(answer.getheaders()), text

    def visit(self, **options):
        return StudioClient(self, **options)


class StudioClient:
    """A page: sends messages, hears answers, and keeps what it was shown."""

    def __init__(self, studio, *, cookie=None, origin=None, patience=TIMEOUT, **options):
        headers = {"Cookie": studio.cookie if cookie is None else cookie}
        origin = studio.origin if origin is None else origin
        self._line = connect(
            f"ws://{studio.host}/live",
            origin=origin or None,
            additional_headers=headers,
            compression=None,
            max_size=None,
            **{"open_timeout": TIMEOUT, "ping_interval": None, **options},
        )
        self.socket = self._line.__enter__()
        self.scenes, self.curves, self.poses, self.notes = [], {}, [], []
        self._number, self._patience = 0, patience
        self._lately = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._line.__exit__(None, None, None)

    def say(self, do, **said):
        """Send a message; its number."""
        self._number += 1
        self._lately.clear()
        self.socket.send(json.dumps({"do": do, "id": self._number, **said}))
        return self._number

    def ask(self, do, **said):
        """Send a message and wait for its answer."""
        return self.reply_to(self.say(do, **said))

    def reply_to(self, number):
        while True:
            heard = self.hear()
            if isinstance(heard, dict) and heard["is"] in ("done", "refused") and heard["id"] == number:
                return heard

    def hear(self, timeout=None):
        """The next thing told, kept where it belongs."""
        told = self.socket.recv(self._patience if timeout is None else timeout)
        heard = unpack_update(told) if isinstance(told, bytes) else json.loads(told)
        self._lately.append(heard)
        kind = heard["is"]
        if kind == "scene":
            self.scenes.append(heard)
        elif kind == "curve":
            self.curves[heard["actor"]] = heard
        elif kind == "poses":
            self.poses.append(heard)
        elif kind not in ("done", "refused"):
            self.notes.append(heard)
        return heard

    def receive_until(self, wanted):
        """Something that fits: of what was told since the last message, or listened for."""
        for heard in self._lately:
            if wanted(heard):
                return heard
        while True:
            heard = self.hear()
            if wanted(heard):
                return heard


def unpack_update(data):
    """A binary message as its head, with arrays by name."""
    size = int.from_bytes(data[:4], "little")
    head = json.loads(data[4 : 4 + size])
    numbers = np.frombuffer(data, "<f4", offset=4 + size)
    for array in head.pop("arrays"):
        count = int(np.prod(array["shape"]))
        head[array["name"]] = numbers[array["begin"] : array["begin"] + count].reshape(array["shape"])
    return head


@contextmanager
def serve_stage(stage, folder, **options):
    studio = ServedStudio(stage, folder, **options)
    try:
        yield studio
    finally:
        studio.close()
