"""A scene is drawn on a sheet, and the papers' figures into a folder, or nothing is left behind."""

import sys

import pytest

from keypose import Actor, DynamicSpline, Script, Stage, fields, plot, save, shoot
from keypose.plot import gallery as papers
from keypose.stage.recorder.duration import expected_duration
from tests.cli.command_line import (
    SLEEPER_COMMAND,
    STAGE,
    refusal_text,
    run_command,
    run_interrupted,
    run_on_terminal,
    run_process,
    save_scene,
    save_sleeper_scene,
)
from tests.document.stage_samples import Hopper

FIGURE = '''"""KB84 figure {number}: a title

A sentence on what to see.
"""


def draw():
    from keypose import SpeedProfile, plot

    {before}
    return plot(SpeedProfile([1, 2]))
'''


@pytest.fixture
def scripts(tmp_path):
    folder = tmp_path / "scripts"
    folder.mkdir()
    for number in (1, 2):
        (folder / f"kb84_0{number}.py").write_text(FIGURE.format(number=number, before="pass"))
    return folder


def command_with_scripts(scripts):
    """`keypose` with another folder of scripts."""
    code = (
        f"import pathlib\nfrom keypose.plot import gallery\ngallery.scripts = lambda: pathlib.Path({str(scripts)!r})\n"
    )
    return [sys.executable, "-c", code + "from keypose.cli.__main__ import main\nmain()"]


@pytest.mark.parametrize(("name", "begins"), [("a.svg", b"<?xml"), ("a.PNG", b"\x89PNG"), ("a.pdf", b"%PDF")])
def test_a_scene_is_drawn(name, begins, tmp_path):
    result = run_command("plot", save_scene(tmp_path), "-o", tmp_path / name)
    assert (result.exit_code, result.stderr, result.stdout) == (0, "", f"{tmp_path / name}: drawn.\n")
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_single_actor_can_be_drawn_in_the_dark_theme(tmp_path):
    file = save_scene(tmp_path)
    for number, more in enumerate([[], ["--actor", "hand"], ["--actor", "hand", "--theme", "dark"], ["--fps", "5"]]):
        assert run_command("plot", file, "-o", tmp_path / f"{number}.svg", *more).exit_code == 0
    images = [(tmp_path / f"{number}.svg").read_bytes() for number in range(4)]
    assert len(set(images)) == 4


def test_take_is_drawn_whole(tmp_path):
    save(shoot(STAGE, 0.5), tmp_path / "a.csv")
    assert run_command("plot", tmp_path / "a.csv", "-o", tmp_path / "a.svg").exit_code == 0
    assert "drawn whole" in refusal_text("plot", tmp_path / "a.csv", "-o", tmp_path / "a.svg", "--actor", "hand")


def test_field_is_drawn_on_a_plane_at_a_time(tmp_path):
    gust = fields.Vortex(2.0).during(1, 2)
    light = fields.Attractor(1.0).carried_by("hand")
    stage = Stage(STAGE.actors, fields={"gust": gust, "light": light, "after": fields.KeepOffset("hand")})
    file, out = save_scene(tmp_path, stage), tmp_path / "a.svg"
    wanted = {
        ("--field", "gust"): plot(gust),
        ("--field", "gust", "--plane", "xz", "--time", "1.5"): plot(gust, plane="xz", t=1.5),
        ("--field", "light", "--time", "1", "--theme", "dark"): plot(light, t=1, stage=stage, theme="dark"),
    }
    for more, sheet in wanted.items():
        assert run_command("plot", file, "-o", out, *more).exit_code == 0
        assert out.read_bytes() == sheet.as_bytes(".svg")
    assert "Did you mean 'gust'?" in refusal_text("plot", file, "-o", out, "--field", "gst")
    assert "tracks somebody" in refusal_text("plot", file, "-o", out, "--field", "after")
    assert "Give one of them" in refusal_text("plot", file, "-o", out, "--field", "gust", "--actor", "hand")
    assert "Say which: --field" in refusal_text("plot", file, "-o", out, "--plane", "xz")
    assert "Say which: --field" in refusal_text("plot", file, "-o", out, "--time", "1")
    save(shoot(STAGE, 0.5), tmp_path / "a.csv")
    assert "drawn whole" in refusal_text("plot", tmp_path / "a.csv", "-o", out, "--field", "gust")
    assert "names none" in refusal_text("plot", save_scene(tmp_path), "-o", out, "--field", "gust")


def test_invalid_plot_is_refused(tmp_path):
    file = save_scene(tmp_path)
    assert "Use one of .svg, .png, .pdf." in refusal_text("plot", file, "-o", tmp_path / "a.gif")
    assert "Use one of .svg" in refusal_text("plot", file, "-o", file)
    assert "Create it first." in refusal_text("plot", tmp_path / "x.json", "-o", tmp_path / "none" / "a.svg")
    assert "Did you mean 'hand'?" in refusal_text("plot", file, "-o", tmp_path / "a.svg", "--actor", "hnd")
    assert "Frames per second" in refusal_text("plot", file, "-o", tmp_path / "a.svg", "--fps", "0")
    assert [entry.name for entry in tmp_path.iterdir()] == ["walk.json"]


