"""A real browser on a real studio with a scene file of its own, mouse and keyboard."""

import os

import pytest
from playwright.sync_api import sync_playwright

from keypose import Actor, Key, Motion, MotionPath, SpeedProfile, Stage, save
from keypose.studio.server.launch import Studio
from tests.browser.field_scene import FIELD_STAGE, choose, undo_all
from tests.browser.screen import TIMEOUT, Screen, serve_scene, with_timeout
from tests.browser.studio_page import StudioPage
from tools.get_browser import find_browser

POSITIONS = [(0, 0, 0), (2, 2, 0), (4, 0, 1), (6, 2, 0)]


@pytest.fixture(scope="module")
def chromium():
    """One browser for all tests; as root it has no sandbox."""
    path = find_browser()
    assert path, "There is no browser. Run tools/get_browser.py."
    flags = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--mute-audio"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        flags.append("--no-sandbox")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=flags, timeout=1000 * TIMEOUT)
        yield browser
        browser.close()


@pytest.fixture
def scene(tmp_path):
    """A scene file of two actors, one of them with a drawn speed."""
    red = Motion(MotionPath(POSITIONS), SpeedProfile([1, 1, 1, 1, 1]), duration=2.0)
    blue = Motion(MotionPath([(0, 0, 2), Key((3, 1, 2), name="top"), (6, 0, 2)]), duration=2.0)
    file = tmp_path / "scene.json"
    save(Stage([Actor("red", red, look="red"), Actor("blue", blue, look="skyblue")]), file)
    return file


@pytest.fixture
def address(scene):
    with serve_scene(scene) as address:
        yield address


@pytest.fixture
def screen(chromium, address):
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    screen = Screen(context.new_page(), address)
    yield screen
    context.close()
    assert screen.errors == []


@pytest.fixture(scope="module")
def shared_page(chromium, tmp_path_factory):
    """One studio for many tests, each of which shows it a stage of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KEYPOSE_STATE", str(tmp_path_factory.mktemp("state")))
        with Studio(Stage([Actor("first", Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=1.0))])) as studio:
            page = with_timeout(chromium.new_page(viewport={"width": 1280, "height": 800}))
            errors = []
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.goto(studio.url)
            shared_page = StudioPage(studio, page)
            shared_page.wait_until("doc.scene !== null && window.__keypose.project !== undefined")
            yield shared_page
            page.close()
            assert errors == []


@pytest.fixture(scope="module")
def windy_file(tmp_path_factory):
    """Where the scene with fields is kept."""
    file = tmp_path_factory.mktemp("winds") / "winds.json"
    save(FIELD_STAGE, file)
    return file


@pytest.fixture(scope="module")
def shared_windy(chromium, windy_file):
    """One studio on it for all tests of a file."""
    with serve_scene(windy_file) as address:
        page = chromium.new_page(viewport={"width": 1280, "height": 800})
        screen = Screen(page, address)
        yield screen
        page.close()
        assert screen.errors == []


@pytest.fixture
def windy(shared_windy):
    """The scene with fields as it was opened."""
    choose(shared_windy, "man")  # no field of the inspector has the keyboard any more
    undo_all(shared_windy)
    return shared_windy
