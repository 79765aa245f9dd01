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

from keypose.errors import KeyposeError, short_repr
from keypose.maths import parse_number
from keypose.studio.server.client import Client, InvalidMessage
from keypose.studio.server.hub import Hub
from keypose.studio.server.outbox import SEND_TIMEOUT, ClientTimeout, send_loop
from keypose.studio.server.security import Guard, allowed_hosts

PAGE_FOLDER = Path(__file__).resolve().parents[1] / "page"
NOT_BUILT_TEXT = "The studio's page was not built. Build it with: make studio (or: python tools/build_page.py)."
MAX_MESSAGE_SIZE = 1 << 20  # [bytes]
MAX_CLIENTS = 32
MAX_PORT = 65535
CLOSE_UNSUPPORTED, CLOSE_POLICY, CLOSE_TRY_LATER = 1003, 1008, 1013
MAX_REASON_SIZE = 120  # bytes: as much as fits into the end of a conversation


class ClientEndpoint:
    """Lets pages in, listens to each and tells it what it is to see."""

    def __init__(self, hub: Hub, timeout: float = SEND_TIMEOUT) -> None:
        self._hub = hub
        self._timeout = timeout

    async def serve_client(self, websocket: WebSocket) -> None:
        """One page, from its coming to its going."""
        await websocket.accept()
        if len(self._hub.clients) >= MAX_CLIENTS:
            await self._close(websocket, CLOSE_TRY_LATER, f"{MAX_CLIENTS} pages show this scene. Close one of them.")
            return
        client = Client(self._hub)
        self._hub.add_client(client)
        send_task = asyncio.create_task(send_loop(client.outbox, websocket, self._timeout))
        receive_task = asyncio.create_task(_receive_loop(client, websocket))
        try:
            await asyncio.wait([send_task, receive_task], return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._hub.remove_client(client)
            for task in (send_task, receive_task):
                task.cancel()
            results = await asyncio.gather(send_task, receive_task, return_exceptions=True)
        reasons = [str(result) for result in results if isinstance(result, ClientTimeout)]
        if reasons:
            await self._close(websocket, CLOSE_POLICY, reasons[0])
        elif invalid := [str(result) for result in results if isinstance(result, InvalidMessage)]:
            await self._close(websocket, CLOSE_UNSUPPORTED, invalid[0])

    async def _close(self, websocket: WebSocket, code: int, reason: str) -> None:
        """Say why; whoever does not even read that is cut off."""
        short_reason = reason.encode()[:MAX_REASON_SIZE].decode("utf-8", "ignore")
        with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
            async with asyncio.timeout(self._timeout):
                await websocket.close(code, short_reason)


async def _receive_loop(client: Client, websocket: WebSocket) -> None:
    """Hear a page until it goes."""
    while True:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        if text is None:
            raise InvalidMessage("The studio understands words only, and was sent numbers. Reload the page.")
        client.receive(text)
        if client.disconnect_reason is not None:
            raise ClientTimeout(client.disconnect_reason)
        await asyncio.sleep(0)  # others have something to say too, however much this one sent at once


def create_app(hub: Hub, token: str, host: str, port: int, timeout: float = SEND_TIMEOUT) -> ASGIApp:
    """Everything the studio answers, behind the guard."""

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await hub.close()

    endpoint = ClientEndpoint(hub, timeout)
    page_route: Route | Mount = (
        Mount("/", StaticFiles(directory=PAGE_FOLDER, html=True)) if _has_page() else Route("/", _missing_page_response)
    )
    inner = Starlette(routes=[WebSocketRoute("/live", endpoint.serve_client), page_route], lifespan=lifespan)
    return Guard(inner, token, allowed_hosts(host, port), port)


def open_socket(host: str, port: int) -> socket.socket:
    """A socket that listens already: whoever is told its address can come."""
    port_number = parse_number(port, "A port")
    if not 0 <= port_number <= MAX_PORT or port_number != round(port_number):
        raise KeyposeError(f"There is no port {short_repr(port)}. Give a whole number from 0 to {MAX_PORT}, 0 for any.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small messages at once only on sockets that say they are TCP; else each waits 40 ms for the next.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere it would let two studios have one port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, round(port_number)))
        listener.listen(64)
    except OSError as error:
        listener.close()
        address = f"{short_repr(host)}, port {round(port_number)}"
        text = f"The studio cannot listen on {address}: {error.strerror or error}. Give another port, or 0 for any."
        raise KeyposeError(text) from None
    return listener


def create_server(app: ASGIApp) -> uvicorn.Server:
    """What runs the application; it writes no log of its own."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            ws="websockets-sansio",
            ws_max_size=MAX_MESSAGE_SIZE,
            ws_per_message_deflate=False,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=2,
            lifespan="on",
        )
    )


def _has_page() -> bool:
    return (PAGE_FOLDER / "index.html").is_file()


async def _missing_page_response(_: Request) -> Response:
    return PlainTextResponse(NOT_BUILT_TEXT, status_code=503)
