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
        self.hub = Hub(self.session, Folder(folder), state)
        self._server = create_server(create_app(self.hub, self.token, "127.0.0.1", self.port, patience))
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

    def fetch(self, target="/", *, method="GET", headers=None, raw_headers=()):
        """One plain request with exactly these headers: (status, headers, text)."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        line.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
        for name, value in [*(headers or {"Host": self.host, "Cookie": self.cookie}).items(), *raw_headers]:
            line.putheader(name, value)
        line.endheaders()
        response = line.getresponse()
        text = response.read().decode()
        line.close()
        return response.status, dict(response.getheaders()), text

    def connect(self, **options):
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
        self._recent = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._line.__exit__(None, None, None)

    def send(self, do, **fields):
        """Send a message; its number."""
        self._number += 1
        self._recent.clear()
        self.socket.send(json.dumps({"do": do, "id": self._number, **fields}))
        return self._number

    def request(self, do, **fields):
        """Send a message and wait for its answer."""
        return self.wait_for_reply(self.send(do, **fields))

    def wait_for_reply(self, number):
        while True:
            update = self.receive()
            if isinstance(update, dict) and update["is"] in ("done", "refused") and update["id"] == number:
                return update

    def receive(self, timeout=None):
        """The next thing told, kept where it belongs."""
        data = self.socket.recv(self._patience if timeout is None else timeout)
        update = unpack_update(data) if isinstance(data, bytes) else json.loads(data)
        self._recent.append(update)
        kind = update["is"]
        if kind == "scene":
            self.scenes.append(update)
        elif kind == "curve":
            self.curves[update["actor"]] = update
        elif kind == "poses":
            self.poses.append(update)
        elif kind not in ("done", "refused"):
            self.notes.append(update)
        return update

    def receive_until(self, condition):
        """Something that fits: of what was told since the last message, or listened for."""
        for update in self._recent:
            if condition(update):
                return update
        while True:
            update = self.receive()
            if condition(update):
                return update


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
