"""Opening the studio: from Python beside what else runs, and from the command line until Ctrl+C."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import urllib.parse
from pathlib import Path

import pytest

from keypose import Actor, DynamicSpline, KeyposeError, Motion, MotionPath, Stage, load, preview, save, shoot
from keypose.studio.server import launch as opening
from keypose.studio.server.app import open_socket
from tests.cli.command_line import TIMEOUT

EXAMPLES = Path(__file__).parents[2] / "examples"
PATH = MotionPath([(0, 0, 0), (1, 1, 0), (2, 0, 0)])
MOTION = Motion(PATH, duration=3.0)
STAGE = Stage([Actor("red", MOTION)])


@pytest.fixture(autouse=True)
def isolated_state(tmp_path, monkeypatch):
    monkeypatch.setenv("KEYPOSE_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("KEYPOSE_NO_BROWSER", "1")
    monkeypatch.chdir(tmp_path)


def status(url):
    parts = urllib.parse.urlsplit(url)
    line = http.client.HTTPConnection(parts.hostname, parts.port, timeout=TIMEOUT)
    line.request("GET", f"{parts.path}?{parts.query}")
    found = line.getresponse().status
    line.close()
    return found


@pytest.mark.parametrize(("thing", "names"), [(STAGE, ("red",)), (MOTION, ("motion",)), (PATH, ("path",)),
    (shoot(STAGE, 1.0), ("red",))])  # fmt: skip
def test_stage_motion_path_and_take_are_previewed_at_the_printed_address(thing, names, capsys):
    with preview(thing) as studio:
        assert studio.url in capsys.readouterr().out
        assert status(studio.url) == 303
        assert studio.stage.names == names
    assert not studio.is_open
    with pytest.raises(OSError):
        status(studio.url)


def test_path_alone_is_travelled_steadily_in_two_seconds():
    assert opening.as_stage(PATH)["path"].motion == Motion(PATH, duration=2.0)


def test_open_studio_shows_an_assigned_stage():
    other = Stage([Actor("blue", MOTION), Actor("ring", MOTION, parent="blue")])
    with preview(STAGE) as studio:
        studio.stage = other
        assert studio.stage == other
        assert studio._server.hub.session.steps.undo is not None
        with pytest.raises(KeyposeError, match="preview was given 3"):
            studio.stage = 3
    with pytest.raises(KeyposeError, match="closed"):
        studio.stage = STAGE


def test_wait_returns_after_simulated_actors_are_shot():
    with preview(STAGE) as studio:
        studio.stage = Stage([Actor("leaf", DynamicSpline((0, 3, 0), (1, 0, 0)))])
        studio.wait()
        assert studio._server.hub.preview.take["leaf"].position[-1][0] > 0.5


def test_taken_port_is_reported():
    busy_socket = open_socket("127.0.0.1", 0)
    port = busy_socket.getsockname()[1]
    with pytest.raises(KeyposeError, match=f"port {port}"):
        opening.Studio(STAGE, port=port)
    busy_socket.close()


def test_missing_studio_extra_is_reported_with_install_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "keypose.studio.server.app", None)
    with pytest.raises(KeyposeError, match=r"pip install 'keypose\[studio\]'"):
        preview(STAGE)


def run_studio_command(*arguments):
    command = [sys.executable, "-m", "keypose.cli", "studio", *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(
        command, **pipes, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler)
    )


@pytest.mark.skipif(os.name != "posix", reason="Ctrl+C is sent otherwise elsewhere")
def test_command_prints_a_working_address_and_ends_cleanly_on_ctrl_c(tmp_path):
    save(STAGE, tmp_path / "walk.json")
    running = run_studio_command("walk.json", "--no-browser")
    try:
        url = running.stdout.readline().split()[-1]
        assert status(url) == 303
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=TIMEOUT)
    finally:
        running.kill()
    assert running.returncode == 0
    assert "Traceback" not in errors
    assert "closed" in errors


def test_scene_saved_from_an_example_with_custom_mover_opens_again(tmp_path):
    (tmp_path / "dog.json").write_bytes((EXAMPLES / "03_damped_follower.json").read_bytes())
    running = run_studio_command("dog.json", "--no-browser")
    try:
        assert status(running.stdout.readline().split()[-1]) == 303
    finally:
        running.kill()
        running.communicate(timeout=TIMEOUT)


def is_reachable_at(address, url):
    """Whether somebody listens at another address of this machine, on the port of a url."""
    try:
        socket.create_connection((address, urllib.parse.urlsplit(url).port), timeout=TIMEOUT).close()
    except ConnectionRefusedError:
        return False
    return True


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.2 is no address of this machine")
def test_studio_listens_on_loopback_only_by_default():
    elsewhere = "127.0.0.2"  # reached by who listens everywhere, and not by who listens at 127.0.0.1
    studio = preview(STAGE)
    try:
        assert is_reachable_at("127.0.0.1", studio.url)
        assert not is_reachable_at(elsewhere, studio.url)
    finally:
        studio.close()
    for arguments, everywhere in (((), False), (("--host", "0.0.0.0"), True)):
        process = run_studio_command("--no-browser", *arguments)
        try:
            url = process.stdout.readline().split()[-1]
            assert is_reachable_at(elsewhere, url) is everywhere
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=TIMEOUT)


def make_arguments(*arguments):
    # Called from a make, make would say which directory it enters and leaves.
    command = ["make", "--no-print-directory", "--dry-run", "studio", *arguments]
    process = subprocess.run(command, cwd=EXAMPLES.parent, capture_output=True, text=True)
    return process.stdout.splitlines()[-1].split("keypose studio ")[1].split()


def test_make_opens_the_flagship_as_a_copy_that_save_cannot_overwrite(tmp_path):
    assert make_arguments() == ["--example", "20_three_arches"]
    assert make_arguments("SCENE=my.json") == ["my.json"]
    server = opening.StudioServer(Stage([]), None, "127.0.0.1", 0, "20_three_arches")
    with server.socket:
        hub = server.hub
        assert server.stage == load(EXAMPLES / "20_three_arches.json")
        assert (hub.session.file, hub.session.is_saved) == (None, True)
        assert hub.folder.path == tmp_path
        with pytest.raises(KeyposeError, match="no file yet"):
            hub.session.save()


def test_scene_and_example_cannot_be_opened_together():
    with pytest.raises(KeyposeError, match="Give one"):
        opening.serve(Path("walk.json"), example="07_the_catch", browser=False)


@pytest.mark.parametrize("arguments", [("missing.json",), ("--example", "catch"), ("--port", "99999"), ("take.csv",)])
def test_unopenable_file_gives_a_message_and_exit_code_2(arguments, tmp_path):
    save(shoot(STAGE, 1.0), tmp_path / "take.csv")
    running = run_studio_command(*arguments)
    _, errors = running.communicate(timeout=TIMEOUT)
    assert running.returncode == 2
    assert errors.startswith("keypose: ")
    assert "Traceback" not in errors
