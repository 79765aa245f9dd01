"""What happens when a page says something? One document, many pages: whatever one does, all of them see.

Everything here runs on one thread, one message after the other; what takes long is handed to `work` and answered later.
"""

import asyncio
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

from keypose.errors import KeyposeError
from keypose.files.formats import content_of
from keypose.files.writing import check_place, write_safely
from keypose.motion.take import Take
from keypose.physics.values.movers import Skin
from keypose.stage.recorder.shoot import shoot, shot_out
from keypose.stage.stage import Stage
from keypose.studio.edits.rough_path import raced_along
from keypose.studio.error_text import why
from keypose.studio.present.field_arrows import arrows_of
from keypose.studio.present.field_kinds import field_kinds
from keypose.studio.present.scene import encoded, poses_at, scene_view
from keypose.studio.present.trails import curve_of
from keypose.studio.preview.preview import TAKE_FPS, Film
from keypose.studio.protocol import commands as say
from keypose.studio.protocol.updates.updates import Notice, Progress, Welcome
from keypose.studio.server.background_job import Stopped, Told, Work
from keypose.studio.server.client import Visitor
from keypose.studio.session.app_state import recent_files
from keypose.studio.session.examples import example, examples, know_movers
from keypose.studio.session.folder import TAKES, Folder
from keypose.studio.session.recovery import Recoverable, forget, recoverable
from keypose.studio.session.session import Change, Session

SHOOTING = "shooting those who take ticks"
SETTLING = 0.05  # [s] without a change before movers are shot anew
BREATH = 0.005  # [s] between two looks whether all is told
ENDING = 10.0  # [s] that work in progress may take to stop


