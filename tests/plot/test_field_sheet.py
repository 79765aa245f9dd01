"""A field is looked at on a plane: arrows, lines of flow and strength, as a front, a top or a side view sees it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Actor, DynamicSpline, Key, KeyposeError, Motion, MotionPath, Orientation, Stage, fields, plot, shoot
from keypose.plot.field.plane import parse_plane, visible_area
from keypose.plot.field.scene import field_regions, resolve_scene

WIND = fields.Uniform((0.4, 0, 0)) + fields.Vortex(2.0)
PULL = fields.Attractor(3.0)
WALK = Motion(MotionPath([(0, 0, 0), (8, 2, 0)]), duration=2.0)
STAGE = Stage([Actor("lamp", WALK), Actor("other/1", WALK), Actor("other/2", WALK)])


def sheet_axes(sheet):
    """Arrows, lines of flow, and the bar of strengths."""
    return sheet.figure.axes


def arrows(sheet):
    """Where the arrows are (n, 2), and the way they point (n, 2)."""
    (quiver,) = [each for each in sheet_axes(sheet)[0].collections if hasattr(each, "U")]
    return np.stack([quiver.X, quiver.Y], axis=-1), np.stack([quiver.U, quiver.V], axis=-1)


def figure_text(sheet):
    return " ".join(text.get_text() for text in sheet.figure.texts)


def shown_limits(sheet):
    ax = sheet_axes(sheet)[0]
    return (*ax.get_xlim(), *ax.get_ylim())


# ---- what is drawn ---------------------------------------------------------------------------------------------------


def test_field_sheet_has_arrows_flow_lines_and_a_strength_bar_with_unit():
    sheet = plot(WIND, plane="xz")
    assert [ax.get_title(loc="left") for ax in sheet_axes(sheet)[:2]] == ["arrows", "lines of flow"]
    assert sheet_axes(sheet)[2].get_title() == "m/s²"
    assert [sheet_axes(sheet)[0].get_xlabel(), sheet_axes(sheet)[0].get_ylabel()] == ["x [m]", "z [m]"]
    assert "uniform (0.4, 0, 0) + vortex 2 " in figure_text(sheet)
    assert "plane xz at y = 0 m, at 0 s" in figure_text(sheet)


@pytest.mark.parametrize(
    ("show", "titles", "bar"),
    [
        ("arrows", ["arrows"], False),
        ("lines", ["lines of flow"], False),
        ("strength", ["strength"], True),
        (("arrows", "strength"), ["arrows"], True),
        (["lines", "arrows"], ["arrows", "lines of flow"], False),
    ],
)
def test_shown_parts_of_a_field_can_be_selected(show, titles, bar):
    sheet = plot(WIND, plane="xz", show=show)
    assert [ax.get_title(loc="left") for ax in sheet_axes(sheet) if ax.get_title(loc="left")] == titles
    panel = sheet_axes(sheet)[0]
    assert len(sheet_axes(sheet)) == len(titles) + bar
    assert bool(panel.images) == bar
    assert any(hasattr(each, "U") for each in panel.collections) == ("arrows" in titles)
    assert ("the longest arrow" in figure_text(sheet)) == ("arrows" in titles)


@pytest.mark.parametrize("show", ["flow", (), ("arrows", "wind"), 3])
def test_unknown_part_of_a_field_sheet_is_refused(show):
    with pytest.raises(KeyposeError, match=r"A field is to show"):
        plot(WIND, show=show)


def test_title_of_a_turned_field_has_its_degrees():
    assert "vortex 2, turned 30° about y" in figure_text(plot(fields.Vortex(2.0).turned(30, "y")))


def test_arrows_point_where_the_field_pushes():
    place, vectors = arrows(plot(PULL, extent=3))
    assert len(place) == 20 * 20
    toward = -place / np.linalg.norm(place, axis=1, keepdims=True)
    assert_allclose(np.sum(toward * vectors, axis=1), np.linalg.norm(vectors, axis=1))


def test_arrows_are_to_scale_up_to_a_stated_length():
    place, vectors = arrows(plot(fields.Spring(1.0), extent=2))
    length, strength = np.linalg.norm(vectors, axis=1), np.linalg.norm(place, axis=1)
    weak = strength < 1.9
    assert_allclose(length[weak] / strength[weak], length[0] / 2)
    assert_allclose(length[strength > 2], length[0])
    assert "the longest arrow: 2 m/s² or more" in figure_text(plot(fields.Spring(1.0), extent=2))


@pytest.mark.parametrize(
    ("plane", "across", "up", "near"),
    [
        ("xy", (1, 0, 0), (0, 1, 0), (0, 0, 1)),
        ("xz", (1, 0, 0), (0, 0, -1), (0, 1, 0)),
        ("yz", (0, 0, -1), (0, 1, 0), (1, 0, 0)),
    ],
)
def test_planes_match_front_top_and_side_views(plane, across, up, near):
    for vector, direction in ((across, (1, 0)), (up, (0, 1))):
        found = arrows(plot(fields.Uniform(vector), plane=plane))[1][0]
        assert_allclose(found / np.linalg.norm(found), direction, atol=1e-12)
    letter = "xyz"[np.flatnonzero(near)[0]]
    for sign, mark in ((1, "towards the eye"), (-1, "away")):
        sheet = plot(fields.Uniform(sign * np.array(near)), plane=plane)
        assert_allclose(arrows(sheet)[1], 0, atol=1e-12)
        assert f"● towards the eye (+{letter}), × away" in figure_text(sheet)
        assert mark in figure_text(sheet)


def test_axis_numbers_are_world_coordinates():
    plane = parse_plane("yz", 0.0)
    assert_allclose(plane.to_space(np.array([2.0, 1.0])), (0, 1, -2))
    sheet = plot(PULL, plane="yz", extent=((0, 2), (1, 3)))  # y from 0 to 2, z from 1 to 3
    assert shown_limits(sheet) == pytest.approx((-3, -1, 0, 2))
    sheet.as_bytes(".svg", dpi=50)
    assert {label.get_text() for label in sheet_axes(sheet)[0].get_xticklabels()} >= {"3", "2", "1"}


def test_offset_plane_shows_the_field_there():
    far = fields.Attractor(3.0, center=(0, 0, 5))
    assert "×" not in figure_text(plot(far, offset=5))
    assert "●" in figure_text(plot(far))
    assert "at z = 5 m" in figure_text(plot(far, offset=5))


def test_given_time_shows_the_field_at_that_time():
    gust = fields.Uniform((1, 0, 0)).during(1, 2)
    assert "it pushes nowhere here" in figure_text(plot(gust))
    assert_allclose(arrows(plot(gust, t=1.5))[1][:, 1], 0)
    assert "at 1.5 s" in figure_text(plot(gust, t=1.5))


def test_undefined_values_are_grey_and_explained():
    sheet = plot(fields.Formula("(log(x), 0, 0)"))
    assert "grey: it has no value there" in figure_text(sheet)
    image = sheet_axes(sheet)[0].images[0].get_array()
    assert image.mask[:, :80].all()
    assert not image.mask[:, 81:].any()


def test_wide_strength_ranges_use_a_logarithmic_scale():
    assert sheet_axes(plot(PULL))[2].get_yscale() == "log"
    assert sheet_axes(plot(fields.Spring(1.0)))[2].get_yscale() == "linear"


# ---- how large a piece -----------------------------------------------------------------------------------------------


def test_default_extent_contains_all_centres():
    two = PULL.moved((6, 0, 0)) + fields.Repeller(1.0, center=(-3, 0, 0)).turned(90, "z").scaled(2)
    left, right, low, high = shown_limits(plot(two))
    assert left < -4
    assert right > 8
    assert low < -8
    assert high > 2


@pytest.mark.parametrize(
    ("field", "place", "reach"),
    [
        (fields.Uniform((1, 0, 0)), (0, 0, 0), 2),
        (fields.Wall((0, 4, 0), (0, 1, 0), 1.0, 6.0), (0, 4, 0), 9),
        (fields.Noise(1.0, scale=5.0), (0, 0, 0), 15),
        (PULL.within(7.0, center=(1, 0, 0)), (1, 0, 0), 7),
        (PULL.within(size=(2, 8, 4)), (0, 0, 0), 4),
        (fields.Uniform((1, 0, 0)).moved((5, 0, 0)), (5, 0, 0), 2),
        (fields.Formula("(x, y, z)").during(0, 1), (0, 0, 0), 2),
    ],
)
def test_each_field_kind_has_its_region(field, place, reach):
    scene = resolve_scene(field, None, 0.0)
    ((found, size),) = field_regions(field, scene.pose_lookup, 0.0)
    assert_allclose(found, place)
    assert size == reach


def test_numeric_extent_is_the_half_width():
    assert shown_limits(plot(PULL, extent=4)) == pytest.approx((-4, 4, -4, 4))


def test_rectangular_extents_are_shown_whole_at_one_scale():
    left, right, low, high = shown_limits(plot(PULL, extent=((0, 1), (0, 4))))
    assert (low, high) == pytest.approx((0, 4))
    assert right - left == pytest.approx(4)


@pytest.mark.parametrize("extent", [2e-9, 1e-3, 1e4, 1e9, ((1e8, 1e8 + 200), (-1e3, 1e3))])
@pytest.mark.parametrize("field", [WIND, PULL, fields.Spring(1e90), fields.Uniform((1e-90, 0, 0))], ids=repr)
def test_any_extent_of_any_field_can_be_drawn(field, extent):
    assert plot(field, extent=extent, plane="xz", offset=0.1).as_bytes(".png", dpi=30)


# ---- carried ---------------------------------------------------------------------------------------------------------


def test_carried_field_is_at_its_carrier_position_at_that_time():
    sheet = plot(PULL.carried_by("lamp"), stage=STAGE, t=1.0)
    place, vectors = arrows(sheet)
    toward = np.array([4.0, 1.0]) - place
    assert_allclose(np.sum(toward * vectors, axis=1), np.linalg.norm(toward, axis=1) * np.linalg.norm(vectors, axis=1))
    assert [text.get_text() for text in sheet_axes(sheet)[0].texts if text.get_text()] == ["lamp"]
    assert "stage=" not in figure_text(sheet)


def test_carried_field_without_a_stage_is_drawn_around_the_origin_and_noted():
    sheet = plot(PULL.carried_by("lamp"))
    assert "carried by 'lamp', and shown around the origin of who carries it: stage= shows where" in figure_text(sheet)
    assert_allclose(arrows(sheet)[1], arrows(plot(PULL))[1])
    crowd = plot(PULL.carried_by("bird/*").delayed(3.0))
    assert "'bird/*'" in figure_text(crowd)
    assert_allclose(arrows(crowd)[1], arrows(plot(PULL))[1])
    many = plot(PULL.carried_by(("a", "b", "c")))
    assert "'a' and 2 others" in figure_text(many)


def test_carried_field_turns_with_its_carrier():
    turned = Motion(MotionPath([Key((0, 0, 0), orientation=Orientation.turned(90, "z"))] * 2), duration=1.0)
    jet = fields.Uniform((1, 0, 0)).carried_by("fan")
    direction = arrows(plot(jet, stage=Stage([Actor("fan", turned)])))[1][0]
    assert_allclose(direction / np.linalg.norm(direction), (0, 1), atol=1e-12)


def test_group_on_a_stage_includes_all_its_members():
    sheet = plot(PULL.carried_by("other/*"), stage=STAGE, t=1.0)
    assert {text.get_text() for text in sheet_axes(sheet)[0].texts} >= {"other/1", "other/2"}


def test_carriers_are_simulated_on_a_stage_or_read_from_a_take():
    stage = Stage([Actor("moth", DynamicSpline((0, 1, 0), (2, 0, 0)))])
    for where in (stage, shoot(stage, 2.0)):
        scene = resolve_scene(PULL.carried_by("moth"), where, 1.0)
        assert_allclose(scene.carriers["moth"], (2, 1, 0), atol=1e-9)


def test_delayed_field_is_drawn_from_its_past_carrier_position():
    late = PULL.carried_by("lamp").delayed(4.0)
    place, vectors = arrows(plot(late, stage=STAGE, t=2.0, extent=9))
    near, far = (np.argmin(np.linalg.norm(place - spot, axis=1)) for spot in ([7.0, 2.0], [-9.0, 2.0]))
    aims = [np.arctan2(*vectors[index][::-1]) for index in (near, far)]
    now = [np.arctan2(*([8.0, 2.0] - place[index])[::-1]) for index in (near, far)]
    assert abs(aims[1] - now[1]) > 0.05  # what is far away pulls to where the lamp was
    assert abs(aims[0] - now[0]) > 0  # and what is near nearly to where it is


# ---- the same every time, in both looks ------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", [".svg", ".png", ".pdf"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_field_sheet_is_byte_identical_when_drawn_again(ending, theme):
    one, two = (plot(WIND + PULL.carried_by("lamp"), theme=theme, stage=STAGE).as_bytes(ending, dpi=40) for _ in "ab")
    assert one == two


def test_strength_uses_one_hue_of_monotonic_brightness():
    for theme, sign in (("light", -1), ("dark", 1)):
        ramp = sheet_axes(plot(WIND, theme=theme))[0].images[0].get_cmap()
        brightness = ramp(np.linspace(0, 1, 9))[:, :3] @ [0.2126, 0.7152, 0.0722]
        assert (sign * np.diff(brightness) > 0).all()


# ---- bad input -------------------------------------------------------------------------------------------------------

INVALID = {
    "an unknown plane": (lambda: plot(PULL, plane="xw"), "plane='xw'.*xy"),
    "an offset that is none": (lambda: plot(PULL, offset=np.nan), "offset of a plane"),
    "an offset beyond all": (lambda: plot(PULL, offset=1e12), "1e[+]12 m away"),
    "a moment that is none": (lambda: plot(PULL, t="noon"), "moment at which a field"),
    "no extent at all": (lambda: plot(PULL, extent=0), "Give low before high"),
    "an extent the wrong way round": (lambda: plot(PULL, extent=((2, 1), (0, 1))), "Give low before high"),
    "an extent of three": (lambda: plot(PULL, extent=(1, 2, 3)), "metres on each side"),
    "an extent too small for where it is": (lambda: plot(PULL, extent=((1e6, 1e6 + 1e-3), (0, 1))), "low before high"),
    "an extent too thin to be seen": (lambda: plot(PULL, extent=((0, 1e-9), (0, 1e9))), "not too thin"),
    "a centre too far away": (lambda: plot(fields.Attractor(1.0, center=(1e30, 0, 0))), "extent=3"),
    "what is no stage": (lambda: plot(PULL, stage="here"), "Give a stage or a take"),
    "a carrier who is not there": (lambda: plot(PULL.carried_by("lmap"), stage=STAGE), "'lmap'.*'lamp'"),
    "a group of nobody": (lambda: plot(PULL.carried_by("bird/*"), stage=STAGE), "nobody is in it"),
    "a plane for a motion": (lambda: plot(WALK, plane="xy"), "plane='xy'. Only a field"),
    "a moment for a stage": (lambda: plot(STAGE, t=1.0), "t=1.0. Only a field"),
    "seconds for a field": (lambda: plot(PULL, seconds=3), "Only a stage is told how long"),
    "a tracker": (lambda: plot(fields.KeepOffset("lamp")), "a field, a script, a stage or a take"),
    "a shot that would never end": (
        lambda: plot(PULL.carried_by("moth"), stage=Stage([Actor("moth", DynamicSpline((0, 0, 0)))]), t=1e6),
        "Give a take",
    ),
}


@pytest.mark.parametrize("case", INVALID)
def test_invalid_input_is_refused_with_reason(case):
    call, message = INVALID[case]
    with pytest.raises(KeyposeError, match=message):
        call()


def test_extent_is_projected_with_its_plane():
    low, high = visible_area(parse_plane("xz", 0.0), ((0, 1), (2, 5)), ())
    assert_allclose([low, high], [(0, -5), (1, -2)])
