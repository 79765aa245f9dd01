"""The redrawn figures of BH89, PF89, GL95, LG95: each script runs, says what it shows, draws the same bytes twice."""

import runpy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from keypose.plot.marks.outline import pose_outline

PAPERS = Path(__file__).parents[2] / "examples" / "papers"
FIGURES = {"BH89": (1, 2, 4, 5, 6), "PF89": (1, 2, 3, 4, 5), "GL95": range(1, 11), "LG95": range(1, 8)}
CASES = [(paper, number) for paper, numbers in FIGURES.items() for number in numbers]
FILMED = {"BH89": (4, 5, 6), "PF89": (1, 3, 4, 5), "GL95": (4, 6, 7, 8, 9), "LG95": range(1, 8)}
FILMS = {(paper, number) for paper, numbers in FILMED.items() for number in numbers}


@cache
def script(paper: str, number: int) -> dict[str, Any]:
    return runpy.run_path(str(PAPERS / f"{paper.lower()}_{number:02}.py"))


@pytest.mark.parametrize(("paper", "number"), CASES)
def test_script_begins_with_a_title_and_a_description(paper: str, number: int) -> None:
    title, _, sentence = script(paper, number)["__doc__"].partition("\n\n")
    assert title.startswith(f"{paper} figure {number}: ")
    assert len(title.splitlines()) == 1
    assert sentence.strip().endswith((".", ".)"))


@pytest.mark.parametrize(("paper", "number"), CASES)
def test_figure_drawn_twice_is_byte_identical(paper: str, number: int, tmp_path: Path) -> None:
    draw = script(paper, number)["draw"]
    first, second = (draw().save(tmp_path / f"{turn}.svg").read_bytes() for turn in (1, 2))
    assert first == second
    assert len(first) > 5_000


@pytest.mark.parametrize(("paper", "number"), CASES)
def test_no_label_covers_a_line_or_leaves_the_picture(paper: str, number: int, tmp_path: Path) -> None:
    drawing = script(paper, number)["draw"]()
    drawing.save(tmp_path / "figure.png", dpi=drawing.figure.dpi)
    width, height = drawing.figure.canvas.get_width_height()
    for panel in drawing.panels:
        points = np.concatenate([panel.ax.transData.transform(line.get_xydata()) for line in panel.ax.lines])
        for text in panel.ax.texts:
            if text.get_text():
                box = text.get_window_extent()
                assert not ((points > box.min) & (points < box.max)).all(axis=1).any(), text.get_text()
                assert min(box.x0, box.y0, width - box.x1, height - box.y1) >= 0, text.get_text()


@pytest.mark.parametrize(("paper", "number"), CASES)
def test_figures_about_motion_have_a_film(paper: str, number: int) -> None:
    assert ("film" in script(paper, number)) == ((paper, number) in FILMS)


def test_film_lasts_as_long_as_its_motion_and_then_holds(tmp_path: Path) -> None:
    namespace = script("GL95", 4)
    first, second = (namespace["film"]().save(tmp_path / f"{turn}.webp", dpi=60, hold=0.5) for turn in (1, 2))
    assert first.read_bytes() == second.read_bytes()
    with Image.open(first) as film:
        assert film.n_frames == round(namespace["SECONDS"] * 24) + 1
        durations = []
        for frame in range(film.n_frames):
            film.seek(frame)
            film.load()
            durations.append(film.info["duration"])
    assert durations[-1] == 500
    assert sum(durations) == pytest.approx(1000 * (namespace["SECONDS"] + 0.5), abs=1)


def test_ball_of_a_film_is_at_the_motion_position() -> None:
    namespace = script("GL95", 4)
    film = namespace["film"]()
    for time in (0.0, 1.0, 2.5):
        film.show(time)
        for panel, motion in zip(film.drawing.panels, namespace["MOTIONS"].values(), strict=True):
            np.testing.assert_allclose(panel.ax.lines[-1].get_xydata()[0], motion.at(time).position)


def test_lowering_one_control_value_changes_the_profile_locally() -> None:
    namespace = script("BH89", 2)
    x = np.linspace(0, 1, 1001)
    changed = x[namespace["AFTER"].at(x) != namespace["BEFORE"].at(x)]
    assert changed[0] == pytest.approx(1 / 7, abs=2e-3)
    assert changed[-1] == pytest.approx(5 / 7, abs=2e-3)


def test_labels_of_a_diagram_are_placed_by_its_final_limits(tmp_path: Path) -> None:
    drawing = script("GL95", 10)["draw"]()
    drawing.save(tmp_path / "figure.png")
    assert [text.get_text() for text in drawing.panels[1].ax.texts] == ["3.12", "3.01"]


def test_clipped_key_has_no_label(tmp_path: Path) -> None:
    drawing = script("GL95", 2)["draw"]()
    drawing.save(tmp_path / "figure.png")
    names = [{text.get_text() for text in panel.ax.texts} for panel in drawing.panels]
    assert names == [{"0", "1", "2", "3"}, {"0", "1", "backwards", "to key 2 →"}]


def test_arm_of_a_film_matches_the_stage_and_its_trail_the_earlier_poses() -> None:
    namespace = script("GL95", 7)
    film, arm = namespace["film"](), namespace["ARM"]
    film.show(0.9)
    lines = film.drawing.panels[0].ax.lines
    for line, time in ((lines[-5], 0.9), (lines[-5 - 12], 0.9 - 1 / 12)):  # pivots of the last pose are 4, of 12 marks
        np.testing.assert_allclose(line.get_xydata()[1], arm.at(time)["fingertip"].position[:2], atol=1e-12)


def test_arm_of_a_film_ends_in_its_initial_pose() -> None:
    namespace = script("GL95", 7)
    for pose in namespace["ARM"].at(np.array([0.0, namespace["SECONDS"]])).values():
        np.testing.assert_allclose(pose.position[0], pose.position[1], atol=1e-12)


def test_racket_and_ball_of_a_film_match_the_stage_at_half_speed() -> None:
    namespace = script("GL95", 9)
    film, scene = namespace["film"](), namespace["VIEW"]
    film.show(2 * namespace["HIT"])
    cast, lines = namespace["STAGE"].at(namespace["HIT"]), film.drawing.panels[0].ax.lines
    np.testing.assert_allclose(lines[-1].get_xydata()[0], scene.project(cast["ball"].position), atol=1e-12)
    frame = pose_outline(namespace["FRAME"], cast["racket"])
    np.testing.assert_allclose(lines[-2].get_xydata(), scene.project(frame), atol=1e-12)


def test_whole_swing_is_visible() -> None:
    namespace = script("GL95", 9)
    ax = namespace["film"]().drawing.panels[0].ax
    swing = pose_outline(namespace["FRAME"], namespace["STAGE"].at(namespace["TIMES"])["racket"]).reshape(-1, 3)
    paper = namespace["VIEW"].project(swing[np.isfinite(swing[:, 0])])
    low, high = np.transpose([ax.get_xlim(), ax.get_ylim()])
    assert (paper > low).all()
    assert (paper < high).all()
