"""What tab completion shows of public objects: a change of the public surface is a change of this table."""

import pytest

import keypose
from keypose import (
    Actor,
    Body,
    DynamicSpline,
    Event,
    Key,
    KeyTimes,
    Motion,
    MotionPath,
    Orientation,
    Run,
    Script,
    SpeedProfile,
    Sphere,
    Stage,
    Turn,
    effects,
    fields,
    shoot,
)

PATH = MotionPath([(0, 0, 0), (1, 0, 0)])
MOTION = Motion(PATH, duration=1)
STAGE = Stage([Actor("hand", MOTION), Actor("leaf", DynamicSpline((0, 0, 0)))])
TAKE = shoot(STAGE, 0.1)
RUN = Run(STAGE)

PUBLIC_NAMES = {
    "stage": (STAGE, "actors at changed connections fields gravity names script style with_actor"),
    "path": (
        PATH,
        "acceleration adjust along angular_velocity arrive at closed distance insert keys leave length lost_by_tcb "
        "options orientation_at parameter segments shape timed times velocity with_key without_key",
    ),
    "keys of a path": (PATH.keys, "count index"),
    "key": (
        Key((0, 0, 0)),
        "arrive bias changed continuity leave name orientation pin position relative_to tension time",
    ),
    "motion": (
        MOTION,
        "angular_velocity at capture distance duration frame_times frames key_times nudged outside parameter path "
        "retimed span speed speed_jump start time_bar timing velocity",
    ),
    "actor": (STAGE["hand"], "body changed facing keys look motion motion_or_mover mover name parent"),
    "take": (
        TAKE,
        "at collisions events fps frames meetings names poses script targets times to_pandas to_xarray",
    ),
    "recorded motion": (
        TAKE["hand"],
        "angular_velocity at capture distance duration frame_times frames key_times name nudged orientation outside "
        "parameter path position retimed span speed speed_jump start time_bar times timing velocity",
    ),
    "run": (RUN, "change earliest_time events forget poses rewind snapshot stage take tick ticks time"),
    "snapshot": (RUN.snapshot(), "near ticks time"),
    "pose": (MOTION.at(0.0), "facing orientation position"),
    "speed profile": (
        SpeedProfile.steady(),
        "at covered inserted kind places raised slow_in_slow_out steady through total values without",
    ),
    "key times": (KeyTimes([0, 1]), "duration inbetweens intervals nudged times"),
    "orientation": (
        Orientation.turned(30, (0, 1, 0)),
        "angle_to facing from_euler from_matrix from_xyzw identity inverse of rotate to_euler to_matrix turned w wxyz "
        "x xyzw y z",
    ),
    "turn": (Turn((1, 0, 0, 0)), "arrive bias continuity leave orientation tension"),
    "dynamic spline": (
        DynamicSpline((0, 0, 0)),
        "basis beta continuity friction integrator position senses system_kind velocity watches",
    ),
    "body": (Body(Sphere(1)), "bounce friction mass shape stiffness"),
    "script": (Script(), "actors free_name frozen in_order meet meetings"),
    "event": (Event(0.0, "hand", "text"), "about actor kind text time"),
    "field": (fields.Uniform((0, 1, 0)), "at carried_by delayed during moved pulsing push scaled turned vector within"),
    "formula": (
        fields.Formula("(-y, x, 0)"),
        "at carried_by changed delayed during moved parameters pulsing push scaled text turned unused_parameters "
        "within",
    ),
    "effects": (effects, "Effect corner linear loose overshoot still tight undershoot"),
    "fields": (
        fields,
        "Attractor Avoid Field Formula Keep KeepDistance KeepOffset KeepOnLine KeepOnPlane Noise Pointer Potential "
        "Repeller Slider Spring Uniform Vortex Wall",
    ),
}


@pytest.mark.parametrize("label", PUBLIC_NAMES)
def test_tab_completion_shows_what_a_user_wants(label):
    thing, names = PUBLIC_NAMES[label]
    assert [name for name in dir(thing) if not name.startswith("_")] == names.split()


@pytest.mark.parametrize("label", PUBLIC_NAMES)
def test_every_name_that_tab_completion_shows_can_be_read(label):
    thing, names = PUBLIC_NAMES[label]
    for name in names.split():
        getattr(thing, name)


def test_tab_completion_on_keypose_shows_its_public_names():
    assert [name for name in dir(keypose) if not name.startswith("_")] == sorted(keypose.__all__)
