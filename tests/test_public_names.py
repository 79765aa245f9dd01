"""The public words of the design: each exported once, loaded when first used, called as written."""

import ast
import importlib
import inspect
import pydoc
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import keypose

HEAVY_LIBRARIES = ["numba", "scipy", "sympy", "matplotlib", "mujoco"]

PUBLIC_MODULES = {
    "Key": "curves.key",
    "Turn": "curves.key",
    "at_depth": "curves.key",
    "effects": "curves.effects",
    "MotionPath": "curves.path.motion_path",
    "Orientation": "curves.orientation",
    "fields": "fields",
    "SpeedProfile": "timing.speed_profile",
    "KeyTimes": "timing.key_times",
    "Motion": "motion.motion",
    "Pose": "motion.pose",
    "FaceForward": "motion.facing",
    "LookAt": "motion.facing",
    "Take": "motion.take",
    "Sphere": "physics.values.shapes",
    "Box": "physics.values.shapes",
    "Capsule": "physics.values.shapes",
    "Plane": "physics.values.shapes",
    "Mesh": "physics.values.shapes",
    "Body": "physics.values.body",
    "Follow": "physics.values.movers",
    "Still": "physics.values.movers",
    "Free": "physics.values.movers",
    "Figure": "physics.values.figure",
    "Link": "physics.values.connections",
    "Hinge": "physics.values.connections",
    "Ball": "physics.values.connections",
    "Pin": "physics.values.connections",
    "Spring": "physics.values.connections",
    "Reach": "physics.values.connections",
    "Script": "script.script",
    "Meeting": "script.meeting",
    "turn": "script.meeting",
    "Actor": "stage.actor",
    "Camera": "stage.actor",
    "Stage": "stage.stage",
    "SceneStyle": "stage.scene_style",
    "SceneError": "document.problems",
    "savable": "document.savable",
    "Run": "stage.live_run",
    "shoot": "stage.recorder.shoot",
    "save": "files.formats",
    "load": "files.formats",
    "preview": "studio.server.launch",
    "Studio": "studio.server.launch",
    "KeyposeError": "errors",
    "Mover": "motion.mover",
    "MoverView": "motion.mover",
    "Event": "motion.events",
    "CollisionEvent": "motion.events",
    "MeetingEvent": "motion.events",
    "ScriptReport": "script.report",
    "Snapshot": "stage.live_run",
    "extend": "extend",
}

