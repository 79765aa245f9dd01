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
from tests.cli.typed import PATIENCE

EXAMPLES = Path(__file__).parents[2] / "examples"
PATH = MotionPath([(0, 0, 0), (1, 1, 0), (2, 0, 0)])
MOTION = Motion(PATH, duration=3.0)
STAGE = Stage([Actor("red", MOTION)])


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    monkeypatch.setenv("KEYPOSE_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("KEYPOSE_NO_BROWSER", "1")
    monkeypatch.chdir(tmp_path)


def status(url):
    parts = urllib.parse.urlsplit(url)
    line = http.client.HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE)
    line.request("GET", f"{parts.path}?{parts.query}")
    found = line.getresponse().status
    line.close()
    return found


@pytest.mark.parametrize(("thing", "names"), [(STAGE, ("red",)), (MOTION, ("motion",)), (PATH, ("path",)),
    (shoot(STAGE, 1.0), ("red",))])  # fmt: skip
def test_whatever_moves_is_previewed_at_the_printed_address(thing, names, capsys):
    with preview(thing) as studio:
        assert studio.url in capsys.readouterr().out
        assert status(studio.url) == 303
        assert studio.stage.names == names
    assert not studio.is_open
    with pytest.raises(OSError):
        status(studio.url)


def test_a_path_alone_is_travelled_steadily_in_two_seconds():
    assert opening.as_stage(PATH)["path"].motion == Motion(PATH, duration=2.0)


def test_the_open_studio_shows_another_stage_when_it_is_given_one():
    other = Stage([Actor("blue", MOTION), Actor("ring", MOTION, parent="blue")])
    with preview(STAGE) as studio:
        studio.stage = other
        assert studio.stage == other
        assert studio._server._hub.session.steps.undo is not None
        with pytest.raises(KeyposeError, match="preview was given 3"):
            studio.stage = 3
    with pytest.raises(KeyposeError, match="closed"):
        studio.stage = STAGE


def test_who_waits_for_the_studio_finds_those_who_take_ticks_shot():
    with preview(STAGE) as studio:
        studio.stage = Stage([Actor("leaf", DynamicSpline((0, 3, 0), (1, 0, 0)))])
        studio.wait()
        assert studio._server._hub.preview.take["leaf"].position[-1][0] > 0.5


def test_a_port_that_is_taken_is_told():
    taken = open_socket("127.0.0.1", 0)
    port = taken.getsockname()[1]
    with pytest.raises(KeyposeError, match=f"port {port}"):
        opening.Studio(STAGE, port=port)
    taken.close()


def test_without_the_extra_it_is_said_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "keypose.studio.server.app", None)
    with pytest.raises(KeyposeError, match=r"pip install 'keypose\[studio\]'"):
        preview(STAGE)


def typed(*words):
    command = [sys.executable, "-m", "keypose.cli", "studio", *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(
        command, **pipes, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler)
    )


@pytest.mark.skipif(os.name != "posix", reason="Ctrl+C is sent otherwise elsewhere")
def test_the_command_prints_an_address_that_answers_and_ends_cleanly_with_ctrl_c(tmp_path):
    save(STAGE, tmp_path / "walk.json")
    running = typed("walk.json", "--no-browser")
    try:
        url = running.stdout.readline().split()[-1]
        assert status(url) == 303
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=PATIENCE)
    finally:
        running.kill()
    assert running.returncode == 0
    assert "Traceback" not in errors
    assert "closed" in errors


def test_a_scene_saved_from_an_example_with_its_own_mover_is_opened_again(tmp_path):
    (tmp_path / "dog.json").write_bytes((EXAMPLES / "03_damped_follower.json").read_bytes())
    running = typed("dog.json", "--no-browser")
    try:
        assert status(running.stdout.readline().split()[-1]) == 303
    finally:
        running.kill()
        running.communicate(timeout=PATIENCE)


def answers_at(address, url):
    """Whether somebody listens at another address of this machine, on the port of a url."""
    try:
        socket.create_connection((address, urllib.parse.urlsplit(url).port), timeout=PATIENCE).close()
    except ConnectionRefusedError:
        return False
    return True


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.2 is no address of this machine")
def test_it_listens_on_loopback_only_unless_asked():
    elsewhere = "127.0.0.2"  # reached by who listens everywhere, and not by who listens at 127.0.0.1
    studio = preview(STAGE)
    try:
        assert answers_at("127.0.0.1", studio.url)
        assert not answers_at(elsewhere, studio.url)
    finally:
        studio.close()
    for words, everywhere in (((), False), (("--host", "0.0.0.0"), True)):
        process = typed("--no-browser", *words)
        try:
            url = process.stdout.readline().split()[-1]
            assert answers_at(elsewhere, url) is everywhere
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=PATIENCE)


def asked_by_make(*words):
    # Called from a make, make would say which directory it enters and leaves.
    quietly = ["make", "--no-print-directory", "--dry-run", "studio", *words]
    made = subprocess.run(quietly, cwd=EXAMPLES.parent, capture_output=True, text=True)
    return made.stdout.splitlines()[-1].split("keypose studio ")[1].split()


def test_make_opens_a_copy_of_the_flagship_that_no_save_writes_over(tmp_path):
    assert asked_by_make() == ["--example", "20_three_arches"]
    assert asked_by_make("SCENE=my.json") == ["my.json"]
    house = opening._StudioServer(Stage([]), None, "127.0.0.1", 0, "20_three_arches")
    with house._socket:
        workshop = house._hub
        assert house.stage == load(EXAMPLES / "20_three_arches.json")
        assert (workshop.session.file, workshop.session.is_saved) == (None, True)
        assert workshop.folder.path == tmp_path
        with pytest.raises(KeyposeError, match="no file yet"):
            workshop.session.save()


def test_a_scene_and_an_example_are_not_opened_at_once():
    with pytest.raises(KeyposeError, match="Give one"):
        opening.serve(Path("walk.json"), example="07_the_catch", browser=False)


@pytest.mark.parametrize("words", [("missing.json",), ("--example", "catch"), ("--port", "99999"), ("take.csv",)])
def test_what_cannot_be_opened_is_a_sentence_and_exit_code_2(words, tmp_path):
    save(shoot(STAGE, 1.0), tmp_path / "take.csv")
    running = typed(*words)
    _, errors = running.communicate(timeout=PATIENCE)
    assert running.returncode == 2
    assert errors.startswith("keypose: ")
    assert "Traceback" not in errors
