"""What happens when a page says something? One document, many pages: whatever one does, all of them see.

Everything here runs on one thread, one message after the other; what takes long is handed to `background_job` and
answered later.
"""

import asyncio
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

from keypose.errors import KeyposeError
from keypose.files import check_writable, encode_content, write_safely
from keypose.motion import Take
from keypose.physics import SoftSurface
from keypose.stage import Stage, shoot, shoot_until_done
from keypose.studio.edits.rough_path import rough_path_of
from keypose.studio.error_text import error_text
from keypose.studio.present.field_arrows import pack_arrows
from keypose.studio.present.field_kinds import field_kinds
from keypose.studio.present.scene import encode_json, pack_poses, scene_view
from keypose.studio.present.trails import pack_curve
from keypose.studio.preview.preview import TAKE_FPS, Preview
from keypose.studio.protocol import commands
from keypose.studio.protocol.updates.updates import Notice, Progress, Welcome
from keypose.studio.protocol.version import PROTOCOL_VERSION
from keypose.studio.server.background_job import BackgroundJob, JobCancellation, ReportProgress
from keypose.studio.server.client import Client
from keypose.studio.session.app_state import recent_files
from keypose.studio.session.examples import examples, load_example, register_movers
from keypose.studio.session.folder import TAKE_ENDINGS, Folder
from keypose.studio.session.recovery import Recoverable, discard, find_recoverable
from keypose.studio.session.session import Change, Session

SHOOT_TITLE = "shooting those who take ticks"
SHOOT_DELAY = 0.05  # [s] without a change before movers are shot anew
IDLE_POLL_INTERVAL = 0.005  # [s] between two looks whether all is told
STOP_TIMEOUT = 10.0  # [s] that work in progress may take to stop


