"""What a page is still to be told: answers one by one, pictures always the newest."""

import asyncio

import pytest

from keypose import KeyposeError
from keypose.studio.server.outbox import ClientTimeout, Outbox, send_loop


def told(outbox, count):
    async def heard():
        return [await outbox.next_payload() for _ in range(count)]

    return asyncio.run(heard())


def test_answers_come_first_then_what_is_urgent_then_pictures_in_their_order():
    outbox = Outbox()
    outbox.set_update("scene", lambda: "scene")
    outbox.set_update(("curve", "red"), lambda: "red")
    outbox.set_update("poses", lambda: "poses", urgent=True)
    outbox.add_reply("done 1")
    outbox.add_reply("done 2")
    assert told(outbox, 5) == ["done 1", "done 2", "poses", "scene", "red"]


def test_a_newer_picture_replaces_an_older_one_and_is_drawn_when_it_is_sent():
    outbox, now = Outbox(), [0]
    for _ in range(1000):
        outbox.set_update("poses", lambda: str(now[0]), urgent=True)
        now[0] += 1
    assert len(outbox) == 1
    assert outbox.replaced_count == 999
    assert told(outbox, 1) == ["1000"]


def test_what_is_told_last_waits_for_all_pictures_and_is_not_forgotten_with_them():
    outbox = Outbox()
    outbox.set_update("work", lambda: "half", urgent=True)
    outbox.set_final_update("work", lambda: "over")
    outbox.set_update("scene", lambda: "scene")
    outbox.set_update("poses", lambda: "poses", urgent=True)
    outbox.add_reply("done")
    assert len(outbox) == 4
    assert told(outbox, 4) == ["done", "poses", "scene", "over"]
    outbox.set_final_update("work", lambda: "over")
    outbox.set_update("scene", lambda: "scene")
    outbox.clear_updates()
    assert told(outbox, 1) == ["over"]
    outbox.set_final_update("work", lambda: "over")
    outbox.set_update("work", lambda: "anew", urgent=True)
    assert told(outbox, 1) == ["anew"]
    assert len(outbox) == 0


def test_a_picture_of_what_is_gone_is_left_out():
    outbox = Outbox()
    outbox.set_update("gone", lambda: None)
    outbox.set_update("there", lambda: "there")
    assert told(outbox, 1) == ["there"]


def test_answers_that_nobody_reads_come_to_an_end():
    outbox = Outbox(max_replies=3)
    for number in range(3):
        outbox.add_reply(str(number))
    with pytest.raises(KeyposeError, match="Reload"):
        outbox.add_reply("one more")


def test_a_page_that_takes_nothing_is_not_waited_for():
    class Stuck:
        async def send_text(self, data):
            await asyncio.Event().wait()

        send_bytes = send_text

    async def pumped():
        outbox = Outbox()
        outbox.add_reply("x")
        await send_loop(outbox, Stuck(), timeout=0.01)

    with pytest.raises(ClientTimeout, match=r"0\.01 s"):
        asyncio.run(pumped())
