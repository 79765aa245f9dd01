"""A scene with fields and those who sense them, and hands for its panels."""

import json

from keypose import Actor, DynamicSpline, Motion, MotionPath, Stage, fields
from tests.browser.page_waits import edit_and_wait, wait_until_settled

SWIRL = "(-z, 0, x) * exp(-r**2) * k"
WALK = Motion(MotionPath([(0, 0, 0), (4, 0, 0), (4, 0, 4)]), duration=2.0)
FIELD_STAGE = Stage(
    [
        Actor("man", WALK),
        Actor("leaf", DynamicSpline((1, 3, 0), friction=0.02, senses={"wind": 0.5, fields.KeepOffset("man"): 0.3})),
        Actor("flock/a", DynamicSpline((1, 1, 0), senses={"wind": 1})),
        Actor("flock/b", DynamicSpline((2, 1, 0), senses={"wind": 1})),
    ],
    fields={
        "wind": fields.Uniform((0.4, 0, 0)) + fields.Vortex(2.0),
        "swirl": fields.Formula(SWIRL, k=fields.Slider(2, 0, 10)),
    },
)


def undo_all(screen):
    """Everything, by the keyboard."""
    wait_until_settled(screen)
    while screen.read_state("doc.scene.steps.undo"):
        before = screen.revision
        screen.press("Control+z")
        screen.wait_until("before => window.__keypose.doc.scene.revision > before", before)
    wait_until_settled(screen)


def choose(screen, actor):
    screen.page.get_by_role("region", name="Cast").get_by_role("button", name=actor).first.click()
    screen.wait_until("it => window.__keypose.selection.actor === it", actor)


def choose_field(screen, field):
    field_list(screen).get_by_role("button", name=field).first.click()
    screen.wait_until("it => window.__keypose.selection.field === it", field)


def field_list(screen):
    return screen.page.get_by_role("region", name="Fields")


def inspector(screen):
    return screen.page.get_by_role("region", name="Inspector")


def formula(screen):
    return screen.page.get_by_role("textbox", name="Formula")


def formula_alert(screen):
    return inspector(screen).get_by_role("alert")


def save_and_read(screen, file):
    """The scene in its file, once everything that was done is in it."""
    wait_until_settled(screen)
    screen.press("Control+s")
    screen.wait_until("() => window.__keypose.doc.scene.is_saved")
    return json.loads(file.read_text())


def spline(scene, actor):
    return next(one["mover"] for one in scene["actors"] if one["name"] == actor)


def wait_for_change(screen, gesture):
    edit_and_wait(screen, gesture, None)


def select(screen, label, option):
    screen.page.get_by_label(label, exact=True).select_option(label=option)
