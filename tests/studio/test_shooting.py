"""What is a page told while those who take ticks are shot? That it lasts until everything that came of it is shown."""

import pytest

from keypose import load
from keypose.stage.recorder.duration import expected_duration
from tests.stage.test_ending import held_up
from tests.studio.scenes import weighty
from tests.studio.visiting import opened


@pytest.fixture
def studio(tmp_path):
    with opened(weighty(), tmp_path) as studio:
        yield studio


def until_over(page):
    """What is told until the work is over, in its order."""
    heard = [page.hear()]
    while not (heard[-1]["is"] == "progress" and heard[-1]["is_over"]):
        heard.append(page.hear())
    return heard


def trail_of(heard, name):
    """When the whole trail of somebody was told."""
    return next(i for i, one in enumerate(heard) if one["is"] == "curve" and one["actor"] == name and len(one["line"]))


def test_the_work_is_over_when_trails_and_hits_have_come_and_of_hits_nothing_is_told_before(studio):
    with studio.visit() as page:
        heard = until_over(page)
        kinds = [one["is"] for one in heard]
        assert trail_of(heard, "ball") < len(heard) - 1
        (hits,) = (i for i, kind in enumerate(kinds) if kind == "hits")
        assert heard[hits]["hits"]
        assert kinds.index("progress") < hits, "what is not shot yet hits nobody knows whom"


def test_from_an_edit_on_until_it_is_shot_it_is_told_that_something_is_under_way(studio):
    with studio.visit() as page:
        until_over(page)
        page.say("set_gravity", to=[0, -3, 0])  # its answer may come before it is shot, or after
        heard = until_over(page)
        assert not next(one for one in heard if one["is"] == "progress")["is_over"]
        assert trail_of(heard, "ball") < len(heard) - 1


def test_another_scene_without_bodies_hits_nobody_and_that_is_told(studio):
    with studio.visit() as page:
        until_over(page)
        page.say("new")
        assert page.hear_until(lambda one: one["is"] == "hits")["hits"] == []


def test_work_that_goes_wrong_in_a_way_nobody_expected_is_over_and_that_is_told(studio, monkeypatch):
    class Failing:
        def __init__(self, *_):
            pass

        async def result(self):
            raise ZeroDivisionError("one step too many")

    with studio.visit() as page:
        until_over(page)
        monkeypatch.setattr("keypose.studio.server.hub.BackgroundJob", Failing)
        page.say("set_gravity", to=[0, -3, 0])
        heard = until_over(page)
        (notice,) = (one for one in heard if one["is"] == "notice")
        assert notice["kind"] == "error"
        assert notice["text"] == "Something went wrong inside (ZeroDivisionError: one step too many)."
        monkeypatch.undo()
        page.say("set_gravity", to=[0, -5, 0])
        assert trail_of(until_over(page), "ball")


def test_where_somebody_is_held_up_the_page_plays_and_exports_until_all_have_met(tmp_path):
    with opened(held_up(), tmp_path) as studio, studio.visit() as page:
        scenes = [one["duration"] for one in until_over(page) if one["is"] == "scene"]
        assert scenes[0] == expected_duration(held_up()) < scenes[-1]
        assert page.ask("export", file="take.npz", fps=24)["is"] == "done"
        assert load(studio.folder / "take.npz").times[-1] == scenes[-1]