class Hub:
    """A document with the pages that show it. `state` is the folder of the studio's own things."""

    def __init__(self, session: Session, folder: Folder, state: Path | None = None) -> None:
        self.session = session
        self.folder = folder
        self._state = state
        register_movers()
        self._recoverable: Recoverable | None = next(iter(find_recoverable(state)), None) if state is not None else None
        self.preview = Preview(session.stage)
        self.clients: set[Client] = set()
        self._curves: dict[tuple[str, float], bytes] = {}
        self.shoot_task: asyncio.Task[None] | None = None
        self._export_job: BackgroundJob[str] | None = None
        self.journal_executor = ThreadPoolExecutor(
            1, "keypose-keeper"
        )  # one: records come to the platter in their order
        session.defers_sync = True

    # ---- pages come and go -------------------------------------------------------------------------------------------

    def add_client(self, client: Client) -> None:
        """Show a new page everything."""
        self.clients.add(client)
        client.reply(self.welcome())
        client.send_scene((), is_full=True)
        if self.preview.simulated_names and self.preview.take is None:
            self._schedule_shoot()

    def remove_client(self, client: Client) -> None:
        """A page is closed."""
        self.clients.discard(client)
        client.player.close()

    def welcome(self) -> Welcome:
        """What a page needs to begin."""
        recent = () if self._state is None else recent_files(self._state)
        return Welcome(
            protocol=PROTOCOL_VERSION,
            version=metadata.version("keypose"),
            folder=self.folder.name,
            folder_path=str(self.folder.path),
            files=self.folder.scenes(),
            recent=tuple(name for file in recent if (name := self.folder.relative_name(file)) is not None),
            examples=examples(),
            endings=TAKE_ENDINGS,
            recovery=None if self._recoverable is None else str(self._recoverable),
            kinds=field_kinds(),
        )

    # ---- what pages say ----------------------------------------------------------------------------------------------

    def apply(self, message: commands.Command) -> Change:
        """Change the document as a message says, and let everybody see it. What cannot be done raises KeyposeError."""
        session = self.session
        match message:
            case commands.New():
                change = session.new()
            case commands.Open(file=name):
                change = session.open(self.folder.scene_path(name))
            case commands.OpenExample(name=name):
                title = next((one.title for one in examples() if one.name == name), name)
                change = session.open_example(title, load_example(name))
            case commands.Save(file=name):
                change = session.save(None if name is None else self.folder.scene_to_save(name, session.file))
                self._resend_welcome()
            case commands.Recover(take=take):
                change = self._recover(take)
            case commands.Edit() | commands.Undo() | commands.Redo() | commands.CancelGesture():
                change = session.apply(message)
            case _:
                raise KeyposeError(f"The studio does not do {type(message).__name__}. Reload the page.")
        is_drag = isinstance(message, commands.Edit) and message.gesture is not None
        self.publish_change(change, getattr(message, "actor", None) if is_drag else None)
        return change

    async def flush_journal(self) -> None:
        """Wait until all that was done so far is on the platter. Pictures of it may be seen before, answers not."""
        await asyncio.get_running_loop().run_in_executor(self.journal_executor, self.session.prepare_sync())

    async def wait_idle(self) -> None:
        """Wait until every page has been told all that was done so far, those who take ticks shot anew included."""
        while (self.shoot_task is not None and not self.shoot_task.done()) or any(
            len(client.outbox) for client in self.clients
        ):
            await asyncio.sleep(IDLE_POLL_INTERVAL)

    def _recover(self, take: bool) -> Change:
        """Take up what was not saved when the studio last ended, or leave it."""
        recoverable, self._recoverable = self._recoverable, None
        if recoverable is None:
            raise KeyposeError("There is nothing to recover any more.")
        if not take:
            discard(recoverable)
            self._resend_welcome()
            return Change(self.session.revision, frozenset(), False, "leave what was not saved")
        try:
            change = self.session.recover(recoverable)
        except KeyposeError:
            self._recoverable = recoverable
            raise
        self._resend_welcome()
        return change

    def _resend_welcome(self) -> None:
        """There are other files now, or nothing to recover."""
        for client in self.clients:
            client.send_welcome()

    def publish_change(self, change: Change, dragged_actor: str | None = None) -> None:
        """Let every page see a change; of one in a hand's grip its trail first."""
        stage = self.session.stage
        take, before = self.preview.take, self.preview.stage
        if stage is not self.preview.stage:
            is_new_document = (
                change.is_full and change.revision == self.session.opened_at
            )  # of which nobody knows anything
            take = None if is_new_document else take
            self.preview = (
                self.preview.with_stage(stage, change.changed_actors) if not change.is_full else Preview(stage, take)
            )
        changed = frozenset(stage.names) if change.is_full else change.changed_actors
        pending_actors = (
            frozenset[str]() if change.is_full or take is None else self._pending_actors(changed, take, before)
        )
        redrawn_actors = changed - pending_actors
        for key in [key for key in self._curves if key[0] in redrawn_actors or key[0] not in stage.resolved.by_name]:
            del self._curves[key]
        for client in self.clients:
            client.send_scene(
                changed,
                is_full=change.is_full,
                dragged_actor=None if change.is_full else dragged_actor,
                pending_actors=pending_actors,
            )
        if self.preview.simulated_names and (take is None or changed):
            self._schedule_shoot()

    def _pending_actors(self, changed_actors: frozenset[str], take: Take, before: Stage) -> frozenset[str]:
        """Those of whom only the next take will show anything else: not a flock's trails again at every drag.

        Of who races along another rough path that is seen at once.
        """
        stage = self.preview.stage

        def needs_take(name: str) -> bool:
            path = rough_path_of(stage, name)
            has_same_path = path is None or (name in before and rough_path_of(before, name) is path)
            return stage[name].mover is not None and has_same_path

        return frozenset(name for name in changed_actors if name in take and needs_take(name))

    # ---- pictures ----------------------------------------------------------------------------------------------------

    def render_scene(self, changed_actors: Iterable[str], is_full: bool) -> str:
        """The document in words."""
        session, file = self.session, self.folder.display_name(self.session.file)
        revisions = session.opened_at, session.revision
        scene = scene_view(
            self.preview, frozenset(changed_actors), is_full, revisions, session.steps, file, session.is_saved
        )
        return encode_json(scene).decode()

    def render_curve(self, name: str, fps: float) -> bytes | None:
        """An actor's trail, drawn once for all pages that show as many frames; None if it is gone, or a surface."""
        actor = self.preview.stage.resolved.by_name.get(name)
        if actor is None or isinstance(actor.mover, SoftSurface):
            return None
        curve = self._curves.get((name, fps))
        if curve is None:
            curve = self._curves[name, fps] = pack_curve(self.preview, name, fps, self.session.revision)
        return curve

    def render_poses(self, t: float, preview: Preview) -> bytes:
        """Where everybody is at a moment [s] of a film of the document, which may be live."""
        return pack_poses(preview, t, self.session.revision)

    def render_arrows(self, name: str, t: float, reach: float, preview: Preview) -> bytes | None:
        """How a field pushes at a moment [s] of a film, as far as `reach` [m]; None if it is gone."""
        return pack_arrows(preview, name, t, reach, self.session.revision)

    def _schedule_shoot(self) -> None:
        """Shoot those who take ticks anew, once the hand rests; what is being shot is of no use any more."""
        if self.shoot_task is not None:
            self.shoot_task.cancel()
        self._broadcast_progress(Progress(task=SHOOT_TITLE, fraction=0.0))  # from now on there is something to wait for
        self.shoot_task = asyncio.get_running_loop().create_task(self._shoot())

    async def _shoot(self) -> None:
        await asyncio.sleep(SHOOT_DELAY)
        preview = self.preview

        def shoot_take(report: ReportProgress) -> Take:
            return preview.shoot(TAKE_FPS, report)

        def report_progress(progress: Progress) -> None:
            if not progress.is_over:  # that is told behind the pictures; who is cancelled is shot anew
                self._broadcast_progress(progress)

        try:
            take = await BackgroundJob(SHOOT_TITLE, shoot_take, report_progress).result()
            if self.preview.stage is preview.stage:
                self.preview = Preview(preview.stage, take)
                self._curves = {
                    key: curve for key, curve in self._curves.items() if key[0] not in preview.simulated_names
                }
                for client in self.clients:
                    client.send_scene(preview.simulated_names, is_full=False)
        except Exception as error:  # whatever it is, nobody may wait for it any more
            self.broadcast(Notice(kind="error", text=error_text(error, "Those who take ticks could not be shot.")))
        self._broadcast_progress(Progress(task=SHOOT_TITLE, fraction=1.0, is_over=True))

    # ---- export ------------------------------------------------------------------------------------------------------

    async def export(self, message: commands.Export) -> str:
        """Shoot and write a take beside everything else; what to say of it."""
        if self._export_job is not None:
            raise KeyposeError(f"The studio is busy {self._export_job.title}. Wait for it, or stop it.")
        path = self.folder.take_to_export(message.file)
        check_writable(path)
        stage, seconds, expected_duration = self.session.stage, message.seconds, self.preview.expected_duration
        if seconds is None and not expected_duration > 0:
            raise KeyposeError("Nothing in the scene moves, so there is nothing to export. Add a motion first.")

        def write_take(report: ReportProgress) -> str:
            duration, shoot_with = (expected_duration, shoot_until_done) if seconds is None else (seconds, shoot)
            take = shoot_with(stage, duration, message.fps, progress=report)
            content = encode_content(take, path)

            def counted_chunks() -> Iterable[bytes]:
                for count, piece in enumerate([content] if isinstance(content, bytes) else content):
                    report(min(count, len(take.times)), len(take.times))
                    yield piece

            write_safely(path, counted_chunks())
            frames, actors = (
                f"{many} {what}" if many != 1 else f"one {what.removesuffix('s')}"
                for many, what in ((len(take.times), "frames"), (len(take.names), "actors"))
            )
            return f"Exported {message.file}: {frames} of {actors}."

        self._export_job = BackgroundJob(f"exporting {message.file}", write_take, self._broadcast_progress)
        try:
            return await self._export_job.result()
        except JobCancellation:
            raise KeyposeError(f"{message.file} was not exported: it was stopped. Nothing was written.") from None
        finally:
            self._export_job = None

    def stop_export(self) -> None:
        """Stop writing; nothing is left of it."""
        if self._export_job is None:
            raise KeyposeError("Nothing is being exported, so there is nothing to stop.")
        self._export_job.stop()

    # ---- to everybody ------------------------------------------------------------------------------------------------

    def broadcast(self, notice: Notice) -> None:
        """Let every page know something."""
        for client in tuple(self.clients):
            client.reply(notice)

    def _broadcast_progress(self, progress: Progress) -> None:
        for client in tuple(self.clients):
            client.send_progress(progress)

    async def close(self) -> None:
        """Stop all work; what was being written is not there."""
        if self.shoot_task is not None:
            self.shoot_task.cancel()
        if self._export_job is not None:
            self._export_job.stop()
            await asyncio.get_running_loop().run_in_executor(None, self._export_job.wait, STOP_TIMEOUT)
        self.journal_executor.shutdown()
        self.session.close()
