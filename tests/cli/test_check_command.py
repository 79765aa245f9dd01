"""A checked scene is told with what is in it, or with everything that is wrong with it."""

import json
import sys
from pathlib import Path

import pytest

from keypose import (
    Actor,
    Body,
    DynamicSpline,
    Follow,
    Free,
    Key,
    KeyposeError,
    Motion,
    MotionPath,
    Orientation,
    Script,
    SpeedProfile,
    Sphere,
    Stage,
    Turn,
    fields,
    save,
    shoot,
)
from keypose.cli import scene_input
from tests.cli.command_line import (
    ROOT,
    SLEEPER_COMMAND,
    STAGE,
    refusal_text,
    run_command,
    run_process,
    save_scene,
    save_sleeper_scene,
)


def test_valid_scene_is_summarized(tmp_path):
    file = save_scene(tmp_path)
    result = run_command("check", file)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{file}: 2 actors, 5 keys, 2 s.\n"


def test_fields_are_counted(tmp_path):
    blown = Stage(STAGE.actors, fields={"wind": fields.Uniform((1, 0, 0)), "whirl": fields.Vortex(2)})
    assert "2 actors, 2 fields, 5 keys, 2 s" in run_command("check", save_scene(tmp_path, blown)).stdout
    alone = Stage([], fields={"wind": fields.Uniform((1, 0, 0))})
    assert "walk.json: 1 field, 0 s." in run_command("check", save_scene(tmp_path, alone)).stdout


def test_meetings_are_counted_and_synchronized_motions_are_no_movers(tmp_path):
    script = Script()
    script.meet({"hand": 1.0, "ring": 0.05}, name="start")
    assert (
        "2 actors, 5 keys, 1 meeting, 4 s"
        in run_command("check", save_scene(tmp_path, STAGE.changed(script=script))).stdout
    )
    script.meet({"hand": 2.0, "ring": 0.1}, after="start")
    file = save_scene(tmp_path, STAGE.changed(script=script))
    assert run_command("check", file).stdout == f"{file}: 2 actors, 5 keys, 2 meetings, 4 s.\n"
    (report,) = json.loads(run_command("check", file, "--json").stdout)
    assert (report["meetings"], report["movers"]) == (2, 0)


def test_all_script_problems_are_reported_with_their_path(tmp_path):
    script = Script()
    script.meet({"hand": 1.0, "ring": 0.05}, name="start")
    script.meet({"hand": 2.0}, after="start", patience=3)
    file = save_scene(tmp_path, STAGE.changed(script=script))
    good = file.read_text()
    file.write_text(good.replace('"hand": 1,', '"hnd": 1,').replace('["start"]', '["strat"]'))
    result = run_command("check", file)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines() == [
        f"{file}: script[1].after[0]: It comes after 'strat', which is not in the script. Did you mean 'start'?",
        f"{file}: script[0].goals.hnd: It is a goal for 'hnd', who is not in the scene. Did you mean 'hand'?",
    ]
    file.write_text(good.replace('"hand": 1,', '"hand": 100,').replace('"hand": 2}', '"hand": "up"}'))
    first, second = run_command("check", file).stderr.splitlines()
    assert first.startswith(
        f"{file}: script[0].goals.hand: Meeting 'start' has the goal 100.0 for 'hand', whose path is"
    )
    assert second.startswith(
        f"{file}: script[1].goals.hand: Meeting 'meeting 2' has the goal 'up' for 'hand', and no key"
    )


def test_single_and_zero_counts_are_worded(tmp_path):
    assert run_command("check", save_scene(tmp_path, Stage([]))).stdout.endswith("walk.json: no actors.\n")
    assert "1 actor, 3 keys, 2 s" in run_command("check", save_scene(tmp_path, Stage(STAGE.actors[:1]))).stdout


def test_all_problems_are_reported_with_their_path(tmp_path):
    file = save_scene(tmp_path)
    file.write_text(file.read_text().replace('"parent": "hand"', '"parent": "hnd"').replace("1.5", '"x"'))
    result = run_command("check", file)
    assert (result.exit_code, result.stdout) == (2, "")
    first, second = result.stderr.splitlines()
    assert first.startswith(f"{file}: actors[1].duration: ")
    assert second.startswith(f"{file}: actors[1].parent: ")
    assert "Did you mean 'hand'?" in second


