"""What does one page see and say? Its messages are read strictly and answered one by one; its pictures are its own."""

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from keypose.errors import KeyposeError
from keypose.studio.error_text import error_text
from keypose.studio.playback.player import Player
from keypose.studio.present.formula_check import check_formula
from keypose.studio.present.scene import encode_json
from keypose.studio.preview.preview import Preview
from keypose.studio.protocol import commands
from keypose.studio.protocol.updates.bodies import CollisionView
from keypose.studio.protocol.updates.meetings import MeetingEventView
from keypose.studio.protocol.updates.updates import (
    AnyUpdate,
    Collisions,
    Done,
    MeetingEvents,
    Notice,
    Progress,
    Refused,
)
from keypose.studio.protocol.version import version_mismatch
from keypose.studio.server.arrow_updates import ArrowUpdates
from keypose.studio.server.outbox import Outbox, Payload
from keypose.studio.session.session import Change
from keypose.timing import check_fps

if TYPE_CHECKING:
    from keypose.studio.server.hub import Hub

MAX_TEXT_LENGTH = 2000  # letters
MIN_FPS, MAX_FPS = 1.0, 1000.0
log = logging.getLogger(__name__)
_decode = msgspec.json.Decoder(commands.AnyMessage).decode


class MessageHeader(msgspec.Struct):
    """As much of a message as is needed to refuse it."""

    id: commands.Index
    protocol: Any = None


class InvalidMessage(Exception):  # noqa: N818 - told to the page as the reason why it is let go
    """Something that is no message at all."""


