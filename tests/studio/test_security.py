"""Hostile requests: refused with a reason, and the document is as it was."""

import json
import re
import struct

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from keypose import Actor, Motion, MotionPath, Stage, save
from keypose.studio.server.security import allowed_hosts
from tests.studio.studio_client import serve_stage

STAGE = Stage([Actor("red", Motion(MotionPath([(0, 0, 0), (1, 1, 0), (2, 0, 0)]), duration=2.0))])


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    folder = tmp_path_factory.mktemp("desk")
    outside = tmp_path_factory.mktemp("outside")
    save(STAGE, outside / "secret.json")
    save(STAGE, folder / "walk.json")
    (folder / "package.json").write_text('{"name": "somebody else\'s"}')
    (folder / "data.csv").write_text("a,b\n1,2\n")
    for ending in (".json", ".csv", ".npz"):
        (folder / f"link{ending}").symlink_to(outside / f"secret{ending}")
        (folder / f"disguised{ending}").symlink_to(folder / "notes.txt")
    (folder / "away").symlink_to(outside)
    (folder / "sub").mkdir()
    with serve_stage(STAGE, folder) as running:
        running.outside = outside
        yield running


@pytest.fixture(autouse=True)
def assert_unchanged(studio):
    before = studio.session.stage, studio.session.revision, sorted(studio.folder.iterdir())
    yield
    assert (studio.session.stage, studio.session.revision, sorted(studio.folder.iterdir())) == before
    assert [one.name for one in studio.outside.iterdir()] == ["secret.json"]


# ---- by address ------------------------------------------------------------------------------------------------------


def test_token_is_exchanged_for_an_http_only_cookie_and_removed_from_the_address(studio):
    status, headers, _ = studio.fetch(f"/?token={studio.token}", headers={"Host": studio.host})
    assert (status, headers["location"]) == (303, "/")
    cookie = headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert studio.fetch()[0] in (200, 503)  # 503 in a checkout whose page was not built


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example:{port}",
    "evil.example:{port}", "user@127.0.0.1:{port}", "127.0.0.1:{port}@evil.example", "0.0.0.0:{port}", ""])  # fmt: skip
def test_a_request_to_another_host_is_misdirected(studio, host):
    headers = {"Host": host.format(port=studio.port), "Cookie": studio.cookie}
    status, _, text = studio.fetch(headers=headers)
    assert status in (400, 421)
    assert status == 400 or "address" in text


def test_a_request_without_host_or_with_two_is_refused(studio):
    assert studio.fetch(headers={"Cookie": studio.cookie})[0] in (400, 421)
    both = {"Host": studio.host, "Cookie": studio.cookie}
    assert studio.fetch(headers=both, raw_headers=[("Host", "evil.example")])[0] in (400, 421)


def test_loopback_has_three_host_names_only(studio):
    assert allowed_hosts("127.0.0.1", 7) == {"127.0.0.1:7", "localhost:7", "[::1]:7"}
    assert allowed_hosts("10.1.2.3", 7) == {"10.1.2.3:7"}
    assert studio.fetch(headers={"Host": f"LocalHost:{studio.port}", "Cookie": studio.cookie})[0] in (200, 503)


@pytest.mark.parametrize("cookie", ["", "keypose-{port}=", "keypose-{port}=wrong", "keypose={token}", "{token}",
    "keypose-{port}={token}x", "keypose-{port}={token}; keypose-{port}=x", "keypose-{port}=\u00fc",
    "=;=;,\\"])  # fmt: skip
def test_request_without_the_secret_cookie_is_refused(studio, cookie):
    value = cookie.format(port=studio.port, token=studio.token)
    for target in ("/", "/index.html", "/nothing", "/live"):
        assert studio.fetch(target, headers={"Host": studio.host, "Cookie": value})[0] == 403
    with pytest.raises(InvalidStatus, match="403"):
        studio.connect(cookie=value.encode("ascii", "ignore").decode())


@pytest.mark.parametrize("token", ["", "x", "%00", "wrong&token={token}", "{token}&token={token}", "%C3%BC"])
def test_a_wrong_token_gives_no_cookie(studio, token):
    status, headers, text = studio.fetch(f"/?token={token.format(token=studio.token)}", headers={"Host": studio.host})
    assert status == 403
    assert "set-cookie" not in headers
    assert studio.token not in text


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1",
    "http://127.0.0.1:{port}.evil.example", "http://localhost:{port}", "http://127.0.0.1:{port}/",
    "file://"])  # fmt: skip
