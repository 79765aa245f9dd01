"""How does a figure move? An animated WebP: the still picture, and on it what moves, frame by frame."""

from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import ArrayLike
from keypose.motion import Motion, Pose
from keypose.physics import Plane, Shape
from keypose.plot.canvas.theme import settings
from keypose.plot.drawing import Drawing, PaletteColor, Panel
from keypose.plot.marks.bodies import BodyArtist, body_shapes
from keypose.plot.marks.bones import LINK_WIDTH, BonesArtist
from keypose.plot.marks.outline import pose_outline
from keypose.stage import Stage

if TYPE_CHECKING:
    from matplotlib.lines import Line2D


class Film:
    """A drawing on which motions run. `save` writes an animated WebP that loops."""

    def __init__(self, drawing: Drawing, seconds: float, fps: float = 24, *, loops: bool = False) -> None:
        """What `loops` goes on at its end as it began: then the end is no frame of its own, and is not held."""
        self.drawing = drawing
        self.fps = fps
        self.loops = loops
        self.frames = round(seconds * fps) + (not loops)
        self._updates: list[Callable[[float], object]] = []

    def run(self, panel: Panel, motion: Motion, size: float = 11.0) -> "Film":
        """A ball that follows a motion in a panel, from the motion's own beginning."""
        return self.follow(panel, lambda time: motion.at(motion.span[0] + time).position, size)

    def outline(
        self,
        panel: Panel,
        shape: ArrayLike,
        pose: Callable[[float], Pose],
        color: PaletteColor = "path",
        width: float = 1.0,
        strength: float = 1.0,
    ) -> "Film":
        """A thing said in its own axes, (points, 3) with NaN where the pen is lifted, in its `pose(time)`."""
        points = np.asarray(shape, dtype=np.float64)
        return self.line(panel, lambda time: pose_outline(points, pose(time)), color, width, strength)

    @settings()
    def body(
        self,
        panel: Panel,
        shape: Shape,
        pose: Callable[[float], Pose],
        color: PaletteColor = "path",
        width: float = 1.3,
        strength: float = 1.0,
    ) -> "Film":
        """A body as large as it is, in its `pose(time)`."""
        artist = BodyArtist(panel.ax, shape, panel.view, getattr(panel.palette, color), width, strength, zorder=19)
        self._updates.append(lambda time: artist.set_pose(pose(time)))
        return self

    def bodies(
        self,
        panel: Panel,
        stage: Stage,
        poses: Callable[[float], Mapping[str, Pose]],
        color: PaletteColor = "path",
        of: Sequence[str] | None = None,
        width: float = 1.3,
        strength: float = 1.0,
    ) -> "Film":
        """All bodies of a stage that can move, links of figures too, or some `of` them; `poses` asks a take."""

        def pose_of(name: str) -> Callable[[float], Pose]:
            return lambda time: poses(time)[name]

        for name, shape in body_shapes(stage, of).items():
            if not isinstance(shape, Plane):
                self.body(panel, shape, pose_of(name), color, width, strength)
        return self

    @settings()
    def line(
        self,
        panel: Panel,
        points: Callable[[float], ArrayLike],
        color: PaletteColor = "path",
        width: float = 1.0,
        strength: float = 1.0,
    ) -> "Film":
        """A polyline through `points(time)` in a panel."""
        (line,) = panel.ax.plot([], [], color=getattr(panel.palette, color), linewidth=width, alpha=strength, zorder=19)

        def move(time: float, line: "Line2D" = line) -> None:
            line.set_data(*panel.view.project(np.asarray(points(time), dtype=np.float64)).T)

        self._updates.append(move)
        return self

    @settings()
    def follow(
        self, panel: Panel, position: Callable[[float], ArrayLike], size: float = 11.0, color: PaletteColor = "key"
    ) -> "Film":
        """A ball that is at `place(time)` in a panel, a point of a diagram as well; nowhere if that is NaN."""
        (marker,) = panel.ax.plot(
            [],
            [],
            "o",
            color=getattr(panel.palette, color),
            markersize=size,
            markeredgecolor=panel.palette.paper,
            zorder=20,
        )

        def move(time: float, marker: "Line2D" = marker) -> None:
            paper = panel.view.project(np.atleast_2d(np.asarray(position(time), dtype=np.float64)))
            marker.set_data(*paper.T)

        self._updates.append(move)
        return self

    @settings()
    def bones(
        self,
        panel: Panel,
        stage: Stage,
        poses: Callable[[float], Mapping[str, Pose]],
        color: PaletteColor = "path",
        width: float = LINK_WIDTH,
        strength: float = 1.0,
    ) -> "Film":
        """Who is linked to whom on a stage, in a panel; `poses` is `stage.at` or `take.at`, or asks them."""
        ink = getattr(panel.palette, color)
        artist = BonesArtist(panel.ax, stage, panel.view, panel.palette, ink, width, strength, zorder=19)
        self._updates.append(lambda time: artist.set_poses(poses(time)))
        return self

    def show(self, time: float) -> "Film":
        """Put all that moves where it is at a time [s]."""
        for update in self._updates:
            update(time)
        return self

    def save(self, file: str | Path, *, dpi: float = 90, hold: float = 0.5) -> Path:
        """Write all frames; the last one stays for `hold` seconds, unless the film loops."""
        from PIL import Image

        target = Path(file)
        if target.suffix.lower() != ".webp":
            raise KeyposeError(f"A film cannot be saved as {target.name!r}. Use .webp.")
        self.drawing.place_labels()
        figure = self.drawing.figure
        figure.set_dpi(dpi)
        pictures: list[Image.Image] = []
        with settings():
            for time in np.arange(self.frames) / self.fps:
                self.show(float(time))
                figure.canvas.draw()
                pictures.append(Image.fromarray(np.asarray(figure.canvas.buffer_rgba()).copy()).convert("RGB"))  # type: ignore[attr-defined]
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(_encode_webp(pictures, self._durations(hold)))
        return target

    def _durations(self, hold: float) -> list[int]:
        """Milliseconds per frame, rounded so that they do not drift; the last one comes at the end, and only holds."""
        frame_times = np.round(np.arange(self.frames) * 1000 / self.fps).astype(int)
        last = max(0 if self.loops else round(hold * 1000), round(1000 / self.fps))
        return [*(int(duration) for duration in np.diff(frame_times)), last]


def _encode_webp(pictures: Sequence[object], durations: list[int]) -> bytes:
    into = BytesIO()
    first, *others = pictures
    first.save(into, "WEBP", save_all=True, append_images=others, duration=durations, loop=0, quality=80, method=4)  # type: ignore[attr-defined]
    return into.getvalue()
