"""What does one page see and say? Its messages are read strictly and answered one by one; its pictures are its own."""

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Literal

import msgspec

from keypose.errors import KeyposeError
from keypose.studio.error_text import why
from keypose.studio.playback.player import Projector
from keypose.studio.present.formula_check import checked
from keypose.studio.present.scene import encoded
from keypose.studio.preview.preview import Film
from keypose.studio.protocol import commands as say
from keypose.studio.protocol.updates.bodies import HitView
from keypose.studio.protocol.updates.meetings import AppointmentView
from keypose.studio.protocol.updates.updates import AnyView, Appointments, Done, Hits, Notice, Progress, Refused
from keypose.studio.server.arrow_updates import ArrowsShown
from keypose.studio.server.outbox import Outbox, Payload
from keypose.studio.session.session import Change
from keypose.timing.frames import checked_fps

if TYPE_CHECKING:
    from keypose.studio.server.hub import Workshop

LONGEST_SENTENCE = 2000  # letters
FEWEST_FPS, MOST_FPS = 1.0, 1000.0
log = logging.getLogger(__name__)
_read = msgspec.json.Decoder(say.AnyMessage).decode


class Numbered(msgspec.Struct):
    """As much of a message as is needed to refuse it."""

    id: say.Index


class Unanswerable(Exception):  # noqa: N818 - told to the page as the reason why it is let go
    """Something that is no message at all."""