def test_json_output_is_machine_readable(tmp_path):
    good, bad = save_scene(tmp_path), tmp_path / "bad.json"
    bad.write_text('{"keypose": 1, "actors": [{"nme": "x"}]}')
    result = run_command("check", good, bad, tmp_path / "none.json", "--json")
    assert (result.exit_code, result.stderr) == (2, "")
    fine, faulty, missing = json.loads(result.stdout)
    assert fine == {
        "file": str(good), "fine": True, "count": 0, "problems": [], "warnings": [],
        "actors": 2, "fields": 0, "keys": 5, "seconds": 2, "movers": 0, "bodies": 0, "connections": 0,
        "meetings": 0,
    }  # fmt: skip
    assert (faulty["fine"], faulty["count"]) == (False, len(faulty["problems"]))
    assert {"path", "text"} == set(faulty["problems"][0])
    assert "there is no such file" in missing["problems"][0]["text"]


@pytest.mark.parametrize(
    ("example", "counts"),
    [
        ("13_through_the_pegs", "8 actors, 3 keys, 8 movers, 8 bodies, 5 s."),
        ("14_shaking_hands", "2 actors, 6 keys, 2 movers, 8 bodies, 2 connections, 4 s."),
    ],
)
def test_bodies_and_connections_are_counted_and_figure_links_are_no_movers(example, counts):
    file = ROOT / "examples" / f"{example}.json"
    assert run_command("check", file).stdout == f"{file}: {counts}\n"


def test_unstable_trackers_and_unused_parameters_are_warnings(tmp_path):
    swirl = fields.Formula("(-z, 0, x)", k=fields.Slider(2, 0, 5))
    moth = DynamicSpline((2, 0, 0), senses={fields.KeepOffset("hand"): 1, fields.Formula("(x, 0, 0)", q=1): 1})
    file = save_scene(tmp_path, Stage([*STAGE.actors, Actor("moth", moth)], fields={"swirl": swirl}))
    result = run_command("check", file)
    assert result.exit_code == 0
    assert result.stderr.splitlines() == [
        f"{file}: moth: 'keeps its offset to hand': Affinity 1 does not settle with friction 0, response 1 and "
        "memory 0. The largest that settles is 0.666.",
        f"{file}: swirl: The Formula never uses its parameter 'k'. Use it, or leave it out.",
        f"{file}: moth: The Formula never uses its parameter 'q'. Use it, or leave it out.",
    ]
    (report,) = json.loads(run_command("check", file, "--json").stdout)
    assert report["fine"]
    assert len(report["warnings"]) == 3


def test_unstable_trackers_of_bodies_are_warnings(tmp_path):
    senses = {fields.KeepOffset("hand", response=0.1, memory=0.5): 0.5, fields.Formula("(x, 0, 0)", q=1): 1}
    file = save_scene(
        tmp_path, Stage([*STAGE.actors, Actor("moth", Free(Body(Sphere(0.1)), (2, 0, 0), senses=senses))])
    )
    result = run_command("check", file)
    assert result.exit_code == 0
    first, second = result.stderr.splitlines()
    assert first.startswith(f"{file}: moth: 'keeps its offset to hand': No affinity settles")
    assert second == f"{file}: moth: The Formula never uses its parameter 'q'. Use it, or leave it out."


def warnings_of(folder, stage):
    """The lines that `check` prints beside its summary, without the name of the file."""
    file = save_scene(folder, stage)
    result = run_command("check", file)
    assert result.exit_code == 0
    return [line.removeprefix(f"{file}: ") for line in result.stderr.splitlines()]


