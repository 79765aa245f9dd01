"""Every figure of KB84 is drawn by its own short script, and the same way each time."""

import runpy
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")

SCRIPTS = Path(__file__).parents[2] / "examples" / "papers"
FIGURES = range(1, 25)


@pytest.fixture(scope="module", params=FIGURES, ids=lambda number: f"figure-{number}")
def figure(request):
    """A figure's number and what its script defines."""
    return request.param, runpy.run_path(str(SCRIPTS / f"kb84_{request.param:02d}.py"))


def test_script_begins_with_its_figure_number_and_a_description(figure):
    number, namespace = figure
    title, _, sentence = namespace["__doc__"].strip().partition("\n\n")
    assert title.startswith(f"KB84 figure {number}: ")
    assert "\n" not in title
    assert len(sentence.split()) >= 5
    assert sentence.endswith(".")


def test_figure_is_byte_identical_when_drawn_again(figure, tmp_path):
    _, namespace = figure
    first, again = (namespace["draw"]().save(tmp_path / name).read_bytes() for name in ("first.svg", "again.svg"))
    assert first.count(b"<path") > 5
    assert b"NaN" not in first
    assert first == again


def test_film_of_figure_19_shows_both_motions_completely():
    namespace = runpy.run_path(str(SCRIPTS / "kb84_19.py"))
    assert namespace["film"]().frames == 65
    stops, hits = (motion.speed_jump(2) for motion in namespace["motions"]().values())
    assert stops == pytest.approx((0, 0), abs=1e-9)
    assert hits[0] == pytest.approx(hits[1])
    assert min(hits) > 1


def test_name_is_written_on_its_own_line():
    from keypose import Key, MotionPath
    from keypose.plot.drawing import Drawing

    path = MotionPath([Key((0, 0)), Key((2, 1)), Key((3, 0))])
    panel = Drawing().panel().path(path).name(path, 1.5, "b = 0")
    assert panel.ax.texts[-1].get_position() == tuple(path.at(1.5))


def test_zero_tangents_are_not_drawn():
    from keypose import Key, MotionPath
    from keypose.plot.drawing import Drawing

    path = MotionPath([Key((0, 0)), Key((2, 1), tension=1), Key((3, 0))])
    assert len(Drawing().panel().vectors(path, 1).ax.texts) == 0
    assert len(Drawing().panel().vectors(path.with_key(1, tension=0), 1).ax.texts) == 2  # the arrows