class Client:
    """A page of the studio."""

    def __init__(self, hub: "Hub") -> None:
        self.hub = hub
        self.outbox = Outbox()
        self.fps = 24.0
        self.disconnect_reason: str | None = None
        self._version_mismatch: str | None = None
        self.player = Player(hub, self._send_frame, self._send_transport, self._warn)
        self.arrows = ArrowUpdates(self)
        self._sent_collisions: tuple[CollisionView, ...] | None = None  # as they were last told
        self._sent_meeting_events: tuple[MeetingEventView, ...] | None = None
        self._changed_actors: set[str] = set()
        self._needs_full_update = False
        self._tasks: set[asyncio.Task[None]] = set()

    # ---- what it says ------------------------------------------------------------------------------------------------

    def receive(self, text: str) -> None:
        """Read a message and carry it out; it is answered now or when the work is done."""
        try:
            message = _decode(text)
        except (msgspec.DecodeError, RecursionError, ValueError, OverflowError) as error:
            header = _message_header(text)
            self._check_version(header.protocol if isinstance(header.protocol, int) else None)
            self.reply(Refused(id=header.id, reason=self._version_mismatch or _invalid_text(error)))
            return
        if isinstance(message, commands.Hello):
            self._check_version(message.protocol)
        if self._version_mismatch is not None:
            self.reply(Refused(id=message.id, reason=self._version_mismatch))
            return
        if isinstance(message, commands.Export):
            self._start_task(self._export(message))
            return
        if isinstance(message, commands.CheckFormula):
            self.reply(check_formula(message))
            return
        self._apply_and_reply(message.id, lambda: self._apply(message))

    def _check_version(self, protocol: int | None) -> None:
        """Refuse all messages of a page that says it was built for another protocol version."""
        if protocol is not None:
            self._version_mismatch = version_mismatch(protocol)

    def _start_task(self, coroutine: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _apply(self, message: commands.Command) -> Change | None:
        """Do what a message says; what changed in the document, if it is about that."""
        match message:
            case commands.Ping():
                pass
            case commands.Hello(fps=fps):
                self.fps = min(max(check_fps(fps), MIN_FPS), MAX_FPS)
                self.send_scene((), is_full=True)
            case commands.Play(time=time, speed=speed, repeat=repeat):
                self.player.play(time, speed, repeat)
            case commands.Pause():
                self.player.pause()
            case commands.Seek(time=time):
                self.player.seek(time)
            case commands.ShowFields(fields=fields, reach=reach):
                self.arrows.set_fields(fields, reach)
            case commands.Live(is_on=True):
                self.player.begin_live()
            case commands.Live():
                self.player.end_live()
            case commands.Point(to=position):
                self.player.move_pointer(position)
            case commands.KeepPointer():
                return self.hub.apply(self.player.pointer_line(message))
            case commands.MoveField() | commands.TurnField() | commands.StretchField() | commands.PlaceField():
                return self.hub.apply(self.player.observed_edit(message))
            case commands.CancelExport():
                self.hub.stop_export()
            case _:
                return self.hub.apply(message)
        return None

    async def _acknowledge(self, message_id: int, change: Change) -> None:
        """Say that a change is done when a crash cannot undo it any more."""
        try:
            await self.hub.flush_journal()
        except Exception as error:
            self._reject(message_id, f"This was changed, but would not survive a crash. {error_text(error)}")
        else:
            self.reply(Done(id=message_id, revision=change.revision, text=change.label))

    async def _export(self, message: commands.Export) -> None:
        try:
            label = await self.hub.export(message)
        except Exception as error:
            self._reject(message.id, error_text(error))
        else:
            self.reply(Done(id=message.id, revision=self.hub.session.revision, text=label))

    def _apply_and_reply(self, message_id: int, apply: Callable[[], Change | None]) -> None:
        """Carry something out and say that it is done, or why not."""
        try:
            change = apply()
        except KeyposeError as error:
            self._reject(message_id, str(error))
        except (RecursionError, MemoryError):
            self.reply(Refused(id=message_id, reason="That is too much at once. Say it in smaller parts."))
        except Exception as error:  # the document is as it was; the studio goes on
            self._reject(message_id, f"{error_text(error)} Nothing was changed.")
        else:
            if change is None:
                self.reply(Done(id=message_id, revision=self.hub.session.revision))
            else:
                self._start_task(self._acknowledge(message_id, change))

    def _reject(self, message_id: int, reason: str) -> None:
        self.reply(Refused(id=message_id, reason=_truncate(self.hub.folder.shorten_paths(reason))))

    # ---- what it sees ------------------------------------------------------------------------------------------------

    def reply(self, update: AnyUpdate) -> None:
        """Tell something that nothing newer replaces. A page that reads none of it is let go."""
        try:
            self.outbox.add_reply(encode_json(update).decode())
        except KeyposeError as error:
            self.disconnect_reason = str(error)

    def send_welcome(self) -> None:
        """Show which files there are by now."""
        self.outbox.set_update("welcome", lambda: encode_json(self.hub.welcome()).decode())

    def send_progress(self, progress: Progress) -> None:
        """Show how far long work is; that it is over, when all that came of it has been shown."""
        update_key, text = ("progress", progress.task), encode_json(progress).decode()
        if progress.is_over:
            self.outbox.set_final_update(update_key, lambda: text)
        else:
            self.outbox.set_update(update_key, lambda: text, urgent=True)

    @property
    def preview(self) -> Preview:
        """What it looks at: the document's film, or its own live run."""
        return self.player.preview

    def send_scene(
        self,
        changed_actors: Collection[str],
        *,
        is_full: bool,
        dragged_actor: str | None = None,
        pending_actors: Collection[str] = (),
    ) -> None:
        """Show what changed: words, trails, and where everybody is now. A hand that drags waits for one trail.

        The trails of those who are `pending_actors` come then.
        """
        if is_full:
            self._needs_full_update, changed_actors = True, self.hub.preview.stage.names
            self.outbox.clear_updates()
            self._sent_collisions = self._sent_meeting_events = None  # they may have been among these
            self.arrows.reset()
        self._changed_actors.update(changed_actors)
        self.outbox.set_update("scene", self._render_scene)
        for name in (
            changed_actors if not pending_actors else [name for name in changed_actors if name not in pending_actors]
        ):
            self.outbox.set_update(("curve", name), partial(self._render_curve, name), urgent=name == dragged_actor)
        self.player.refresh()

    def _render_scene(self) -> Payload | None:
        changed_actors, is_full = self._changed_actors, self._needs_full_update
        self._changed_actors, self._needs_full_update = set(), False
        return self.render(lambda: self.hub.render_scene(changed_actors, is_full))

    def _render_curve(self, name: str) -> Payload | None:
        return self.render(lambda: self.hub.render_curve(name, self.fps))

    def _send_frame(self) -> None:
        """Show where everybody is now, and how the fields push that the page looks at."""
        self.outbox.set_update(
            "poses", lambda: self.render(lambda: self.hub.render_poses(self.player.time, self.preview)), urgent=True
        )
        self.arrows.send()
        collisions = self.preview.collisions
        if collisions is not None and collisions != self._sent_collisions:
            self._sent_collisions = collisions
            self.outbox.set_update("collisions", lambda: encode_json(Collisions(collisions=collisions)).decode())
        meeting_events = self.preview.meeting_events
        if meeting_events != self._sent_meeting_events:
            self._sent_meeting_events = meeting_events
            self.outbox.set_update("meeting_events", lambda: encode_json(MeetingEvents(events=meeting_events)).decode())

    def _send_transport(self) -> None:
        self.outbox.set_update("transport", lambda: encode_json(self.player.view()).decode(), urgent=True)

    def _warn(self, kind: Literal["note", "warning", "error"], text: str) -> None:
        self.reply(Notice(kind=kind, text=_truncate(text)))

    def render(self, render: Callable[[], Payload | None]) -> Payload | None:
        """A picture; one that cannot be drawn is told of, and the page goes on without it."""
        try:
            return render()
        except Exception as error:
            if not isinstance(error, KeyposeError):
                log.exception("A picture could not be drawn.")
            return encode_json(Notice(kind="warning", text=_truncate(f"Something cannot be shown: {error}"))).decode()


def _message_header(text: str) -> MessageHeader:
    """The header of a message that is wrong otherwise."""
    try:
        return msgspec.json.decode(text, type=MessageHeader)
    except (msgspec.DecodeError, RecursionError, ValueError, OverflowError) as error:
        raise InvalidMessage(_invalid_text(error)) from None


def _invalid_text(error: Exception) -> str:
    what = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
    return _truncate(f"The studio does not understand this message: {what}. Reload the page.")


def _truncate(text: str) -> str:
    return text if len(text) <= MAX_TEXT_LENGTH else text[: MAX_TEXT_LENGTH - 1] + "…"
