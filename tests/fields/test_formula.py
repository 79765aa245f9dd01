"""A field as it was typed: a value among values, that answers for every place and moment."""

import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

from keypose.errors import KeyposeError, UnknownNameError
from keypose.fields.formula.formula import Formula, Potential
from keypose.fields.formula.parameter import Slider

SWIRL = Formula("(-y, x, 0) * exp(-r**2) * strength", strength=Slider(2, 0, 5))


def test_swirl_pushes_perpendicular_to_its_centre():
    places = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 0], [0.3, -0.2, 0.6]])
    pushes = SWIRL.at(places)
    assert pushes.shape == (4, 3)
    assert np.einsum("ni,ni->n", pushes, places) == pytest.approx(0, abs=1e-15)
    assert pushes[0] == pytest.approx((0, 2 * np.exp(-1), 0))


def test_flat_position_has_depth_zero():
    field = Formula("(x, y, 7 + z)")
    assert field.at((1, 2)).tolist() == [1, 2, 7]
    assert field.at([[(1, 2), (3, 4)]]).tolist() == [[[1, 2, 7], [3, 4, 7]]]


def test_a_constant_is_the_same_everywhere():
    assert Formula("(0, -9.81, 0)").at(np.zeros((2, 4, 3))).tolist() == [[[0, -9.81, 0]] * 4] * 2


def test_formula_may_depend_on_time_and_velocity():
    field = Formula("(t, -drag * vy, vx + vz)", drag=0.5)
    assert field.at((0, 0, 0), 2.0, (1, 2, 3)).tolist() == [2, -1, 4]
    assert field.at((0, 0, 0), 2.0).tolist() == [2, 0, 0]
    assert field.at(np.zeros((3, 3)), [1, 2, 3])[:, 0].tolist() == [1, 2, 3]
    assert field.at(np.zeros((3, 3)), 1.0, (0, 2, 0))[:, 1].tolist() == [-1, -1, -1]
    assert field.at(np.zeros((2, 3)), 1.0, [(0, 2), (0, 4)])[:, 1].tolist() == [-1, -2]


def test_no_positions_give_an_empty_result():
    assert SWIRL.at(np.zeros((0, 3))).shape == (0, 3)


def test_undefined_values_are_nan_or_infinite_without_a_warning():
    field = Formula("(1 / x, log(x), x**x + exp(1000 * y) % 0)")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = field.at([(0, 1, 0), (-1.5, 0, 0), (1, 0, 0)])
    assert found[0, 0] == np.inf
    assert np.isnan(found[1, 1:]).all()
    assert np.isfinite(found[2, :2]).all()


def test_result_is_a_new_array_and_the_input_is_unchanged():
    places = np.ones((5, 3))
    found = Formula("(x, y, z)").at(places)
    found[:] = 0
    assert (places == 1).all()


def test_strided_input_gives_bitwise_identical_results():
    table = np.random.default_rng(1).normal(size=(200, 7))
    assert (SWIRL.at(table[:, 2:5]) == SWIRL.at(table[:, 2:5].copy())).all()


def test_equal_text_and_parameters_are_equal_and_can_be_keys():
    same = Formula("(-y, x, 0) * exp(-r**2) * strength", strength=Slider(2, 0, 5))
    assert same == SWIRL
    assert {same: 1}[SWIRL] == 1
    assert same != SWIRL.changed(strength=3)
    assert Formula("(a, b)", a=1, b=2) == Formula("(a, b)", b=2.0, a=1.0)
    assert Formula("(a, 0)", a=1) != Formula("(a, 0)", a=Slider(1, 0, 2))
    assert Potential("r") != Potential("r ")
    assert Potential("x") != "x"


@pytest.mark.parametrize(
    "field", [SWIRL, Potential("k * r**2", k=3, unused_parameters=Slider(0, -1, 1)), Formula("(1, 2)")]
)
def test_repr_is_code_and_formulas_can_be_pickled(field):
    assert eval(repr(field)) == field
    field.at(np.zeros((1, 3)))
    assert pickle.loads(pickle.dumps(field)) == field


def test_formula_is_immutable():
    with pytest.raises(AttributeError, match=r"A Formula does not change. Make another, or use \.changed"):
        SWIRL.text = "(0, 0, 0)"
    with pytest.raises(AttributeError):
        del SWIRL.text
    with pytest.raises(TypeError):
        SWIRL.parameters["strength"] = 3