SIGNATURES = {
    "Key": "(position=None, *, time=None, tension=None, continuity=None, bias=None, arrive=None, leave=None, "
    "orientation=None, relative_to=None, pin=True, name=None)",
    "Turn": "(orientation, *, tension=None, continuity=None, bias=None, arrive=None, leave=None)",
    "MotionPath": "(keys, *, tension=0, continuity=0, bias=0, adjust=None, ends='reflect', closed=False, "
    "turning='casteljau', mass=1, inertia=0, closing=None)",
    "MotionPath.at": "(self, u, out=None)",
    "MotionPath.velocity": "(self, u)",
    "MotionPath.acceleration": "(self, u)",
    "MotionPath.orientation_at": "(self, u)",
    "MotionPath.distance": "(self, u)",
    "MotionPath.parameter": "(self, distance)",
    "MotionPath.along": "(self, distance)",
    "MotionPath.with_key": "(self, key, **changes)",
    "MotionPath.insert": "(self, u, *, keep_shape=True, name=None)",
    "MotionPath.without_key": "(self, key)",
    "SpeedProfile": "(values)",
    "SpeedProfile.through": "(points)",
    "SpeedProfile.steady": "()",
    "SpeedProfile.slow_in_slow_out": "()",
    "SpeedProfile.at": "(self, x)",
    "SpeedProfile.raised": "(self, index, value)",
    "SpeedProfile.inserted": "(self, x, value)",
    "SpeedProfile.without": "(self, index)",
    "KeyTimes": "(times)",
    "KeyTimes.inbetweens": "(counts, fps=24)",
    "Motion": "(path, timing=None, *, duration=None, start=0, capture=None, outside='hold')",
    "Motion.at": "(self, t)",
    "Motion.velocity": "(self, t)",
    "Motion.speed": "(self, t)",
    "Motion.frames": "(self, fps=24)",
    "Motion.retimed": "(self, timing)",
    "Actor": "(name, motion_or_mover, *, parent=None, facing=None, look=None, body=None)",
    "Sphere": "(radius)",
    "Box": "(size)",
    "Capsule": "(radius, length)",
    "Plane": "(normal=(0, 1, 0), offset=0)",
    "Mesh": "(file, scale=1)",
    "Body": "(shape, mass=1, *, bounce=0, friction=0.5, stiffness=None)",
    "Follow": "(path, body, *, within, eagerness=0.5, damping=None, reaction=0.1, correction=0.1, speed=None, "
    "turn_within=10, senses={})",
    "Free": "(body, position, velocity=(0, 0, 0), senses={}, *, orientation=Orientation(w=1, x=0, y=0, z=0), "
    "spin=(0, 0, 0))",
    "Figure": "(root, joints, *, position=(0, 0, 0), orientation=Orientation(w=1, x=0, y=0, z=0), held=False)",
    "Hinge": "(link, to=None, *, at, axis=(0, 0, 1), limits=None, stiffness=0, damping=0, strength=0)",
    "Ball": "(link, to=None, *, at, limit=None, stiffness=0, damping=0, strength=0)",
    "Pin": "(link, to=None)",
    "Spring": "(link, to=None, *, stiffness, damping=0, length=None, at=None, to_at=None)",
    "Reach": "(link, goal, *, within, eagerness=0.5, damping=None, reaction=0.1, correction=0.1, speed=None, "
    "turn_within=10, help=None)",
    "Camera": "(fov=50)",
    "FaceForward": "(bank=0)",
    "LookAt": "(name)",
    "Stage": "(actors, *, fields={}, connections=(), script=None, gravity=(0, 0, 0), style=None)",
    "SceneStyle": "(tension=0, effects=<factory>)",
    "savable": "(word)",
    "Stage.at": "(self, t)",
    "shoot": "(stage, seconds=None, fps=24, *, tick=None, progress=None)",
    "preview": "(thing)",
    "save": "(thing, file)",
    "load": "(file)",
    "Take.at": "(self, t)",
    "Run": "(stage, *, tick=None)",
    "Run.tick": "(self)",
    "Run.snapshot": "(self)",
    "Run.take": "(self, fps=24)",
    "Take.frames": "(self)",
    "Take.to_pandas": "(self)",
    "Take.to_xarray": "(self)",
    "Orientation.turned": "(degrees, about)",
    "Orientation.facing": "(direction, up=(0, 1, 0))",
    "Orientation.from_euler": "(degrees, order='XYZ')",
    "Orientation.from_matrix": "(matrix)",
    "Orientation.to_euler": "(self, order='XYZ')",
    "Orientation.to_matrix": "(self)",
}


def run_code(code):
    """What a fresh interpreter prints, line by line."""
    process = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=300)
    assert process.returncode == 0, process.stderr
    return process.stdout.splitlines()


@pytest.mark.parametrize("word", PUBLIC_MODULES)
def test_public_name_is_the_object_of_its_module(word):
    module = importlib.import_module(f"keypose.{PUBLIC_MODULES[word]}")
    assert getattr(keypose, word) is (module if word in ("effects", "extend", "fields") else getattr(module, word))
    assert word in dir(keypose)


