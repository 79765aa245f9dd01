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


def undo_all(desk):
    """Everything, by the keyboard."""
    wait_until_settled(desk)
    while desk.ask("studio.scene.steps.undo"):
        before = desk.revision
        desk.press("Control+z")
        desk.until("before => window.__keypose.studio.scene.revision > before", before)
    wait_until_settled(desk)


def choose(desk, actor):
    desk.page.get_by_role("region", name="Cast").get_by_role("button", name=actor).first.click()
    desk.until("it => window.__keypose.studio.selection.actor === it", actor)


def choose_field(desk, field):
    field_list(desk).get_by_role("button", name=field).first.click()
    desk.until("it => window.__keypose.studio.selection.field === it", field)


def field_list(desk):
    return desk.page.get_by_role("region", name="Fields")


def inspector(desk):
    return desk.page.get_by_role("region", name="Inspector")


def formula(desk):
    return desk.page.get_by_role("textbox", name="Formula")


def formula_alert(desk):
    return inspector(desk).get_by_role("alert")


def save_and_read(desk, file):
    """The scene in its file, once everything that was done is in it."""
    wait_until_settled(desk)
    desk.press("Control+s")
    desk.until("() => window.__keypose.studio.scene.is_saved")
    return json.loads(file.read_text())


def spline(scene, actor):
    return next(one["mover"] for one in scene["actors"] if one["name"] == actor)


def wait_for_change(desk, gesture):
    edit_and_wait(desk, gesture, None)


def select(desk, label, wanted):
    desk.page.get_by_label(label, exact=True).select_option(label=wanted)
