"""Who may talk to the studio? Only pages it served itself, to whoever was given this run's secret.

A browser runs pages of strangers too, and any of them can send requests to this machine. So a request must name us
exactly (Host: no foreign name that was made to lead here), a page that speaks must be ours (Origin), and it must know
a secret (a token in the first address, exchanged at once for a cookie that no script and no other site can read).
"""

import secrets
import socket
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

READ_METHODS = ("GET", "HEAD")
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
ANY_HOST = ("0.0.0.0", "::", "")


class Guard:
    """Stands before the application: what is not addressed to us, not from our page or without the secret, is refused.

    `hosts` are the names under which the studio is reached, with the port.
    """

    def __init__(self, app: ASGIApp, token: str, hosts: Iterable[str], port: int) -> None:
        self._app = app
        self._token = token
        self._hosts = frozenset(hosts)
        self._cookie = f"keypose-{port}"  # cookies do not tell ports apart, and there may be several studios

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        rejection = self._rejection(scope)
        if rejection is None:
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "http" or "websocket.http.response" in scope.get("extensions", {}):
            await rejection(scope, receive, _with_headers(send))
        else:
            await send({"type": "websocket.close", "code": 1008, "reason": "Refused."})

    def _rejection(self, scope: Scope) -> Response | None:
        """What to say to a request that shall not come through; None lets it through."""
        headers = Headers(scope=scope)
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return _refusal(421, "This is not the address of the studio. Use the one it printed.")
        is_read = scope["type"] == "http" and scope["method"] in READ_METHODS
        if (origins or not is_read) and origins != [f"http://{hosts[0].lower()}"]:
            return _refusal(403, "Only the studio's own page may do this. Open the address it printed.")
        if (
            scope["type"] == "http"
            and is_read
            and (given := parse_qs(scope["query_string"].decode("latin-1")).get("token"))
        ):
            return self._exchange_token(given, scope)
        if not self._has_valid_cookie(headers):
            return _refusal(403, "The studio does not know this browser. Open the whole address it printed.")
        return None

    def _exchange_token(self, given: list[str], scope: Scope) -> Response:
        """A cookie in place of the token, and an address that can be shown to anybody."""
        if len(given) != 1 or not _equal_secrets(given[0], self._token):
            return _refusal(403, "This token is of another run of the studio. Open the address it printed last.")
        redirect = RedirectResponse("/", status_code=303)
        redirect.set_cookie(self._cookie, self._token, httponly=True, samesite="strict", path="/")
        return redirect

    def _has_valid_cookie(self, headers: Headers) -> bool:
        found: list[str] = []
        for line in headers.getlist("cookie"):
            try:
                cookies = SimpleCookie(line)
            except CookieError:
                continue
            found += [cookies[self._cookie].value] if self._cookie in cookies else []
        return len(found) == 1 and _equal_secrets(found[0], self._token)


def new_token() -> str:
    """A secret for one run."""
    return secrets.token_urlsafe(32)


def start_url(host: str, port: int, token: str) -> str:
    """What to open in a browser."""
    return f"http://{url_host(host)}:{port}/?{urlencode({'token': token})}"


def url_host(host: str) -> str:
    """How a host that is listened on is written in an address."""
    if host in ANY_HOST:
        return LOOPBACK[0]
    return f"[{host}]" if ":" in host else host


def allowed_hosts(host: str, port: int) -> frozenset[str]:
    """The names a browser may use for what listens on `host`: those of this machine, never what a request claims."""
    names = {url_host(host).lower()}
    if host in (*ANY_HOST, "127.0.0.1", "localhost", "::1"):
        names |= set(LOOPBACK)
    if host in ANY_HOST:
        names |= _machine_names()
    with_port = {f"{name}:{port}" for name in names}
    return frozenset(with_port | names if port == 80 else with_port)


def _machine_names() -> set[str]:
    name = socket.gethostname().lower()
    try:
        found = {str(address[4][0]) for address in socket.getaddrinfo(name, None)}
    except OSError:
        found = set()
    return {name} | {f"[{one}]" if ":" in one else one for one in found}


def _equal_secrets(given: str, expected: str) -> bool:
    """Compared in a time that tells nothing about how much of it is right."""
    return secrets.compare_digest(given.encode("utf-8", "surrogatepass"), expected.encode())


def _refusal(status: int, sentence: str) -> Response:
    return PlainTextResponse(sentence, status_code=status)


def _with_headers(send: Send) -> Send:
    """Whatever is answered carries the headers that keep a browser careful."""
    added = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def send_with_headers(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            own = {name for name, _ in added}
            other_headers = [(name, value) for name, value in message.get("headers", []) if name.lower() not in own]
            message = {**message, "headers": other_headers + added}
        await send(message)

    return send_with_headers
