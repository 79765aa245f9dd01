"""How does the studio listen? One address for the page, one for what is said, both behind the guard."""

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from keypose.errors import KeyposeError, shown
from keypose.maths.inputs import number
from keypose.studio.server.client import Unanswerable, Visitor
from keypose.studio.server.hub import Workshop
from keypose.studio.server.outbox import PATIENCE, Unread, pump
from keypose.studio.server.security import Guard, hosts_of

PAGE = Path(__file__).with_name("page")
NOT_BUILT = "The studio's page was not built. Build it with: make studio (or: python tools/build_page.py)."
LARGEST_MESSAGE = 1 << 20  # [bytes]
MOST_PAGES = 32
LAST_PORT = 65535
NOT_A_MESSAGE, REFUSED, TRY_LATER = 1003, 1008, 1013
LONGEST_REASON = 120  # bytes: as much as fits into the end of a conversation


class Doorman:
    """Lets pages in, listens to each and tells it what it is to see."""

    def __init__(self, workshop: Workshop, patience: float = PATIENCE) -> None:
        self._workshop = workshop
        self._patience = patience

    async def live(self, websocket: WebSocket) -> None:
        """One page, from its coming to its going."""
        await websocket.accept()
        if len(self._workshop.pages) >= MOST_PAGES:
            await self._let_go(websocket, TRY_LATER, f"{MOST_PAGES} pages show this scene. Close one of them.")
            return
        visitor = Visitor(self._workshop)
        self._workshop.join(visitor)
        telling = asyncio.create_task(pump(visitor.outbox, websocket, self._patience))
        hearing = asyncio.create_task(_listen(visitor, websocket))
        try:
            await asyncio.wait([telling, hearing], return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._workshop.leave(visitor)
            for task in (telling, hearing):
                task.cancel()
            ends = await asyncio.gather(telling, hearing, return_exceptions=True)
        reasons = [str(end) for end in ends if isinstance(end, Unread)]
        if reasons:
            await self._let_go(websocket, REFUSED, reasons[0])
        elif unanswerable := [str(end) for end in ends if isinstance(end, Unanswerable)]:
            await self._let_go(websocket, NOT_A_MESSAGE, unanswerable[0])

    async def _let_go(self, websocket: WebSocket, code: int, reason: str) -> None:
        """Say why; whoever does not even read that is cut off."""
        said = reason.encode()[:LONGEST_REASON].decode("utf-8", "ignore")
        with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
            async with asyncio.timeout(self._patience):
                await websocket.close(code, said)


async def _listen(visitor: Visitor, websocket: WebSocket) -> None:
    """Hear a page until it goes."""
    while True:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        if text is None:
            raise Unanswerable("The studio understands words only, and was sent numbers. Reload the page.")
        visitor.hear(text)
        if visitor.lost is not None:
            raise Unread(visitor.lost)
        await asyncio.sleep(0)  # others have something to say too, however much this one sent at once


def application(workshop: Workshop, token: str, host: str, port: int, patience: float = PATIENCE) -> ASGIApp:
    """Everything the studio answers, behind the guard."""

    @contextlib.asynccontextmanager
    async def living(_: Starlette) -> AsyncIterator[None]:
        yield
        await workshop.close()

    doorman = Doorman(workshop, patience)
    page: Route | Mount = Mount("/", StaticFiles(directory=PAGE, html=True)) if _is_built() else Route("/", _not_built)
    inner = Starlette(routes=[WebSocketRoute("/live", doorman.live), page], lifespan=living)
    return Guard(inner, token, hosts_of(host, port), port)


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens already: whoever is told its address can come."""
    wanted = number(port, "A port")
    if not 0 <= wanted <= LAST_PORT or wanted != round(wanted):
        raise KeyposeError(f"There is no port {shown(port)}. Give a whole number from 0 to {LAST_PORT}, 0 for any.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small messages at once only on sockets that say they are TCP; else each waits 40 ms for the next.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere it would let two studios have one port
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, round(wanted)))
        made.listen(64)
    except OSError as error:
        made.close()
        where = f"{shown(host)}, port {round(wanted)}"
        told = f"The studio cannot listen on {where}: {error.strerror or error}. Give another port, or 0 for any."
        raise KeyposeError(told) from None
    return made


def server_of(app: ASGIApp) -> uvicorn.Server:
    """What runs the application; it writes no log of its own."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            ws="websockets-sansio",
            ws_max_size=LARGEST_MESSAGE,
            ws_per_message_deflate=False,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=2,
            lifespan="on",
        )
    )


def _is_built() -> bool:
    return (PAGE / "index.html").is_file()


async def _not_built(_: Request) -> Response:
    return PlainTextResponse(NOT_BUILT, status_code=503)