def test_simulated_actor_is_drawn_with_the_scene_or_alone(tmp_path):
    file = save_scene(tmp_path, Stage([*STAGE.actors, Actor("frog", Hopper("hand"))]))
    assert run_command("plot", file, "-o", tmp_path / "alone.svg", "--actor", "frog").exit_code == 0
    assert run_command("plot", file, "-o", tmp_path / "a.svg").exit_code == 0
    assert (tmp_path / "alone.svg").read_bytes() != (tmp_path / "a.svg").read_bytes()
    process = run_process("plot", save_sleeper_scene(tmp_path, 0), "-o", tmp_path / "b.svg", command=SLEEPER_COMMAND)
    assert (process.returncode, process.stderr) == (0, "")


def test_gallery_is_drawn_with_its_page(scripts, tmp_path, monkeypatch):
    monkeypatch.setattr(papers, "scripts", lambda: scripts)
    result = run_command("gallery", "-o", tmp_path / "out")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{tmp_path}/out/README.md: 2 figures.\n"
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["README.md", "kb84-01.svg", "kb84-02.svg"]


def test_a_gallery_needs_a_folder(scripts, tmp_path, monkeypatch):
    monkeypatch.setattr(papers, "scripts", lambda: scripts)
    file = save_scene(tmp_path)
    assert "which is a file. Name a folder." in refusal_text("gallery", "-o", file)
    assert "a file of that name is in the way" in refusal_text("gallery", "-o", file / "out")


def test_gallery_progress_is_shown_on_a_terminal_only(scripts, tmp_path):
    code, stdout, shown = run_on_terminal("gallery", "-o", tmp_path / "out", command=command_with_scripts(scripts))
    assert (code, stdout) == (0, f"{tmp_path}/out/README.md: 2 figures.\n")
    assert "drawing" in shown
    assert "100%" in shown
    process = run_process("gallery", "-o", tmp_path / "out", command=command_with_scripts(scripts))
    assert (process.returncode, process.stderr, process.stdout) == (0, "", stdout)


def test_ctrl_c_leaves_no_gallery_and_no_temporary_folder(scripts, tmp_path):
    started = tmp_path / "started"
    slow = f"import time; open({str(started)!r}, 'w').close(); time.sleep(60)"
    (scripts / "kb84_02.py").write_text(FIGURE.format(number=2, before=slow))
    code, stdout, stderr = run_interrupted(
        "gallery", "-o", tmp_path / "out", command=command_with_scripts(scripts), ready=started.exists
    )
    assert (code, stdout, stderr) == (130, "", "keypose: Stopped. No file was left half-written.\n")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["scripts", "started"]


def test_events_of_a_plotted_shot_are_reported_as_by_shoot(tmp_path):
    moth = DynamicSpline((2, 0, 0), senses={fields.KeepOffset("hand"): 1, fields.Formula("(log(2.5 - x), 0, 0)"): 1})
    file = save_scene(tmp_path, Stage([*STAGE.actors, Actor("moth", moth)]))
    plotted = run_command("plot", file, "-o", tmp_path / "sheet.svg")
    shot = run_command("shoot", file, "-o", tmp_path / "take.csv", "--seconds", "4")
    assert plotted.exit_code == 0
    first, second = plotted.stderr.splitlines()
    assert first.startswith("0 s, moth: 'keeps its offset to hand': Affinity 1 does not settle")
    assert second.endswith("s, moth: Stopped: 'its own formula' has no value where it is.")
    assert shot.stderr == plotted.stderr


def meeting_stage(**options):
    script = Script()
    script.meet({"hand": 1.0, "ring": 0.05}, name="arch", **options)
    return STAGE.changed(script=script)


def test_script_is_drawn_as_a_graph_and_as_a_report(tmp_path):
    stage = meeting_stage()
    file = save_scene(tmp_path, stage)
    for option in ("--graph", "--script"):
        result = run_command("plot", file, option, "-o", tmp_path / f"{option}.svg")
        assert (result.exit_code, result.stdout) == (0, f"{tmp_path / option}.svg: drawn.\n")
    assert (tmp_path / "--graph.svg").read_bytes() == plot(stage.script).as_bytes(".svg")
    take = shoot(stage, expected_duration(stage))
    assert (tmp_path / "--script.svg").read_bytes() == plot(take.script).as_bytes(".svg")
    save(take, tmp_path / "take.npz")
    assert run_command("plot", tmp_path / "take.npz", "--script", "-o", tmp_path / "again.svg").exit_code == 0
    assert (tmp_path / "again.svg").read_bytes() == (tmp_path / "--script.svg").read_bytes()


def test_script_is_drawn_alone_and_only_if_there_is_one(tmp_path):
    file, out = save_scene(tmp_path), tmp_path / "a.svg"
    assert "this scene has no meetings. Leave --script" in refusal_text("plot", file, "--script", "-o", out)
    assert "this scene has no meetings. Leave --script" in refusal_text("plot", file, "--graph", "-o", out)
    both = "Both --graph and --script were to be drawn. Give one"
    assert both in refusal_text("plot", file, "--script", "--graph", "-o", out)
    assert "Both --actor 'hand' and --script" in refusal_text("plot", file, "--script", "--actor", "hand", "-o", out)
    save(shoot(STAGE, 0.5), tmp_path / "a.csv")
    assert "a .csv never has" in refusal_text("plot", tmp_path / "a.csv", "--script", "-o", out)
