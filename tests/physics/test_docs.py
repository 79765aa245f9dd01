"""What docs/bodies.md shows runs as it stands, its words are called as it writes them, and its figures are right."""

import inspect
import re
from math import sqrt
from pathlib import Path

import pytest

import keypose
from keypose import Body, Follow, MotionPath, Sphere
from keypose.document.bodies import BODY_MOVERS
from keypose.physics.values.body import MAX_MASS, MIN_MASS
from keypose.physics.values.movers import MAX_COORDINATE, TICK
from keypose.physics.values.shapes import MAX_SIZE, MIN_SIZE

PAGE = (Path(__file__).parents[2] / "docs" / "bodies.md").read_text(encoding="utf-8")
PATH, BALL = MotionPath([(0, 0, 0), (1, 0, 0)]), Body(Sphere(0.3))


def test_the_page_s_example_runs():
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    names = {}
    exec(compile("\n".join(blocks[:2]), "docs/bodies.md", "exec"), names)
    assert names["take"]["red"].position[-1] == pytest.approx((6, 0, 0), abs=0.05)
    assert names["runner"].pace == pytest.approx(2)
    assert names["jogger"].pace == pytest.approx(1.5)


def test_the_page_s_figure_reaches_the_end_of_its_path():
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    names = {}
    exec(compile("\n".join(blocks), "docs/bodies.md", "exec"), names)
    assert names["take"]["arm/hand"].position[-1] == pytest.approx((0.4, 0.3, 0), abs=0.01)


def test_the_page_s_run_repeats_bitwise_identically_and_rewinds_to_its_snapshot():
    (block,) = (
        code_block
        for code_block in re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
        if "Run(" in code_block
    )
    names = {
        name: getattr(keypose, name) for name in ("Actor", "Body", "Box", "Free", "Plane", "Sphere", "Stage", "Still")
    }
    exec(compile(block, "docs/bodies.md", "exec"), names)
    assert names["there"].tolist() == names["again"].tolist()
    run, snapshot = names["run"], names["kept"]
    assert run.time == pytest.approx(0.5)
    assert run.stage["stone"].motion_or_mover.body.mass == 3.0
    assert run.stage.gravity == (0, -9.81, 0)
    run.tick()
    poses = run.poses["stone"].position.tolist()
    run.rewind(snapshot)
    run.tick()
    assert run.poses["stone"].position.tolist() == poses


def test_every_call_on_the_page_has_a_valid_signature():
    calls = re.findall(r"^\| `(\w+)\((.*?)\)` \|", PAGE, re.MULTILINE)
    assert len(calls) == 21
    for call_name, arguments in calls:
        listed_parameters = re.findall(r"(\w+)(?:=|,|$)", re.sub(r"\(.*?\)", "", arguments))
        parameters = [*inspect.signature(getattr(keypose, call_name)).parameters]
        assert [
            parameter
            for parameter in listed_parameters
            if parameter not in parameters and parameter not in ("0", "1", "5", "None", "False", "motion")
        ] == [], call_name


def test_every_parameter_of_a_follower_is_in_the_table_with_its_default():
    rows = re.findall(r"^\| `(\w+)` \|.*?\| *(.*?) *\|", PAGE, re.MULTILINE)
    fields = {name: field for name, field in BODY_MOVERS[0].record.fields.items() if name not in ("path", "body")}
    assert [name for name, _ in rows] == list(fields)
    for name, default in rows:
        assert fields[name].is_required == (default == "must be said")
        if fields[name].default is not None:
            assert float(default) == fields[name].default


def test_steady_speed_is_the_one_on_the_page():
    follow = Follow(PATH, BALL, within=0.4)
    assert follow.pull == (0.5, 1.0)
    assert follow.pace == pytest.approx(0.5 * 0.4 / (1 * 0.1))


@pytest.mark.parametrize("damping", [None, 0.3, 1.7])
@pytest.mark.parametrize(("speed", "within", "reaction"), [(2, 0.4, 0.1), (0.1, 1, 0.05), (7, 0.2, 0.3)])
def test_given_speed_determines_the_eagerness(speed, within, reaction, damping):
    follow = Follow(PATH, BALL, within=within, reaction=reaction, speed=speed, damping=damping)
    eagerness, used_damping = follow.pull
    fraction = speed * reaction / within
    assert follow.pace == pytest.approx(speed)
    assert used_damping == pytest.approx(2 * fraction if damping is None else damping)
    assert eagerness == pytest.approx(2 * fraction**2 if damping is None else fraction * damping)
    if damping is None:
        assert used_damping == pytest.approx(sqrt(2 * eagerness)), "critical"


def test_sag_on_the_page_follows_from_its_formula():
    def sag(follow):
        return 9.81 * follow.reaction**2 / (2 * follow.pull[0])

    default, slower = Follow(PATH, BALL, within=0.4), Follow(PATH, BALL, within=0.4, speed=1)
    assert f"{sag(default) * 1000:.0f} mm" in PAGE
    assert sag(slower) == pytest.approx(4 * sag(default)), "at half the speed"


def test_limits_on_the_page_are_those_of_the_package():
    assert (MIN_SIZE, MAX_SIZE) == (1e-4, 1e4)  # 0.1 mm to 10 km
    assert (MIN_MASS, MAX_MASS) == (1e-6, 1e9)  # a milligram to a million tonnes
    assert MAX_COORDINATE == 1e6  # 1,000 km
    assert f"every {TICK * 1000:g} ms" in PAGE
