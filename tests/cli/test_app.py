"""What can be typed, what comes back, and with which exit code; nothing steers the terminal, no traceback is shown."""

import json
import os
import subprocess
import sys
import tomllib
from importlib import import_module, metadata
from pathlib import Path
from types import SimpleNamespace

import pytest
import typer

from keypose import Actor, Key, KeyposeError, Motion, MotionPath, Stage
from keypose.cli.__main__ import InterruptHandler
from keypose.cli.console import ErrorReporter
from keypose.cli.terminal_text import escape_json, escape_line, escape_text, escape_unencodable
from tests.cli.command_line import (
    KEYPOSE,
    ROOT,
    TIMEOUT,
    process_environment,
    refusal_text,
    run_command,
    run_process,
    save_scene,
)

COMMANDS = ["check", "shoot", "plot", "schema", "gallery"]
HOSTILE = "\x1b[31m[red]a\u202e\x07\nb[/]"


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_lists_every_command(option):
    result = run_command(option)
    assert result.exit_code == 0
    assert "Usage: keypose [OPTIONS] COMMAND" in result.stdout
    assert all(f" {command} " in result.stdout for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_its_own_help(command):
    result = run_command(command, "--help")
    assert result.exit_code == 0
    assert f"Usage: keypose {command} " in result.stdout


def test_version_is_printed():
    result = run_command("--version")
    assert (result.exit_code, result.stdout) == (0, f"keypose {metadata.version('keypose')}\n")


@pytest.mark.parametrize("words", [["chekc"], ["check", "--jsno", "x"], ["check"], ["shoot", "a.json"], ["plot"],
    ["shoot", "a.json", "-o", "b.csv", "--fps", "many"], ["plot", "a.json", "-o", "b.svg", "--theme", "pink"],
    ["--loud"]])  # fmt: skip
def test_invalid_command_line_exits_with_2_and_a_message(words):
    result = run_command(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Error" in result.stderr
    assert "Traceback" not in result.stderr


def test_empty_command_line_prints_help():
    assert "Usage: keypose" in run_command().output


def test_program_is_named_keypose_however_it_is_started():
    entry = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]["keypose"]
    module, name = entry.split(":")
    assert callable(getattr(import_module(module), name))
    script = [sys.executable, "-c", f"import sys; from {module} import {name}; sys.argv[0] = 'k'; sys.exit({name}())"]
    for command in (KEYPOSE, script):
        process = run_process("--help", command=command)
        assert (process.returncode, process.stderr) == (0, "")
        assert "Usage: keypose [OPTIONS]" in process.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shell_completion_is_printed(shell):
    environment = process_environment(_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")  # no shell need be the parent
    process = run_process("--show-completion", shell, env=environment)
    assert process.returncode == 0, process.stderr
    assert "_KEYPOSE_COMPLETE" in process.stdout
    assert "keypose" in process.stdout


def test_commands_are_completed():
    environment = process_environment(_KEYPOSE_COMPLETE="complete_bash", COMP_WORDS="keypose sh", COMP_CWORD="1")
    process = run_process(env=environment)
    assert process.stdout.split() == ["shoot"]


def test_traceback_is_shown_only_with_debug(tmp_path):
    process = run_process("check", tmp_path, "--json")
    assert process.returncode == 2
    process = run_process("shoot", tmp_path / "none.json", "-o", tmp_path / "a.csv")
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr.startswith("keypose: ")
    assert "Traceback" not in process.stderr
    words = ["shoot", tmp_path / "none.json", "-o", tmp_path / "a.csv"]
    for arguments in (["--debug", *words], [*words, "--debug"]):
        process = run_process(*arguments)
        assert process.returncode == 2
        assert "Traceback" in process.stderr
        assert process.stderr.splitlines()[-1].startswith("keypose: ")
    assert "Traceback" not in refusal_text(*words), "asked for once, not for ever"


@pytest.mark.parametrize("words", [["--help"], ["schema"], ["--version"], ["check", "--help"]])
def test_full_output_device_is_reported(words):
    with Path("/dev/full").open("w") as full:
        process = run_process(*words, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert process.returncode == 2
    assert (
        process.stderr == "keypose: The system says 'No space left on device'. Try again, or choose another folder.\n"
    )


def test_closed_output_is_no_error(tmp_path):
    line = '"$@" >&- 2>&-; echo $?'
    process = subprocess.run(
        ["sh", "-c", line, "sh", *KEYPOSE, "check", save_scene(tmp_path)],
        env=process_environment(),
        capture_output=True,
    )
    assert process.stdout == b"0\n"


def test_repeated_ctrl_c_is_ignored_while_the_first_is_handled(monkeypatch):
    monkeypatch.setattr("keypose.cli.__main__.time", SimpleNamespace(monotonic=lambda: 1000.0))
    handler = InterruptHandler()
    with pytest.raises(KeyboardInterrupt):
        handler(2, None)
    handler(2, None)
    handler.last_interrupt -= 60  # a minute later nothing has stopped: perhaps the first was lost
    with pytest.raises(KeyboardInterrupt):
        handler(2, None)


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (KeyposeError("A fact. A remedy."), 2, "A fact. A remedy."),
        (MemoryError(), 2, "There is not enough memory for this. Give it less to do at once."),
        (OSError(28, "No space", "/a/b"), 2, "'/a/b' could not be used: the disk is full. Free some space"),
        (OSError("odd"), 2, "The system says 'odd'."),
        (KeyboardInterrupt(), 130, "Stopped. No file was left half-written."),
        (ZeroDivisionError("by zero"), 1, "Something went wrong inside (ZeroDivisionError: by zero). See where"),
    ],
)
def test_every_exception_is_reported_with_message_and_exit_code(error, code, sentence, capsys):
    @ErrorReporter()
    def command():
        raise error

    with pytest.raises(typer.Exit) as ended:
        command()
    assert ended.value.exit_code == code
    assert capsys.readouterr().err.startswith(f"keypose: {sentence}")


@pytest.mark.parametrize("words", [["schema"], ["--help"], ["check", "--json"]])
def test_closed_pipe_ends_the_program_quietly(words, tmp_path):
    files = [save_scene(tmp_path)] * 300 if words[0] == "check" else []
    reading, writing = os.pipe()
    os.close(reading)  # as `| head -1` does when it has its line
    line = [*KEYPOSE, *words, *map(str, files)]
    process = subprocess.run(line, stdout=writing, stderr=subprocess.PIPE, env=process_environment(), timeout=TIMEOUT)
    os.close(writing)
    assert process.stderr == b""


def test_the_schema_is_printed_and_written(tmp_path):
    result = run_command("schema")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["title"] == "A Keypose scene"
    assert run_command("schema", "-o", tmp_path / "s.json").stdout == f"{tmp_path}/s.json: written.\n"
    assert (tmp_path / "s.json").read_text() == result.stdout
    assert "the folder" in refusal_text("schema", "-o", tmp_path / "none" / "s.json")


def test_terminal_control_characters_are_escaped():
    assert escape_line(HOSTILE) == r"\x1b[31m[red]a\u202e\x07\nb[/]"
    assert escape_text("a\nb\x9b") == "a\nb\\x9b"
    assert escape_unencodable("3 × 4", "ascii") == r"3 \xd7 4"
    for encoding in ("utf-8", "ascii", "latin-1", None):
        text = escape_json({"é": HOSTILE + "\x9b\U000e0001\udc80"}, encoding)
        assert json.loads(text) == {"é": HOSTILE + "\x9b\U000e0001\udc80"}
        assert all(letter.isprintable() or letter == "\n" for letter in text)
        text.encode(encoding or "utf-8")


def test_hostile_names_are_printed_escaped(tmp_path):
    stage = Stage([
        Actor(HOSTILE, Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=1.0)),
        Actor("eye", Motion(MotionPath([Key((0, 1, 0)), Key((0, 0, 0), relative_to=HOSTILE)]), duration=0.5)),
    ])  # fmt: skip
    file = save_scene(tmp_path, stage, "[blue]\x1b[2J.json")
    for words in (["check", file], ["shoot", file, "-o", tmp_path / "[b]\x1b.npz"], ["plot", file, "-o",
                  tmp_path / "\x1b.svg"], ["shoot", file, "-o", tmp_path / "a.npz", "--json"],
                  ["plot", file, "-o", tmp_path / "a.svg", "--actor", "\x1b[31m[red]"]):  # fmt: skip
        result = run_command(*words)
        assert result.exit_code == (2 if "--actor" in words else 0), result.output
        assert "\x1b" not in result.output
        assert "\u202e" not in result.output
    assert "[red]a" in run_command("shoot", file, "-o", tmp_path / "a.npz").stdout
    assert "'\\x1b[31m[red]'" in run_command("\x1b[31m[red]").stderr


