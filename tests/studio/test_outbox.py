"""What a page is still to be told: answers one by one, pictures always the newest."""

import asyncio

import pytest

from keypose import KeyposeError
from keypose.studio.server.outbox import ClientTimeout, Outbox, send_loop


def next_items(outbox, count):
    async def receive():
        return [await outbox.next_payload() for _ in range(count)]

    return asyncio.run(receive())


def test_replies_precede_urgent_updates_which_precede_others_in_order():
    outbox = Outbox()
    outbox.set_update("scene", lambda: "scene")
    outbox.set_update(("curve", "red"), lambda: "red")
    outbox.set_update("poses", lambda: "poses", urgent=True)
    outbox.add_reply("done 1")
    outbox.add_reply("done 2")
    assert next_items(outbox, 5) == ["done 1", "done 2", "poses", "scene", "red"]


def test_newer_update_replaces_older_and_is_built_when_sent():
    outbox, value = Outbox(), [0]
    for _ in range(1000):
        outbox.set_update("poses", lambda: str(value[0]), urgent=True)
        value[0] += 1
    assert len(outbox) == 1
    assert outbox.replaced_count == 999
    assert next_items(outbox, 1) == ["1000"]


def test_final_update_waits_for_all_updates_and_survives_clear():
    outbox = Outbox()
    outbox.set_update("work", lambda: "half", urgent=True)
    outbox.set_final_update("work", lambda: "over")
    outbox.set_update("scene", lambda: "scene")
    outbox.set_update("poses", lambda: "poses", urgent=True)
    outbox.add_reply("done")
    assert len(outbox) == 4
    assert next_items(outbox, 4) == ["done", "poses", "scene", "over"]
    outbox.set_final_update("work", lambda: "over")
    outbox.set_update("scene", lambda: "scene")
    outbox.clear_updates()
    assert next_items(outbox, 1) == ["over"]
    outbox.set_final_update("work", lambda: "over")
    outbox.set_update("work", lambda: "anew", urgent=True)
    assert next_items(outbox, 1) == ["anew"]
    assert len(outbox) == 0


def test_update_of_a_removed_object_is_skipped():
    outbox = Outbox()
    outbox.set_update("gone", lambda: None)
    outbox.set_update("there", lambda: "there")
    assert next_items(outbox, 1) == ["there"]


def test_number_of_unread_replies_is_limited():
    outbox = Outbox(max_replies=3)
    for number in range(3):
        outbox.add_reply(str(number))
    with pytest.raises(KeyposeError, match="Reload"):
        outbox.add_reply("one more")


def test_client_that_reads_nothing_times_out():
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