def test_foreign_origin_is_refused_even_with_the_secret(studio, origin):
    value = origin.format(port=studio.port)
    with pytest.raises(InvalidStatus, match="403"):
        studio.connect(origin=value)
    headers = {"Host": studio.host, "Cookie": studio.cookie, "Origin": value}
    for method in ("GET", "POST", "PUT", "DELETE", "OPTIONS"):
        assert studio.fetch(method=method, headers=headers)[0] == 403


def test_request_without_an_origin_is_read_only(studio):
    with pytest.raises(InvalidStatus, match="403"):
        studio.connect(origin="")
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        assert studio.fetch(method=method)[0] == 403


def test_a_websocket_to_another_host_is_misdirected(studio):
    foreign = {"Host": "evil.example", "Origin": "http://evil.example", "Cookie": studio.cookie}
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    key = {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    assert studio.fetch("/live", headers={**foreign, **upgrade, **key})[0] == 421
    assert studio.fetch("/live", headers={**foreign, **upgrade, **key, "Host": studio.host})[0] == 403


@pytest.mark.parametrize("target", ["/", "/nothing", "/?token=x"])
def test_every_response_has_security_headers(studio, target):
    _, headers, _ = studio.fetch(target)
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:")
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize("target", ["/../session.py", "/%2e%2e/session.py", "/..%2fsession.py", "/%00", "//etc/passwd",
    "/..\\session.py", "/%c0%ae%c0%ae/session.py", "/.%2e/messages.py"])  # fmt: skip
def test_no_url_escapes_the_page_folder(studio, target):
    status, _, text = studio.fetch(target)
    assert status in (400, 404, 405, 503)
    assert "import" not in text
    assert "root:" not in text


# ---- by file name ----------------------------------------------------------------------------------------------------

OUTSIDE_NAMES = ["/etc/passwd.json", "../outside.json", "sub/../../x.json", "away/secret.json", "link.json", "x\0.json",
    "%2e%2e/x.json", "%2e%2e%2fx.json", "%252e%252e%252fx.json", "..\\x.json", "C:\\x.json", "C:x.json", "./x.json",
    "~/x.json", "sub//x.json", ".hidden.json", ".git/config.json", "x.json/", "x\n.json", "x" * 300 + ".json",
    "\\\\server\\share\\x.json", "disguised.json", "x.txt", "json", "file:///x.json", "\u202ex.json",
    "\u00fc" * 150 + ".json"]  # fmt: skip


@pytest.mark.parametrize("name", OUTSIDE_NAMES)
def test_no_file_name_escapes_the_scene_folder(studio, name):
    with studio.connect() as client:
        assert client.request("open", file=name)["is"] == "refused"
        reply = client.request("save", file=name)
        assert reply["is"] == "refused"
        assert re.search(r"folder|hidden|ending|end in|named|link|letters", reply["reason"])
        for ending in (".csv", ".npz"):
            assert client.request("export", file=name.replace(".json", ending))["is"] == "refused"


def test_foreign_files_are_not_overwritten_by_save_or_export(studio):
    with studio.connect() as client:
        assert "something else" in client.request("save", file="package.json")["reason"]
        assert "something else" in client.request("export", file="data.csv")["reason"]
    assert (studio.folder / "data.csv").read_text() == "a,b\n1,2\n"


# ---- by message ------------------------------------------------------------------------------------------------------

MESSAGES_WITHOUT_ID = [
    "", "{", "[]", "null", "42", '"x"', "{}", '{"do": "undo"}', '{"do": "undo", "id": -1}', "\ufeff{}",
    '{"do": "undo", "id": "1"}', '{"do": "undo", "id": 1e99}', '{"id": 1', "[" * 100_000, "NaN", "'\u0000'",
    '{"do": "undo", "id": ' + "9" * 5000 + "}"]  # fmt: skip


@pytest.mark.parametrize("text", MESSAGES_WITHOUT_ID, ids=range(len(MESSAGES_WITHOUT_ID)))
def test_malformed_message_closes_the_connection_with_reason(studio, text):
    with studio.connect() as client:
        client.socket.send(text)
        with pytest.raises(ConnectionClosed) as ended:
            client.receive_until(lambda ids: False)
    assert ended.value.rcvd.code == 1003
    assert "does not understand" in ended.value.rcvd.reason


INVALID_COMMANDS = [
    {"do": "explode"},
    {},
    {"do": "undo", "more": 1},
    {"do": "move_keys", "actor": "red", "keys": [0]},
    {"do": "move_keys", "actor": "red", "keys": [], "by": [0, 0, 0]},
    {"do": "move_keys", "actor": "red", "keys": [0], "by": [0, 0]},
    {"do": "move_keys", "actor": "red", "keys": [99], "by": [0, 0, 0]},
    {"do": "move_keys", "actor": "red", "keys": [-1], "by": [0, 0, 0]},
    {"do": "move_keys", "actor": "nobody", "keys": [0], "by": [0, 0, 0]},
    {"do": "move_keys", "actor": "", "keys": [0], "by": [0, 0, 0]},
    {"do": "move_keys", "actor": 7, "keys": [0], "by": [0, 0, 0]},
    {"do": "move_keys", "actor": "red", "keys": [0], "by": [1e308, 1e308, 1e308]},
    {"do": "set_keys", "actor": "red", "keys": [0], "changes": {"tenison": 1}},
    {"do": "set_keys", "actor": "red", "keys": [0], "changes": {"tension": "much"}},
    {"do": "set_scene", "scene": {}},
    {"do": "set_scene", "scene": {"keypose": 999, "actors": []}},
    {"do": "play", "time": 0, "speed": 0},
    {"do": "play", "time": 0, "repeat": "forever"},
    {"do": "play", "time": 1e300},
    {"do": "seek", "time": 1e300},
    {"do": "seek", "time": "now"},
    {"do": "hello", "fps": 0},
    {"do": "hello", "fps": -1e300},
    {"do": "open_example", "name": "../../secret"},
    {"do": "cancel_export"},
    {"do": "recover", "take": True},
    {"do": "export", "file": "x.csv", "fps": 0},
    {"do": "export", "file": "x.csv", "seconds": 1e300},
    {"do": "undo"},
    {"do": "redo"},
]


@pytest.mark.parametrize("message", INVALID_COMMANDS, ids=range(len(INVALID_COMMANDS)))
def test_invalid_command_is_refused_with_reason(studio, message):
    with studio.connect() as client:
        client.socket.send(json.dumps({"id": 5, **message}))
        reply = client.wait_for_reply(5)
        assert reply["is"] == "refused"
        assert 10 < len(reply["reason"]) <= 2000
        assert client.request("ping")["is"] == "done"


def refusal(client, text, number):
    """Why a message was refused: as its answer, or as the reason why the conversation ended."""
    client.socket.send(text)
    try:
        reply = client.wait_for_reply(number)
    except ConnectionClosed as ended:
        return ended.rcvd.code, ended.rcvd.reason
    return reply["is"], reply.get("reason", "")


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "Infinity"])
def test_non_finite_number_is_refused(studio, number):
    with studio.connect() as client:
        kind, _ = refusal(client, f'{{"do": "seek", "id": 3, "time": {number}}}', 3)
        assert kind in ("refused", 1003)  # what is no JSON has no number to answer to