class Visitor:
    """A page of the studio."""

    def __init__(self, workshop: "Workshop") -> None:
        self.workshop = workshop
        self.outbox = Outbox()
        self.fps = 24.0
        self.lost: str | None = None
        self.transport = Projector(workshop, self._show_moment, self._show_transport, self._warn)
        self._arrows = ArrowsShown(self)
        self._hits: tuple[HitView, ...] | None = None  # as they were last told
        self._appointments: tuple[AppointmentView, ...] | None = None
        self._changed: set[str] = set()
        self._whole = False
        self._tasks: set[asyncio.Task[None]] = set()

    # ---- what it says ------------------------------------------------------------------------------------------------

    def hear(self, text: str) -> None:
        """Read a message and carry it out; it is answered now or when the work is done."""
        try:
            message = _read(text)
        except (msgspec.DecodeError, RecursionError, ValueError, OverflowError) as error:
            self.answer(Refused(id=_number_of(text), why=_sentence(error)))
            return
        if isinstance(message, say.Export):
            self._later(self._export(message))
            return
        if isinstance(message, say.CheckFormula):
            self.answer(checked(message))
            return
        self._answered(message.id, lambda: self._carry_out(message))

    def _later(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _carry_out(self, message: say.Message) -> Change | None:
        """Do what a message says; what changed in the document, if it is about that."""
        match message:
            case say.Ping():
                pass
            case say.Hello(fps=fps):
                self.fps = min(max(checked_fps(fps), FEWEST_FPS), MOST_FPS)
                self.show_scene((), whole=True)
            case say.Play(time=time, speed=speed, repeat=repeat):
                self.transport.play(time, speed, repeat)
            case say.Pause():
                self.transport.pause()
            case say.Seek(time=time):
                self.transport.seek(time)
            case say.ShowFields(fields=fields, reach=reach):
                self._arrows.want(fields, reach)
            case say.Live(is_on=True):
                self.transport.begin_live()
            case say.Live():
                self.transport.end_live()
            case say.Point(to=place):
                self.transport.point(place)
            case say.KeepPointer():
                return self.workshop.carry_out(self.transport.drawn_line(message))
            case say.MoveField() | say.TurnField() | say.StretchField() | say.PlaceField():
                return self.workshop.carry_out(self.transport.held(message))
            case say.CancelExport():
                self.workshop.stop_export()
            case _:
                return self.workshop.carry_out(message)
        return None

    async def _kept(self, number: int, change: Change) -> None:
        """Say that a change is done when a crash cannot undo it any more."""
        try:
            await self.workshop.kept()
        except Exception as error:
            self._refuse(number, f"This was changed, but would not survive a crash. {why(error)}")
        else:
            self.answer(Done(id=number, revision=change.revision, says=change.says))

    async def _export(self, message: say.Export) -> None:
        try:
            says = await self.workshop.export(message)
        except Exception as error:
            self._refuse(message.id, why(error))
        else:
            self.answer(Done(id=message.id, revision=self.workshop.session.revision, says=says))

    def _answered(self, number: int, carry_out: Callable[[], Change | None]) -> None:
        """Carry something out and say that it is done, or why not."""
        try:
            change = carry_out()
        except KeyposeError as error:
            self._refuse(number, str(error))
        except (RecursionError, MemoryError):
            self.answer(Refused(id=number, why="That is too much at once. Say it in smaller parts."))
        except Exception as error:  # the document is as it was; the studio goes on
            self._refuse(number, f"{why(error)} Nothing was changed.")
        else:
            if change is None:
                self.answer(Done(id=number, revision=self.workshop.session.revision))
            else:
                self._later(self._kept(number, change))

    def _refuse(self, number: int, why: str) -> None:
        self.answer(Refused(id=number, why=_short(self.workshop.folder.in_words(why))))

    # ---- what it sees ------------------------------------------------------------------------------------------------

    def answer(self, view: AnyView) -> None:
        """Tell something that nothing newer replaces. A page that reads none of it is let go."""
        try:
            self.outbox.answer(encoded(view).decode())
        except KeyposeError as error:
            self.lost = str(error)

    def show_welcome(self) -> None:
        """Show which files there are by now."""
        self.outbox.show("welcome", lambda: encoded(self.workshop.welcome()).decode())

    def show_progress(self, progress: Progress) -> None:
        """Show how far long work is; that it is over, when all that came of it has been shown."""
        what, told = ("progress", progress.what), encoded(progress).decode()
        if progress.is_over:
            self.outbox.show_last(what, lambda: told)
        else:
            self.outbox.show(what, lambda: told, urgent=True)

    @property
    def film(self) -> Film:
        """What it looks at: the document's film, or its own live run."""
        return self.transport.film

    def show_scene(
        self,
        changed: Collection[str],
        *,
        whole: bool,
        dragged: str | None = None,
        shot_soon: Collection[str] = (),
    ) -> None:
        """Show what changed: words, trails, and where everybody is now. A hand that drags waits for one trail.

        The trails of those who are `shot_soon` come then.
        """
        if whole:
            self._whole, changed = True, self.workshop.film.stage.names
            self.outbox.forget_pictures()
            self._hits = self._appointments = None  # they may have been among these
            self._arrows.forget()
        self._changed.update(changed)
        self.outbox.show("scene", self._scene)
        for name in changed if not shot_soon else [name for name in changed if name not in shot_soon]:
            self.outbox.show(("curve", name), partial(self._curve, name), urgent=name == dragged)
        self.transport.follow()

    def _scene(self) -> Payload | None:
        changed, whole = self._changed, self._whole
        self._changed, self._whole = set(), False
        return self.drawn(lambda: self.workshop.scene(changed, whole))

    def _curve(self, name: str) -> Payload | None:
        return self.drawn(lambda: self.workshop.curve(name, self.fps))

    def _show_moment(self) -> None:
        """Show where everybody is now, and how the fields push that the page looks at."""
        self.outbox.show(
            "poses", lambda: self.drawn(lambda: self.workshop.poses(self.transport.time, self.film)), urgent=True
        )
        self._arrows.show()
        hits = self.film.hits
        if hits is not None and hits != self._hits:
            self._hits = hits
            self.outbox.show("hits", lambda: encoded(Hits(hits=hits)).decode())
        told = self.film.appointments
        if told != self._appointments:
            self._appointments = told
            self.outbox.show("appointments", lambda: encoded(Appointments(appointments=told)).decode())

    def _show_transport(self) -> None:
        self.outbox.show("transport", lambda: encoded(self.transport.view()).decode(), urgent=True)

    def _warn(self, kind: Literal["note", "warning", "error"], text: str) -> None:
        self.answer(Notice(kind=kind, text=_short(text)))

    def drawn(self, made: Callable[[], Payload | None]) -> Payload | None:
        """A picture; one that cannot be drawn is told of, and the page goes on without it."""
        try:
            return made()
        except Exception as error:
            if not isinstance(error, KeyposeError):
                log.exception("A picture could not be drawn.")
            return encoded(Notice(kind="warning", text=_short(f"Something cannot be shown: {error}"))).decode()


def _number_of(text: str) -> int:
    """The number of a message that is wrong otherwise."""
    try:
        return msgspec.json.decode(text, type=Numbered).id
    except (msgspec.DecodeError, RecursionError, ValueError, OverflowError) as error:
        raise Unanswerable(_sentence(error)) from None


def _sentence(error: Exception) -> str:
    what = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
    return _short(f"The studio does not understand this message: {what}. Reload the page.")


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_SENTENCE else text[: LONGEST_SENTENCE - 1] + "…"