class Workshop:
    """A document with the pages that show it. `state` is the folder of the studio's own things."""

    def __init__(self, session: Session, folder: Folder, state: Path | None = None) -> None:
        self.session = session
        self.folder = folder
        self._state = state
        know_movers()
        self._recoverable: Recoverable | None = next(iter(recoverable(state)), None) if state is not None else None
        self.film = Film(session.stage)
        self.pages: set[Visitor] = set()
        self._curves: dict[tuple[str, float], bytes] = {}
        self._shooting: asyncio.Task[None] | None = None
        self._export: Work[str] | None = None
        self._keeper = ThreadPoolExecutor(1, "keypose-keeper")  # one: records come to the platter in their order
        session.keeps_later = True

    # ---- pages come and go -------------------------------------------------------------------------------------------

    def join(self, page: Visitor) -> None:
        """Show a new page everything."""
        self.pages.add(page)
        page.answer(self.welcome())
        page.show_scene((), whole=True)
        if self.film.ticking and self.film.take is None:
            self._shoot_soon()

    def leave(self, page: Visitor) -> None:
        """A page is closed."""
        self.pages.discard(page)
        page.transport.close()

    def welcome(self) -> Welcome:
        """What a page needs to begin."""
        recent = () if self._state is None else recent_files(self._state)
        return Welcome(
            version=metadata.version("keypose"),
            folder=self.folder.name,
            place=str(self.folder.path),
            files=self.folder.scenes(),
            recent=tuple(name for file in recent if (name := self.folder.within(file)) is not None),
            examples=examples(),
            endings=TAKES,
            recovery=None if self._recoverable is None else str(self._recoverable),
            kinds=field_kinds(),
        )

    # ---- what pages say ----------------------------------------------------------------------------------------------

    def carry_out(self, message: say.Message) -> Change:
        """Change the document as a message says, and let everybody see it. What cannot be done raises KeyposeError."""
        session = self.session
        match message:
            case say.New():
                change = session.new()
            case say.Open(file=name):
                change = session.open(self.folder.scene(name))
            case say.OpenExample(name=name):
                title = next((one.title for one in examples() if one.name == name), name)
                change = session.open_example(title, example(name))
            case say.Save(file=name):
                change = session.save(None if name is None else self.folder.scene_to_save(name, session.file))
                self._welcome_again()
            case say.Recover(take=take):
                change = self._recover(take)
            case say.Edit() | say.Undo() | say.Redo() | say.CancelGesture():
                change = session.do(message)
            case _:
                raise KeyposeError(f"The studio does not do {type(message).__name__}. Reload the page.")
        drags = isinstance(message, say.Edit) and message.gesture is not None
        self.follow(change, getattr(message, "actor", None) if drags else None)
        return change

    async def kept(self) -> None:
        """Wait until all that was done so far is on the platter. Pictures of it may be seen before, answers not."""
        await asyncio.get_running_loop().run_in_executor(self._keeper, self.session.keeping())

    async def at_rest(self) -> None:
        """Wait until every page has been told all that was done so far, those who take ticks shot anew included."""
        while (self._shooting is not None and not self._shooting.done()) or any(
            len(page.outbox) for page in self.pages
        ):
            await asyncio.sleep(BREATH)

    def _recover(self, take: bool) -> Change:
        """Take up what was not saved when the studio last ended, or leave it."""
        found, self._recoverable = self._recoverable, None
        if found is None:
            raise KeyposeError("There is nothing to recover any more.")
        if not take:
            forget(found)
            self._welcome_again()
            return Change(self.session.revision, frozenset(), False, "leave what was not saved")
        try:
            change = self.session.recover(found)
        except KeyposeError:
            self._recoverable = found
            raise
        self._welcome_again()
        return change

    def _welcome_again(self) -> None:
        """There are other files now, or nothing to recover."""
        for page in self.pages:
            page.show_welcome()

    def follow(self, change: Change, dragged: str | None = None) -> None:
        """Let every page see a change; of one in a hand's grip its trail first."""
        stage = self.session.stage
        take, before = self.film.take, self.film.stage
        if stage is not self.film.stage:
            is_another = change.whole and change.revision == self.session.opened_at  # of which nobody knows anything
            take = None if is_another else take
            self.film = self.film.changed(stage, change.changed) if not change.whole else Film(stage, take)
        changed = frozenset(stage.names) if change.whole else change.changed
        shot_soon = frozenset[str]() if change.whole or take is None else self._shot_soon(changed, take, before)
        drawn = changed - shot_soon
        for key in [key for key in self._curves if key[0] in drawn or key[0] not in stage.by_name]:
            del self._curves[key]
        for page in self.pages:
            page.show_scene(changed, whole=change.whole, dragged=None if change.whole else dragged, shot_soon=shot_soon)
        if self.film.ticking and (take is None or changed):
            self._shoot_soon()

    def _shot_soon(self, changed: frozenset[str], take: Take, before: Stage) -> frozenset[str]:
        """Those of whom only the next take will show anything else: not a flock's trails again at every drag.

        Of who races along another rough path that is seen at once.
        """
        stage = self.film.stage

        def is_shot_only(name: str) -> bool:
            path = raced_along(stage, name)
            is_same = path is None or (name in before and raced_along(before, name) is path)
            return stage[name].mover is not None and is_same

        return frozenset(name for name in changed if name in take and is_shot_only(name))

    # ---- pictures ----------------------------------------------------------------------------------------------------

    def scene(self, changed: Iterable[str], whole: bool) -> str:
        """The document in words."""
        session, file = self.session, self.folder.shown(self.session.file)
        revisions = session.opened_at, session.revision
        scene = scene_view(self.film, frozenset(changed), whole, revisions, session.steps, file, session.is_saved)
        return encoded(scene).decode()

    def curve(self, name: str, fps: float) -> bytes | None:
        """An actor's trail, drawn once for all pages that show as many frames; None if it is gone, or a surface."""
        actor = self.film.stage.by_name.get(name)
        if actor is None or isinstance(actor.mover, Skin):
            return None
        found = self._curves.get((name, fps))
        if found is None:
            found = self._curves[name, fps] = curve_of(self.film, name, fps, self.session.revision)
        return found

    def poses(self, t: float, film: Film) -> bytes:
        """Where everybody is at a moment [s] of a film of the document, which may be live."""
        return poses_at(film, t, self.session.revision)

    def arrows(self, name: str, t: float, reach: float, film: Film) -> bytes | None:
        """How a field pushes at a moment [s] of a film, as far as `reach` [m]; None if it is gone."""
        return arrows_of(film, name, t, reach, self.session.revision)

    def _shoot_soon(self) -> None:
        """Shoot those who take ticks anew, once the hand rests; what is being shot is of no use any more."""
        if self._shooting is not None:
            self._shooting.cancel()
        self._tell_progress(Progress(what=SHOOTING, share=0.0))  # from now on there is something to wait for
        self._shooting = asyncio.get_running_loop().create_task(self._shoot())

    async def _shoot(self) -> None:
        await asyncio.sleep(SETTLING)
        film = self.film

        def shot(told: Told) -> Take:
            return film.shot(TAKE_FPS, told)

        def on_its_way(progress: Progress) -> None:
            if not progress.is_over:  # that is told behind the pictures; who is cancelled is shot anew
                self._tell_progress(progress)

        try:
            take = await Work(SHOOTING, shot, on_its_way).result()
            if self.film.stage is film.stage:
                self.film = Film(film.stage, take)
                self._curves = {key: made for key, made in self._curves.items() if key[0] not in film.ticking}
                for page in self.pages:
                    page.show_scene(film.ticking, whole=False)
        except Exception as error:  # whatever it is, nobody may wait for it any more
            self.tell(Notice(kind="error", text=why(error, "Those who take ticks could not be shot.")))
        self._tell_progress(Progress(what=SHOOTING, share=1.0, is_over=True))

    # ---- export ------------------------------------------------------------------------------------------------------

    async def export(self, message: say.Export) -> str:
        """Shoot and write a take beside everything else; what to say of it."""
        if self._export is not None:
            raise KeyposeError(f"The studio is busy {self._export.what}. Wait for it, or stop it.")
        place = self.folder.take_to_export(message.file)
        check_place(place)
        stage, seconds, foreseen = self.session.stage, message.seconds, self.film.foreseen
        if seconds is None and not foreseen > 0:
            raise KeyposeError("Nothing in the scene moves, so there is nothing to export. Add a motion first.")

        def written(told: Told) -> str:
            lasts, to_shoot = (foreseen, shot_out) if seconds is None else (seconds, shoot)
            take = to_shoot(stage, lasts, message.fps, progress=told)
            content = content_of(take, place)

            def counted() -> Iterable[bytes]:
                for count, piece in enumerate([content] if isinstance(content, bytes) else content):
                    told(min(count, len(take)), len(take))
                    yield piece

            write_safely(place, counted())
            frames, actors = (
                f"{many} {what}" if many != 1 else f"one {what.removesuffix('s')}"
                for many, what in ((len(take), "frames"), (len(take.names), "actors"))
            )
            return f"Exported {message.file}: {frames} of {actors}."

        self._export = Work(f"exporting {message.file}", written, self._tell_progress)
        try:
            return await self._export.result()
        except Stopped:
            raise KeyposeError(f"{message.file} was not exported: it was stopped. Nothing was written.") from None
        finally:
            self._export = None

    def stop_export(self) -> None:
        """Stop writing; nothing is left of it."""
        if self._export is None:
            raise KeyposeError("Nothing is being exported, so there is nothing to stop.")
        self._export.stop()

    # ---- to everybody ------------------------------------------------------------------------------------------------

    def tell(self, notice: Notice) -> None:
        """Let every page know something."""
        for page in tuple(self.pages):
            page.answer(notice)

    def _tell_progress(self, progress: Progress) -> None:
        for page in tuple(self.pages):
            page.show_progress(progress)

    async def close(self) -> None:
        """Stop all work; what was being written is not there."""
        if self._shooting is not None:
            self._shooting.cancel()
        if self._export is not None:
            self._export.stop()
            await asyncio.get_running_loop().run_in_executor(None, self._export.wait, ENDING)
        self._keeper.shutdown()
        self.session.close()
