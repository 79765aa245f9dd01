"""What does a page look at, the film or a live run of its own? Both are played, paused and sought alike."""

from collections.abc import Callable
from typing import Protocol

from keypose.errors import KeyposeError
from keypose.maths import Vec3
from keypose.stage import Stage
from keypose.studio.edits.field_frames import FieldTransformEdit, ObservedFieldEdit, observed_field_edit
from keypose.studio.edits.line_fit import PointerLine
from keypose.studio.playback.clock import PlaybackClock, Repeat
from keypose.studio.playback.live_player import LivePlayer, Warn
from keypose.studio.playback.pointer import POINTER, PointerHistory, check_pointer
from keypose.studio.preview.preview import Preview
from keypose.studio.protocol import commands
from keypose.studio.protocol.updates.updates import Transport as TransportView


class OpenDocument(Protocol):
    """The stage that is open, and the revision at which it was opened."""

    @property
    def stage(self) -> Stage:
        """The stage as it was edited last."""

    @property
    def opened_at(self) -> int:
        """The revision at which this document replaced another."""


class PlayerHost(Protocol):
    """What a player shows: the open document and its preview."""

    @property
    def session(self) -> OpenDocument:
        """The open document."""

    @property
    def preview(self) -> Preview:
        """The document as recorded."""


class Player:
    """Where one page is in time. `on_frame` is called for every moment to see, `on_change` when something starts or
    stops.

    `warn` is called with what a person should know of a live run.
    """

    def __init__(
        self, host: PlayerHost, on_frame: Callable[[], None], on_change: Callable[[], None], warn: Warn
    ) -> None:
        self._host = host
        self._on_frame, self._on_change, self._warn = on_frame, on_change, warn
        self._clock = PlaybackClock(on_frame, on_change, lambda: host.preview.duration)
        self.live_player: LivePlayer | None = None
        self._opened_at = 0  # the document that is live, by the revision it was opened at
        self.pointer_history = PointerHistory()

    @property
    def _active(self) -> PlaybackClock | LivePlayer:
        return self._clock if self.live_player is None else self.live_player

    @property
    def time(self) -> float:
        """The moment looked at [s]."""
        return self._active.time

    @property
    def speed(self) -> float:
        """How fast it plays; 0 if it does not."""
        return self._active.speed

    @property
    def preview(self) -> Preview:
        """What is looked at: the document's film, or the live run as it is now."""
        return self._host.preview if self.live_player is None else self.live_player.preview

    def view(self) -> TransportView:
        """Whether it plays, and where it is."""
        speed, live_player = self.speed, self.live_player
        return TransportView(
            time=self.time,
            is_playing=speed != 0,
            speed=speed,
            is_live=live_player is not None,
            simulated_until=0.0 if live_player is None else live_player.reached_time,
        )

    def observed_edit(self, message: FieldTransformEdit) -> ObservedFieldEdit:
        """What the page does to a field by hand, where it sees who carries it."""
        return observed_field_edit(
            message, self.preview, message.time if self.live_player is None else self.live_player.time
        )

    # ---- time --------------------------------------------------------------------------------------------------------

    def play(self, moment: float, speed: float, repeat: Repeat) -> None:
        """Play from a moment [s] on."""
        self._active.play(moment, speed, repeat)

    def pause(self) -> None:
        """Stop where it is."""
        self._active.pause()

    def seek(self, moment: float) -> None:
        """Show a moment [s]."""
        self._active.seek(moment)

    def refresh(self) -> None:
        """There is another scene to play."""
        session = self._host.session
        if self.live_player is not None and session.opened_at != self._opened_at:
            self._warn("note", "The live run has ended: there is another scene now.")
            self.end_live()
        if self.live_player is None:
            self._clock.update_duration()
        else:
            self.live_player.update_document(session.stage)

    def close(self) -> None:
        """Nobody looks any more."""
        self._active.close()

    # ---- live --------------------------------------------------------------------------------------------------------

    def begin_live(self) -> None:
        """Play the scene live from its first moment; one that is live begins again."""
        session = self._host.session
        live_player = LivePlayer(session.stage, self._on_frame, self._on_change, self._warn)
        self._active.close()
        self.live_player, self._opened_at, self.pointer_history = (
            live_player,
            session.opened_at,
            live_player.live_run.pointer_history,
        )
        live_player.play(0.0)

    def end_live(self) -> None:
        """Show the document again, where the live run was."""
        if self.live_player is not None:
            self.live_player.close()
            live_player, self.live_player = self.live_player, None
            self._clock.seek(min(live_player.time, self._host.preview.duration))
            self._on_change()

    def move_pointer(self, position: Vec3) -> None:
        """The mouse holds the pointer there."""
        if self.live_player is None:
            raise KeyposeError(f'The mouse leads the actor "{POINTER}" in a live run only. Begin one first.')
        self.live_player.move_pointer(position)

    def pointer_line(self, message: commands.KeepPointer) -> PointerLine:
        """The way the mouse led the pointer in this live run, or in the last one."""
        check_pointer(self._host.session.stage)
        if len(self.pointer_history) < 2 or self._host.session.opened_at != self._opened_at:
            raise KeyposeError(
                "There is no drawn line to keep: in this scene the mouse has pointed to fewer than two places. "
                "Begin a live run, and lead the pointer with the mouse."
            )
        times, positions = self.pointer_history.samples()
        return PointerLine(id=message.id, gesture=message.gesture, actor=POINTER, times=times, positions=positions)
