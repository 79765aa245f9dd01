"""docs/scene-file.md is true: its scene is read, has every kind, and its tables are those of the forms."""

import json
import re
import runpy
from pathlib import Path

import pytest

from keypose import SceneError, shoot
from keypose.document.actors import ACTOR, FACINGS, LOOKS
from keypose.document.bodies import BODY_MOVERS
from keypose.document.figures import FIGURE
from keypose.document.motion.motions import PATH, TIMINGS
from keypose.document.scene import SCENE, read
from keypose.document.scripts import MEETING, TURN_GOAL
from tools.describe_scenes import PAGE, update_tables

ROOT = Path(__file__).parents[2]
TEXT = PAGE.read_text(encoding="utf-8")
(SCENE_TEXT,) = re.findall(r"^```json\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


@pytest.fixture(autouse=True)
def _register_follower():
    runpy.run_path(str(ROOT / "examples" / "03_damped_follower.py"))


def test_page_tables_match_the_schema():
    assert update_tables(TEXT) == TEXT, "tools/describe_scenes.py writes them anew"
    assert TEXT.count("<!-- fields of ") == TEXT.count("| field | meaning | usual |") == 24
    assert TEXT.count("<!-- kinds of ") == TEXT.count("| kind | its fields |") == 6


def test_page_scene_can_be_read_and_shot():
    assert len(shoot(read(SCENE_TEXT.encode()), 1).times) == 25


def test_page_scene_has_every_kind_and_most_fields():
    words = set(re.findall(r'"([\w$]+)"', SCENE_TEXT))
    for kinds in (TIMINGS, FACINGS, LOOKS, BODY_MOVERS, [FIGURE]):
        assert {kind.tag for kind in kinds} <= words
    assert set(ACTOR.fields) <= words
    assert set(SCENE.fields) - words == {"$schema"}
    assert {"path", "frames", "mover"} <= words
    assert {*MEETING.fields, *TURN_GOAL.fields} <= words
    assert PATH.fields


def test_page_problems_are_reported_verbatim():
    keys = [{"position": [0]}, {"position": [1], "time": 2}, {"position": [2], "time": 1}]
    two = [{"position": [0], "time": 0}, {"position": [1], "time": 1}]
    cast = [
        {"name": "glass", "path": {"keys": keys}},
        {"name": "ball", "parent": "glas", "path": {"keys": two}},
    ]
    with pytest.raises(SceneError) as caught:
        read(json.dumps({"keypose": 1, "actors": cast}).encode(), "ball.json")
    for line in str(caught.value).splitlines():
        assert line in TEXT