def test_number_moves_a_slider_and_slider_replaces_it():
    assert SWIRL.changed(strength=3).parameters["strength"] == Slider(3, 0, 5)
    assert SWIRL.changed(strength=Slider(30, 0, 50)).parameters["strength"] == Slider(30, 0, 50)
    assert Formula("(a, 0)", a=1).changed(a=2).parameters == {"a": 2.0}
    assert SWIRL.changed() == SWIRL
    assert SWIRL.changed(strength=4).at((1, 0, 0)) == pytest.approx(2 * SWIRL.at((1, 0, 0)))


def test_a_slider_stays_in_its_range():
    with pytest.raises(KeyposeError, match=r"A slider from 0 to 5 has value 6. Give one between them."):
        SWIRL.changed(strength=6)
    with pytest.raises(KeyposeError, match=r"A slider goes from 2 to 2. Give a high that is above its low."):
        Slider(2, 2, 2)


def test_changing_an_unknown_parameter_suggests_a_known_one():
    with pytest.raises(UnknownNameError, match=r"has no parameter 'strenght'. Did you mean 'strength'") as refusal:
        SWIRL.changed(strenght=3)
    assert refusal.value.at == ("strenght",)


def test_text_and_self_are_valid_parameter_names():
    assert Formula("(text, self)", text=1, self=2).changed(self=3).at((0, 0, 0)).tolist() == [1, 3, 0]


@pytest.mark.parametrize("name", ["x", "r", "vx", "pi", "sin", "where"])
def test_parameter_cannot_use_a_reserved_name(name):
    with pytest.raises(KeyposeError, match=f"A formula already knows what '{name}' is") as refusal:
        Formula("(x, y)", **{name: 1.0})
    assert refusal.value.at == (name,)


@pytest.mark.parametrize("name", ["lambda", "a b", "", "ä", "ｋ", "__class__", "1k", "a" * 1000 + "!"])
def test_a_parameter_has_a_plain_name(name):
    with pytest.raises(KeyposeError, match="Give it a plain name of letters a to z") as refusal:
        Formula("(x, y)", **{name: 1.0})
    assert len(str(refusal.value)) < 400


@pytest.mark.parametrize("value", [None, "2", float("nan"), float("inf"), True, 2j, [1.0]])
def test_a_parameter_is_a_finite_number_or_a_slider(value):
    with pytest.raises(KeyposeError, match=r"A formula's parameter 'k' is .* Give a finite number, or Slider"):
        Formula("(k, 0)", k=value)


@pytest.mark.parametrize("text", [None, 3, b"(x, y)", ["(x, y)"]])
def test_a_formula_is_text(text):
    with pytest.raises(KeyposeError, match=r"Give it text, such as '\(-y, x, 0\)"):
        Formula(text)
    with pytest.raises(KeyposeError, match=r"A Potential is given .* such as 'r\*\*2 / 2'"):
        Potential(text)


@pytest.mark.parametrize("position", [3.0, (1,), (1, 2, 3, 4), np.zeros((3, 0)), [], "xyz", None])
def test_a_position_has_two_or_three_numbers(position):
    with pytest.raises(KeyposeError, match="A field's positions"):
        SWIRL.at(position)


@pytest.mark.parametrize(("t", "velocity"), [([1, 2], None), (np.zeros((3, 1)), None), (0, np.zeros((2, 3)))])
def test_times_and_velocities_must_match_the_positions(t, velocity):
    with pytest.raises(KeyposeError, match=r"A field is asked for positions \(3, 3\), times .* for each position"):
        SWIRL.at(np.zeros((3, 3)), t, velocity)


def test_small_batches_do_not_load_numba():
    code = (
        "import sys; from keypose.fields.formula.formula import Formula, Potential; import numpy as np;"
        "Formula('(sin(x), y)').at(np.zeros((1000, 3))); Potential('exp(-r)').at((0, 0, 0));"
        "assert not {'numba', 'sympy', 'scipy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_unused_parameters_are_reported():
    assert Formula("(swirl * x, 0, 0)", swirl=2, wirl=3).unused_parameters == ("wirl",)
    assert Potential("k + x", k=1).unused_parameters == ()
    assert "'wirl'" in Formula("(x, 0, 0)", wirl=3).unused_message("wirl")