def test_limited_output_encoding_is_handled(tmp_path):
    file = save_scene(tmp_path, name="größe.json")
    for words in (["check", file], ["check", file, "--json"], ["schema"], ["check", tmp_path / "größ.json"]):
        process = run_process(*words, env=process_environment(PYTHONIOENCODING="ascii"))
        assert process.returncode == (2 if words[-1] == tmp_path / "größ.json" else 0)
        assert "Traceback" not in process.stderr


def loaded_libraries(*words):
    """Which of the heavy libraries a command loads."""
    code = (
        "import atexit, sys\nheavy = ('numpy', 'numba', 'matplotlib', 'scipy', 'rich.progress')\n"
        "atexit.register(lambda: print('loaded', *[name for name in heavy if name in sys.modules], file=sys.stderr))\n"
        "from keypose.cli.__main__ import main\nmain()\n"
    )
    return run_process(*words, command=[sys.executable, "-c", code]).stderr.splitlines()[-1].split()[1:]


def test_help_loads_no_heavy_library_and_check_only_numpy(tmp_path):
    assert loaded_libraries("--help") == []
    assert loaded_libraries("--version") == []
    assert loaded_libraries("check", save_scene(tmp_path)) == ["numpy"]
    shot = loaded_libraries("shoot", save_scene(tmp_path), "-o", tmp_path / "a.csv")
    assert "matplotlib" not in shot
    assert "rich.progress" not in shot