def test_a_look_that_is_no_colour_is_a_warning(tmp_path):
    good = ("gold", "Gold", "#fc0", "#ffcc0080", "rgb(1 2 3)", "hsl(120, 50%, 50%)", "tab:blue", "C3", "k", "0.5")
    actors = [Actor(f"a{number}", STAGE["hand"].motion, look=look) for number, look in enumerate(good)]
    wrong = [Actor(look, STAGE["hand"].motion, look=look) for look in ("bleu", "#12345", "shiny")]
    assert warnings_of(tmp_path, Stage([*actors, *wrong])) == [
        "bleu: Its look 'bleu' is no colour, so it gets one of the palette. Did you mean 'blue'?",
        "#12345: Its look '#12345' is no colour, so it gets one of the palette. "
        'Give a colour as "gold" or "#ffcc00".',
        'shiny: Its look \'shiny\' is no colour, so it gets one of the palette. Give a colour as "gold" or "#ffcc00".',
    ]


def test_tension_far_beyond_its_scale_is_a_warning(tmp_path):
    turned = Turn(Orientation.turned(30, "y"), bias=-9)
    steep = MotionPath([(0, 0, 0), Key((1, 0, 0), tension=50, continuity=-7), Key((2, 0, 0), orientation=turned)])
    tight = MotionPath([(0, 0, 0), Key((1, 0, 0), tension=-5, bias=5)], tension=50)
    stage = Stage(
        [
            Actor("steep", Motion(steep, duration=1)),
            Actor("tight", Follow(tight, Body(Sphere(0.1)), within=0.4)),
            STAGE["hand"],
        ]
    )
    advice = "far beyond the scale of -1 … 1: the curve swings far out. Give values near the scale."
    assert warnings_of(tmp_path, stage) == [
        f"steep: Key 1 has tension 50 … and 2 more, {advice}",
        f"tight: Its path has tension 50, {advice}",
    ]
    turning = MotionPath([(0, 0, 0), Key((1, 0, 0), orientation=turned)])
    (warning,) = warnings_of(tmp_path, Stage([Actor("turning", Motion(turning, duration=1))]))
    assert warning.startswith("turning: The orientation of key 1 has bias -9, far beyond")


def test_key_times_beside_a_drawn_speed_are_a_warning(tmp_path):
    keys = [Key((0, 0, 0), time=0), Key((1, 0, 0), time=0.25, name="mid"), Key((2, 0, 0), time=1)]
    path, speed = MotionPath(keys), SpeedProfile([1, 2, 1])
    stage = Stage(
        [
            Actor("all", Motion(path, speed, duration=2)),
            Actor("inner", Motion(path, speed)),  # its first and last time give its duration
            Actor("captured", Motion(path, speed, capture={"mid": 0.25})),
            Actor("timed", Motion(path)),
        ]
    )
    advice = "is ignored, since the motion goes by a drawn speed. Leave the timing out, or put the key into capture."
    assert warnings_of(tmp_path, stage) == [
        f"all: The time 0 s of key 0 and those of 2 more keys {advice}",
        f"inner: The time 0.25 s of key 1 {advice}",
    ]


@pytest.mark.parametrize("ending", ["npz", "csv"])
def test_check_of_a_take_says_that_it_is_one_and_what_can_be_done_with_it(tmp_path, ending):
    file = save(shoot(Stage([Actor(f"bird{i}", STAGE["hand"].motion) for i in range(100)])), tmp_path / f"a.{ending}")
    result = run_command("check", file)
    assert result.exit_code == 0
    assert result.stdout == (
        f"{file}: a take, 49 frames of bird0, bird1, bird2, bird3, bird4, bird5 … and 94 more, 2 s at 24 per second.\n"
    )
    assert f"Plot it with 'keypose plot {file} -o sheet.svg'" in result.stderr
    assert run_command("plot", file, "-o", tmp_path / "sheet.svg").exit_code == 0
    (report,) = json.loads(run_command("check", file, "--json").stdout)
    assert (report["fine"], report["take"]["frames"], len(report["take"]["actors"])) == (True, 49, 100)


def test_a_damaged_take_is_a_problem(tmp_path):
    (tmp_path / "a.npz").write_bytes(b"PK nothing")
    result = run_command("check", tmp_path / "a.npz")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "a.npz' cannot be read" in result.stderr


