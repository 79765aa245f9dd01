"""The page "Custom movers and fields" runs as it stands, and what it extends behaves as built-in movers do."""

import inspect
import re
import sys
from pathlib import Path
from typing import get_type_hints

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import keypose
from keypose import Actor, KeyposeError, Run, extend, fields, load, plot, save
from keypose.motion import MeetingState

EXAMPLES = Path(__file__).parents[1] / "examples"
PAGE = (Path(__file__).parents[1] / "docs" / "extending.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page():
    """Every python block of the page, run in order in one module."""
    module = type(sys)("extending_page")
    sys.modules["extending_page"] = module
    for block in re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE):
        exec(compile(block, "docs/extending.md", "exec"), module.__dict__)
    yield module.__dict__
    del sys.modules["extending_page"]


def test_balloon_stays_on_its_rope_and_rises(page):
    gap = page["take"]["balloon"].position - page["take"]["hand"].position
    assert np.linalg.norm(gap, axis=1).max() <= 1.5 + 1e-9 + 1.6 * 0.01  # the hand moves on within a tick
    assert gap[-1, 1] > 1.3


def test_custom_mover_comes_back_from_a_scene_file(page, tmp_path):
    save(page["stage"], tmp_path / "balloon.json")
    assert load(tmp_path / "balloon.json") == page["stage"]


def test_custom_field_obeys_the_operators_of_fields(page):
    gusts = page["Gusts"](2.0)
    assert_allclose(gusts.at((0, 0, 0), 0.5), (2, 0, 0))
    assert_allclose((3 * gusts - fields.Uniform((1, 0, 0))).at((0, 0, 0), 0.5), (5, 0, 0))
    assert_allclose(gusts.within(1.0).at((4, 0, 0), 0.5), 0)
    assert_allclose(gusts.turned(90, "y").at((0, 0, 0), 0.5), (0, 0, -2), atol=1e-12)
    plot(gusts, plane="xz").as_bytes(".svg")


def test_scene_with_a_custom_field_is_refused_by_name_when_saved(page, tmp_path):
    stage = page["windy"].changed(fields={"gusts": page["Gusts"]()})
    with pytest.raises(KeyposeError, match="Field 'gusts' has the field Gusts"):
        save(stage, tmp_path / "windy.json")


def test_custom_system_rewinds_bitwise_and_survives_a_change(page):
    run = Run(page["chain"])
    while run.time < 1:
        run.tick()
    before, snapshot = run.poses, run.snapshot()
    while run.time < 1.5:
        run.tick()
    assert run.rewind(snapshot) == 1.0
    assert all(run.poses[name] == before[name] for name in before)
    run.change(run.stage.with_actor(Actor("bead9", page["Bead"]((2.0, 2.0, 0.0)))))
    assert_array_equal(run.poses["bead5"].position, before["bead5"].position)
    assert len(run.poses) == 7


def test_custom_system_is_shot_as_it_runs_live(page):
    run = Run(page["chain"])
    while run.time < 2:
        run.tick()
    assert_allclose(page["swing"].at(2.0)["bead5"].position, run.poses["bead5"].position, atol=1e-9)


def test_tables_of_the_page_name_what_the_protocols_have():
    members = set(re.findall(r"`(\w+)\(", PAGE)) | set(re.findall(r"^\| `(\w+)", PAGE, re.MULTILINE))
    for protocol in (keypose.Mover, extend.System, extend.BatchSystem):
        public = {name for name in vars(protocol) if not name.startswith("_")}
        assert public <= members, protocol
    assert set(get_type_hints(fields.FieldQuery)) <= members


def test_names_of_extend_are_documented_and_exported():
    assert set(extend.__all__) <= set(dir(extend))
    assert "Provisional" in inspect.getdoc(extend)


def test_take_lists_collisions_and_meetings_apart():
    take = keypose.shoot(load(EXAMPLES / "20_three_arches.json"), seconds=3)
    assert take.meetings
    assert {event.state for event in take.meetings} <= set(MeetingState.__args__)
    assert all(isinstance(event, keypose.MeetingEvent) for event in take.meetings)
    rolled = keypose.shoot(load(EXAMPLES / "13_through_the_pegs.json"), seconds=2)
    assert rolled.collisions
    assert all(event.other and event.speed > 0 for event in rolled.collisions)
    assert set(rolled.collisions) | set(rolled.meetings) <= set(rolled.events)
