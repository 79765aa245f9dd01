"""What does a page look at, the film or a live run of its own? Both are played, paused and sought alike."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from keypose.errors import KeyposeError
from keypose.maths.arrays import Vec3
from keypose.studio.edits.field_frames import ByHand, HeldField, held
from keypose.studio.edits.line_fit import DrawnLine
from keypose.studio.playback.clock import Repeat, Transport
from keypose.studio.playback.live_player import LiveRun, Warn
from keypose.studio.playback.pointer import POINTER, Strokes, check_pointer
from keypose.studio.preview.preview import Film
from keypose.studio.protocol import commands as say
from keypose.studio.protocol.updates.updates import Transport as TransportView

if TYPE_CHECKING:
    from keypose.studio.server.hub import Workshop


class Projector:
    """Where one page is in time. `show` is called for every moment to see, `tell` when something starts or stops.

    `warn` is called with what a person should know of a live run.
    """

    def __init__(self, workshop: "Workshop", show: Callable[[], None], tell: Callable[[], None], warn: Warn) -> None:
        self._workshop = workshop
        self._show, self._tell, self._warn = show, tell, warn
        self._of_film = Transport(show, tell, lambda: workshop.film.duration)
        self._live: LiveRun | None = None
        self._opened_at = 0  # the document that is live, by the revision it was opened at
        self._strokes = Strokes()

    @property
    def _playing(self) -> Transport | LiveRun:
        return self._of_film if self._live is None else self._live

    @property
    def time(self) -> float:
        """The moment looked at [s]."""
        return self._playing.time

    @property
    def speed(self) -> float:
        """How fast it plays; 0 if it does not."""
        return self._playing.speed

    @property
    def film(self) -> Film:
        """What is looked at: the document's film, or the live run as it is now."""
        return self._workshop.film if self._live is None else self._live.film

    def view(self) -> TransportView:
        """Whether it plays, and where it is."""
        speed, live = self.speed, self._live
        return TransportView(
            time=self.time,
            is_playing=speed != 0,
            speed=speed,
            is_live=live is not None,
            reached=0.0 if live is None else live.reached,
        )

    def held(self, message: ByHand) -> HeldField:
        """What the page does to a field by hand, where it sees who carries it."""
        return held(message, self.film, message.time if self._live is None else self._live.time)

    # ---- time --------------------------------------------------------------------------------------------------------

    def play(self, moment: float, speed: float, repeat: Repeat) -> None:
        """Play from a moment [s] on."""
        self._playing.play(moment, speed, repeat)

    def pause(self) -> None:
        """Stop where it is."""
        self._playing.pause()

    def seek(self, moment: float) -> None:
        """Show a moment [s]."""
        self._playing.seek(moment)

    def follow(self) -> None:
        """There is another scene to play."""
        session = self._workshop.session
        if self._live is not None and session.opened_at != self._opened_at:
            self._warn("note", "The live run has ended: there is another scene now.")
            self.end_live()
        if self._live is None:
            self._of_film.follow()
        else:
            self._live.follow(session.stage)

    def close(self) -> None:
        """Nobody looks any more."""
        self._playing.close()

    # ---- live --------------------------------------------------------------------------------------------------------

    def begin_live(self) -> None:
        """Play the scene live from its first moment; one that is live begins again."""
        session = self._workshop.session
        live = LiveRun(session.stage, self._show, self._tell, self._warn)
        self._playing.close()
        self._live, self._opened_at, self._strokes = live, session.opened_at, live.running.strokes
        live.play(0.0)

    def end_live(self) -> None:
        """Show the document again, where the live run was."""
        if self._live is not None:
            self._live.close()
            ended, self._live = self._live, None
            self._of_film.seek(min(ended.time, self._workshop.film.duration))
            self._tell()

    def point(self, place: Vec3) -> None:
        """The mouse holds the pointer there."""
        if self._live is None:
            raise KeyposeError(f'The mouse leads the actor "{POINTER}" in a live run only. Begin one first.')
        self._live.point(place)

    def drawn_line(self, message: say.KeepPointer) -> DrawnLine:
        """The way the mouse led the pointer in this live run, or in the last one."""
        check_pointer(self._workshop.session.stage)
        if len(self._strokes) < 2 or self._workshop.session.opened_at != self._opened_at:
            raise KeyposeError(
                "There is no drawn line to keep: in this scene the mouse has pointed to fewer than two places. "
                "Begin a live run, and lead the pointer with the mouse."
            )
        times, places = self._strokes.line()
        return DrawnLine(id=message.id, gesture=message.gesture, actor=POINTER, times=times, places=places)