def test_a_scene_is_read_from_standard_input(tmp_path):
    content = save_scene(tmp_path).read_bytes()
    result = run_command("check", "-", input=content)
    assert (result.exit_code, result.stdout) == (0, "standard input: 2 actors, 5 keys, 2 s.\n")
    broken = run_command("check", "-", input=content.replace(b'"parent": "hand"', b'"parent": "hnd"'))
    assert broken.exit_code == 2
    assert broken.stderr.startswith("standard input: actors[1].parent: ")


def test_closed_or_endless_standard_input_is_refused_with_a_sentence(monkeypatch):
    monkeypatch.setattr(scene_input.sys, "stdin", None)
    with pytest.raises(KeyposeError, match="Standard input is closed"):
        scene_input.read_input(Path("-"))
    monkeypatch.setattr("keypose.files.MAX_FILE_BYTES", 10)
    assert "more than 10 bytes" in run_command("check", "-", input=b" " * 11).stderr


def test_unreadable_file_does_not_hide_the_others(tmp_path):
    result = run_command("check", tmp_path / "none.json", tmp_path, save_scene(tmp_path))
    assert result.exit_code == 2
    assert "2 actors" in result.stdout
    assert "there is no such file" in result.stderr
    assert "that is a folder" in result.stderr


def test_thousands_of_problems_are_counted(tmp_path):
    file = tmp_path / "bad.json"
    file.write_text(json.dumps({"keypose": 1, "actors": [{"x": 1}] * 3000}))
    result = run_command("check", file)
    assert result.exit_code == 2
    assert "more." in result.stderr.splitlines()[-1]


@pytest.mark.parametrize("content", [b"", b"\xff", b"null", b"[" * 100_000, b'{"keypose": 99, "actors": []}'])
def test_any_file_content_gets_a_message(content, tmp_path):
    (tmp_path / "bad.json").write_bytes(content)
    result = run_command("check", tmp_path / "bad.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"{tmp_path}/bad.json: ")


def test_mover_without_import_is_reported_with_the_remedy():
    process = run_process("check", ROOT / "examples" / "03_damped_follower.json")
    assert process.returncode == 2
    assert process.stderr.endswith(
        "actors[0].mover.kind: There is no mover 'follower'. Did you mean 'follow'? If not: "
        "First import the Python that makes it @savable; keypose does with --import file.py.\n"
    )


def test_only_requested_python_is_imported(tmp_path):
    example = ROOT / "examples" / "03_damped_follower.py"
    process = run_process("check", example.with_suffix(".json"), "--import", example)
    assert (process.returncode, process.stderr) == (0, "")
    assert "2 actors, 3 keys, 1 mover, 4 s" in process.stdout
    process = run_process("check", "03_damped_follower.json", cwd=example.parent)
    assert process.returncode == 2, "what lies beside a scene is not run"


FAILING_IMPORTS = {
    "raise ValueError('no')": "could not be imported (ValueError: no). Mend it; --debug shows where.",
    "import sys; sys.exit(3)": "could not be imported (SystemExit: 3)",
    "import nothing_at_all": "could not be imported (ModuleNotFoundError: No module named 'nothing_at_all')",
    "def": "could not be imported (SyntaxError: ",
    "from keypose import Key; Key('x')": "position",
}


@pytest.mark.parametrize("python", FAILING_IMPORTS)
def test_failing_import_is_reported(python, tmp_path):
    (tmp_path / "mine.py").write_text(python)
    path = sys.path.copy()
    assert FAILING_IMPORTS[python] in refusal_text("check", save_scene(tmp_path), "--import", tmp_path / "mine.py")
    assert (sys.path, "imported_mine" in sys.modules) == (path, False)
    assert "Install it, or give a file" in refusal_text("check", save_scene(tmp_path), "--import", "nothing_at_all")
    assert "there is no such file. Did you mean 'mine.py'?" in refusal_text(
        "check", "x", "--import", tmp_path / "mien.py"
    )


def test_imported_mover_is_counted(tmp_path):
    process = run_process("check", save_sleeper_scene(tmp_path, 0), command=SLEEPER_COMMAND)
    assert (process.returncode, process.stderr) == (0, "")
    assert "1 actor, 1 mover, does not end by itself" in process.stdout
