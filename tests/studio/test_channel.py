"""What a page is still to be told: answers one by one, pictures always the newest."""

import asyncio

import pytest

from keypose import KeyposeError
from keypose.studio.server.outbox import Outbox, Unread, pump


def told(outbox, count):
    async def heard():
        return [await outbox.following() for _ in range(count)]

    return asyncio.run(heard())


def test_answers_come_first_then_what_is_urgent_then_pictures_in_their_order():
    outbox = Outbox()
    outbox.show("scene", lambda: "scene")
    outbox.show(("curve", "red"), lambda: "red")
    outbox.show("poses", lambda: "poses", urgent=True)
    outbox.answer("done 1")
    outbox.answer("done 2")
    assert told(outbox, 5) == ["done 1", "done 2", "poses", "scene", "red"]


def test_a_newer_picture_replaces_an_older_one_and_is_drawn_when_it_is_sent():
    outbox, now = Outbox(), [0]
    for _ in range(1000):
        outbox.show("poses", lambda: str(now[0]), urgent=True)
        now[0] += 1
    assert len(outbox) == 1
    assert outbox.replaced == 999
    assert told(outbox, 1) == ["1000"]


def test_what_is_told_last_waits_for_all_pictures_and_is_not_forgotten_with_them():
    outbox = Outbox()
    outbox.show("work", lambda: "half", urgent=True)
    outbox.show_last("work", lambda: "over")
    outbox.show("scene", lambda: "scene")
    outbox.show("poses", lambda: "poses", urgent=True)
    outbox.answer("done")
    assert len(outbox) == 4
    assert told(outbox, 4) == ["done", "poses", "scene", "over"]
    outbox.show_last("work", lambda: "over")
    outbox.show("scene", lambda: "scene")
    outbox.forget_pictures()
    assert told(outbox, 1) == ["over"]
    outbox.show_last("work", lambda: "over")
    outbox.show("work", lambda: "anew", urgent=True)
    assert told(outbox, 1) == ["anew"]
    assert len(outbox) == 0


def test_a_picture_of_what_is_gone_is_left_out():
    outbox = Outbox()
    outbox.show("gone", lambda: None)
    outbox.show("there", lambda: "there")
    assert told(outbox, 1) == ["there"]


def test_answers_that_nobody_reads_come_to_an_end():
    outbox = Outbox(most_answers=3)
    for number in range(3):
        outbox.answer(str(number))
    with pytest.raises(KeyposeError, match="Reload"):
        outbox.answer("one more")


def test_a_page_that_takes_nothing_is_not_waited_for():
    class Stuck:
        async def send_text(self, data):
            await asyncio.Event().wait()

        send_bytes = send_text

    async def pumped():
        outbox = Outbox()
        outbox.answer("x")
        await pump(outbox, Stuck(), patience=0.01)

    with pytest.raises(Unread, match=r"0\.01 s"):
        asyncio.run(pumped())
