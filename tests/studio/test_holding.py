"""A hand moves a field that somebody carries: as the page sees the carrier, without playing the scene to find it."""

import pytest
from numpy.testing import assert_allclose

from keypose import Actor, DynamicSpline, FaceForward, KeyposeError, Stage, fields, shoot
from keypose.studio.edits import key_frames
from keypose.studio.preview.preview import Preview
from keypose.studio.protocol import commands
from tests.studio.living import joined, pass_ticks, visited

WAY = (0.5, 0.25, 2.0)


def carried(wind=(3.0, 0.0, 1.0)):
    """A leaf that turns with the wind and carries a pull, beside an uneven one."""
    leaf = Actor("leaf", DynamicSpline((0, 3, 0), (0, 0, 1), senses={"wind": 1}), facing=FaceForward())
    pull = fields.Spring(1, center=(1, 0, 0)).carried_by("leaf")
    return Stage([leaf], fields={"wind": fields.Uniform(wind), "pull": pull})


@pytest.fixture
def never_played(monkeypatch):
    """Whoever plays the scene to see where somebody is, fails."""

    def played(*_):
        raise AssertionError("The scene was played.")

    monkeypatch.setattr(key_frames, "_simulate_moments", played)
    monkeypatch.setattr(key_frames, "_MOMENTS_CACHE", [])


def handle(page, time):
    return page.preview.handles.at(page.preview.all_poses(time)[0])[1]


@pytest.mark.usefixtures("never_played")
def test_in_the_film_it_goes_with_the_hand_as_the_take_shows_its_carrier(tmp_path):
    def script(workshop):
        page = joined(workshop)
        workshop.preview = Preview(workshop.session.stage, shoot(workshop.session.stage, 2.0, fps=60))
        before = handle(page, 1.5)
        page.says(commands.MoveField, field="pull", by=WAY, time=1.5)
        assert_allclose(handle(page, 1.5)[:3] - before[:3], WAY, atol=1e-9)
        page.says(commands.TurnField, field="pull", by=(0.6, 0.0, 0.8, 0.0), time=1.5)
        page.says(commands.StretchField, field="pull", by=(2.0, 1.0, 1.0), time=1.5)
        assert_allclose(handle(page, 1.5)[:3] - before[:3], WAY, atol=1e-9)

    visited(tmp_path, script, carried())


@pytest.mark.usefixtures("never_played")
def test_in_a_live_run_that_left_the_film_it_goes_with_the_hand(tmp_path):
    def script(workshop):
        page = joined(workshop)
        page.says(commands.Live, is_on=True)
        live = page.player._live_player
        live.pause()
        pass_ticks(live, 12)
        page.says(commands.SetField, field="wind", said={"kind": "uniform", "vector": [0, 0, -9]})
        pass_ticks(live, 24)
        before = handle(page, live.time)
        page.says(commands.MoveField, field="pull", by=WAY, time=live.time)
        assert_allclose(handle(page, live.time)[:3] - before[:3], WAY, atol=1e-9)

    visited(tmp_path, script, carried())


@pytest.mark.usefixtures("never_played")
def test_until_its_carrier_was_shot_it_goes_with_the_hand_too(tmp_path):
    def script(workshop):
        page = joined(workshop)
        before = handle(page, 1.0)
        page.says(commands.MoveField, field="pull", by=WAY, time=1.0, gesture="drag")
        page.says(commands.MoveField, field="pull", by=WAY, time=1.0, gesture="drag")
        assert_allclose(handle(page, 1.0)[:3] - before[:3], WAY, atol=1e-9)
        assert workshop.session.steps.undo == "move the field pull"

    visited(tmp_path, script, carried())


@pytest.mark.parametrize("time", [float("nan"), float("inf")])
def test_at_no_moment_at_all_nothing_is_moved(tmp_path, time):
    def script(workshop):
        page = joined(workshop)
        with pytest.raises(KeyposeError, match="The moment at which a field is held"):
            page.says(commands.MoveField, field="pull", by=WAY, time=time)

    visited(tmp_path, script, carried())


def test_a_field_that_is_not_there_is_missed(tmp_path):
    def script(workshop):
        assert "'pul'" in joined(workshop).refuses(commands.MoveField, field="pul", by=WAY)

    visited(tmp_path, script, carried())
