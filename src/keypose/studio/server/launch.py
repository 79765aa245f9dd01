"""How is the studio opened? `preview(thing)` beside a running Python, `serve` as all that a process does."""

import asyncio
import gc
import os
import sys
import threading
import webbrowser
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from keypose.curves import MotionPath
from keypose.document import scene_object
from keypose.errors import KeyposeError, short_repr
from keypose.maths import load_kernels
from keypose.motion import Motion, Take
from keypose.stage import Actor, Stage

T = TypeVar("T")

LOCALHOST = "127.0.0.1"
PATH_DURATION = 2.0  # [s] a path alone is travelled
STARTUP_TIMEOUT = 30.0  # [s] to wait for the studio
MISSING_EXTRA_TEXT = "The studio needs more than is installed ({}). Get it with: pip install 'keypose[studio]'"


class Studio:
    """An open studio. `stage` is what it shows: reading it gives what was made there, setting it shows another.

    Setting is a step like any other: the pages follow at once, and it can be undone there.
    """

    url: str
    """What to open in a browser."""

    def __init__(self, thing: "Stage | Motion | MotionPath | Take", *, port: int = 0) -> None:
        self._server = StudioServer(as_stage(thing), None, LOCALHOST, port)
        self.url = self._server.url
        self._thread = threading.Thread(target=self._server.run, name="keypose studio", daemon=True)
        self._thread.start()

    @property
    def stage(self) -> Stage:
        """The scene as it is now."""
        return self._server.stage

    @stage.setter
    def stage(self, thing: "Stage | Motion | MotionPath | Take") -> None:
        """Show another scene."""
        self._server.set_stage(as_stage(thing))

    def wait(self) -> None:
        """Until every page has been told what was done so far and whoever takes ticks is shot: for pictures of it."""
        self._server.wait()

    @property
    def is_open(self) -> bool:
        """Whether pages can still come."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Close the studio; its pages say so."""
        self._server.close()
        self._thread.join(STARTUP_TIMEOUT)

    def __enter__(self) -> "Studio":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Studio: {self.url if self.is_open else 'closed'}>"


def preview(thing: "Stage | Motion | MotionPath | Take") -> Studio:
    """Open the studio on a stage, a motion, a path (travelled steadily in 2 s) or a take; prints its address.

    It goes on beside your Python until it ends or `close()` is called.
    """
    studio = Studio(thing)
    announce(studio.url, browser=True)
    return studio


def serve(
    scene: Path | None, *, example: str | None = None, host: str = LOCALHOST, port: int = 0, browser: bool = True
) -> None:
    """Open the studio on a scene file, on a copy of an example that has no file yet, or empty, until Ctrl+C."""
    if scene is not None and example is not None:
        raise KeyposeError(
            f"Both the scene {short_repr(str(scene))} and the example {short_repr(example)} were given. Give one."
        )
    server = StudioServer(Stage([]), scene, host, port, example)
    gc.collect()
    gc.freeze()  # what is loaded by now stays: looking through all of it again would hold up a hand that drags
    announce(server.url, browser)
    try:
        server.run()
    except KeyboardInterrupt:  # the usual way to end it
        print("\nThe studio is closed.", file=sys.stderr)  # noqa: T201


def as_stage(thing: object) -> Stage:
    """What is to be shown, as a stage."""
    match thing:
        case Stage():
            return thing
        case Take():
            return Stage([Actor(name, thing[name]) for name in thing.names])
        case Motion():
            return Stage([Actor("motion", thing)])
        case MotionPath():
            return Stage([Actor("path", Motion(thing, duration=PATH_DURATION))])
    raise KeyposeError(f"preview was given {short_repr(thing)}. Give a Stage, a Motion, a MotionPath or a Take.")


def announce(url: str, browser: bool) -> None:
    """Print the address, and open it where there is a browser to see."""
    print(f"The studio is open at {url}", flush=True)  # noqa: T201 - the one thing a person must be told
    if browser and _has_screen():
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()


def _has_screen() -> bool:
    """Whether somebody sits in front of this machine."""
    if os.environ.get("CI") or os.environ.get("KEYPOSE_NO_BROWSER"):
        return False
    if sys.platform in ("win32", "darwin"):
        return not os.environ.get("SSH_CONNECTION")
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class StudioServer:
    """A document with a server of its own."""

    def __init__(self, stage: Stage, file: Path | None, host: str, port: int, example_name: str | None = None) -> None:
        try:
            from keypose.studio.server.app import create_app, create_server, open_socket
            from keypose.studio.server.hub import Hub
            from keypose.studio.server.security import new_token, start_url
            from keypose.studio.session.app_state import state_folder
            from keypose.studio.session.examples import load_example, register_movers
            from keypose.studio.session.folder import Folder
            from keypose.studio.session.session import Session
        except ModuleNotFoundError as error:
            raise KeyposeError(MISSING_EXTRA_TEXT.format(error.name)) from None
        load_kernels()  # a dragging hand shall not wait for kernels to load
        register_movers()  # the scene may have been made from an example
        stage = stage if example_name is None else load_example(example_name)
        token = new_token()
        folder = Folder(Path.cwd() if file is None else file.resolve().parent)
        state = state_folder()
        session = Session(stage, state=state) if file is None else Session.from_file(file, state=state)
        self.hub = Hub(session, folder, state)
        self.socket = open_socket(host, port)
        port = self.socket.getsockname()[1]
        self._server = create_server(create_app(self.hub, token, host, port))
        self.url = start_url(host, port, token)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_up = threading.Event()

    @property
    def stage(self) -> Stage:
        """The stage of the open document."""
        return self.hub.session.stage

    def run(self) -> None:
        """Serve until closed."""
        try:
            asyncio.run(self._serve())
        finally:
            self._is_up.set()
            self.socket.close()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._is_up.set()
        await self._server.serve(sockets=[self.socket])

    def set_stage(self, stage: Stage) -> None:
        """Another scene, from another thread."""
        from keypose.studio.protocol.commands import SetScene

        message = SetScene(id=0, scene=_plain_scene(scene_object(stage)))

        async def apply() -> None:
            self.hub.apply(message)
            await self.hub.flush_journal()

        self._call_in_loop(apply)

    def wait(self) -> None:
        """Until all pages show all that was done so far, from another thread."""
        self._call_in_loop(self.hub.wait_idle, None)

    def close(self) -> None:
        """End, from another thread."""
        self._server.should_exit = True

    def _call_in_loop(self, call: Callable[[], Coroutine[None, None, T]], timeout: float | None = STARTUP_TIMEOUT) -> T:
        """Do something on the studio's own thread."""
        self._is_up.wait(STARTUP_TIMEOUT)
        if self._loop is None or self._loop.is_closed() or self._server.should_exit:
            raise KeyposeError("The studio is closed. Open it again with preview(stage).")

        return asyncio.run_coroutine_threadsafe(call(), self._loop).result(timeout)


def _plain_scene(scene: dict[str, Any]) -> dict[str, Any]:
    """A scene as its file would give it back: plain lists and numbers only."""
    import json

    from keypose.document import encode_value

    plain: dict[str, Any] = json.loads(b"".join(encode_value(scene)))
    return plain