@pytest.mark.parametrize("depth", [50, 500, 5_000, 200_000])
def test_a_deeply_nested_message_is_refused(studio, depth):
    actors = "[" * depth + "]" * depth
    text = f'{{"do": "set_scene", "id": 8, "scene": {{"keypose": 1, "actors": {actors}}}}}'
    with studio.connect() as client:
        kind, reason = refusal(client, text, 8)
        assert kind in ("refused", 1003)
        assert kind == "refused" or "nested" in reason


def test_binary_message_closes_the_connection(studio):
    with studio.connect() as client:
        client.socket.send(b"\x00\x01")
        with pytest.raises(ConnectionClosed) as ended:
            client.receive_until(lambda ids: False)
    assert ended.value.rcvd.code == 1003


def test_message_over_one_mebibyte_is_refused_from_its_header(studio):
    # Only its beginning is sent, which says how long it is: what nobody reads may swallow the reason on its way.
    head = struct.pack("!BBQ4s", 0x81, 0xFF, (1 << 20) + 1, b"mask")
    with studio.connect() as client:
        client.socket.socket.sendall(head)
        with pytest.raises(ConnectionClosed) as ended:
            client.receive_until(lambda ids: False)
    assert ended.value.rcvd.code == 1009


def test_each_message_gets_one_reply_in_order(studio):
    with studio.connect() as client:
        numbers = [7, 3, 3, 900, 0, 7]
        for number in numbers:
            client.socket.send(json.dumps({"do": "ping", "id": number}))
        ids = []
        while len(ids) < len(numbers):
            reply = client.receive()
            ids += [reply["id"]] if reply["is"] == "done" else []
    assert ids == numbers