def test_every_public_name_is_exported_once():
    stub = ast.parse(Path(keypose.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    exported = [name.asname for line in ast.walk(stub) if isinstance(line, ast.ImportFrom) for name in line.names]
    assert len(exported) == len(set(exported))
    assert sorted(keypose.__all__) == sorted(exported)
    assert set(PUBLIC_MODULES) <= set(exported)
    for word in exported:
        assert getattr(keypose, word).__doc__, word


@pytest.mark.parametrize("word", SIGNATURES)
def test_public_signature_matches_the_design(word):
    thing = keypose
    for part in word.split("."):
        thing = getattr(thing, part)
    plain = inspect.signature(thing)
    plain = plain.replace(
        parameters=[each.replace(annotation=inspect.Parameter.empty) for each in plain.parameters.values()],
        return_annotation=inspect.Signature.empty,
    )
    assert str(plain).replace(".0", "") == SIGNATURES[word]


def public_callables():
    """Everything public that help() shows a signature of, with the methods of classes."""
    for module in (keypose, keypose.fields, keypose.extend):
        for name in dir(module):
            thing = getattr(module, name)
            methods = inspect.getmembers(thing, callable) if inspect.isclass(thing) else []
            for label, one in [(name, thing), *((f"{name}.{method}", one) for method, one in methods)]:
                if callable(one) and not label.split(".")[-1].startswith("_"):
                    yield label, one


def test_help_shows_array_like_by_name():
    assert "u: numpy.typing.ArrayLike" in pydoc.render_doc(keypose.MotionPath.at, renderer=pydoc.plaintext)
    for label, thing in public_callables():
        with suppress(ValueError, TypeError):  # no signature
            text = str(inspect.signature(thing))
            assert "numpy._typing" not in text, f"{label} shows numpy's union: import ArrayLike from keypose.maths"


@pytest.mark.parametrize("word", ["length", "arrive", "leave"])
def test_path_results_are_properties(word):
    assert not callable(getattr(keypose.MotionPath([(0, 0), (1, 1)]), word))


def test_named_effects_exist():
    values = {name: dict(getattr(keypose.effects, name)) for name in
              ("overshoot", "corner", "tight", "loose", "undershoot", "linear", "still")}  # fmt: skip
    assert values["overshoot"] == {"tension": -0.3, "continuity": 0, "bias": 1}
    for effect in values.values():
        keypose.Key((0, 0), **effect)


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="MotionPth"):
        keypose.MotionPth  # noqa: B018


def test_keypose_errors_are_value_errors():
    assert issubclass(keypose.KeyposeError, ValueError)
    assert issubclass(keypose.UnknownNameError, keypose.KeyposeError)


def test_importing_keypose_loads_nothing_heavy_and_names_load_on_use():
    code = f"""
import sys
import keypose
print([name for name in {HEAVY_LIBRARIES} if name in sys.modules])
print("keypose.curves.path.motion_path" in sys.modules, "keypose.timing.speed_profile" in sys.modules)
keypose.SpeedProfile
print("keypose.motion.motion" in sys.modules, "keypose.timing.speed_profile" in sys.modules)
for word in keypose.__all__:
    getattr(keypose, word)
print([name for name in {HEAVY_LIBRARIES} if name in sys.modules])
"""
    assert run_code(code) == ["[]", "False False", "False True", "[]"]


def test_small_path_and_motion_are_evaluated_without_numba():
    code = f"""
import sys
from keypose import Key, KeyTimes, Motion, MotionPath, Orientation, SpeedProfile
facing = Orientation.turned(40, "y")
path = MotionPath([Key((0, 0, 0), orientation=(1, 0, 0, 0)), (1, 2, 0), Key((2, 0, 1), orientation=facing)])
path.at(0.5), path.at([0.5, 1.5]), path.velocity(0.5), path.orientation_at(0.5), path.length, path.along(1.0)
path.insert(0.5).with_key(1, tension=1).along(1.0)
motion = Motion(path, SpeedProfile([1, 1, 8, 2, 1]), duration=2.0)
motion.at(0.5), motion.velocity(0.5), motion.speed(0.5), motion.frames(24), motion.time_bar(24)
Motion(path, KeyTimes([0, 1, 3])).frames(24)
print([name for name in {HEAVY_LIBRARIES} if name in sys.modules])
"""
    assert run_code(code) == ["[]"]


@pytest.mark.parametrize("example", ["01_a_ring_on_a_hand", "04_articulated_arm"])
def test_small_keyed_scene_is_shot_without_numba(example):
    code = f"""
import sys
import keypose
take = keypose.shoot(keypose.load("examples/{example}.json"))
print(len(take.times) > 24, [name for name in {HEAVY_LIBRARIES} if name in sys.modules])
"""
    assert run_code(code) == ["True []"]


def test_free_body_arguments_have_the_order_of_the_design():
    ball = keypose.Body(keypose.Sphere(0.3), 2.0)
    mover = keypose.Free(ball, (0, 1, 0), (1, 0, 0), {"wind": 0.5})
    assert mover == keypose.Free(ball, position=(0, 1, 0), velocity=(1, 0, 0), senses={"wind": 0.5})


def test_only_the_engine_package_imports_mujoco():
    package = Path(keypose.__file__).parent
    importers = {
        file.relative_to(package).parent.as_posix()
        for file in package.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Import) and any(name.name.split(".")[0] == "mujoco" for name in node.names))
        or (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "mujoco")
    }
    assert importers == {"physics/engine", "physics/engine/contact_model"}
