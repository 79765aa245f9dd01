"""Who is to be drawn, where and when? What a stage or a take says of everybody, at the moments a sheet shows."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from keypose.maths.arrays import Bools, Floats, Ints
from keypose.maths.quaternion import rotate
from keypose.motion.hierarchy import in_space, middle
from keypose.motion.pose import Pose
from keypose.motion.take import Event
from keypose.physics.values.shapes import Shape

NEVER: Floats = np.empty(0)
NOWHERE: Floats = np.empty((0, 3))
SUDDEN = 6.0  # times as fast as just before and just after: no movement, but a jump
FAR = 0.02  # of its way: shorter than this, nobody jumps
STILL = 1e-9  # of the size of the scene, or radians: so little from moment to moment is no movement
ROUNDING = 1e-12  # of the largest coordinate


@dataclass(frozen=True)
class Player:
    """One of a cast at the cast's moments (n,), in the world, and what is known of it besides."""

    name: str
    pose: Pose
    jumps: bool = False
    """Whether it may be here at one moment and elsewhere at the next, as one that begins its lap again."""
    look: object = None
    parent: str | None = None
    shape: Shape | None = None
    """Of what has a body, its form."""
    parts: tuple[tuple[Shape, Pose], ...] = ()
    """Of a figure, its links that are none of the cast: the shape of each, and its poses."""
    skin: Pose | None = None
    """Of what is soft, its surface, (n, points, 3)."""
    aims: Floats = field(default_factory=lambda: NOWHERE)
    """Of what follows a path, where its target is, (n, 3)."""
    fov: float | None = None
    """Of a camera, its field of view [degrees]."""
    span: tuple[float, float] | None = None
    """When its own motion begins and ends [s]."""
    key_times: Floats = field(default_factory=lambda: NEVER)
    key_places: Floats = field(default_factory=lambda: NOWHERE)
    """Where those of its keys are that stand in the world, (keys, 3)."""

    @property
    def places(self) -> Floats:
        """Where it is as one place, (n, 3)."""
        return middle(self.pose)

    @property
    def outline(self) -> Floats | None:
        """Of a drawing its points, (n, points, 3)."""
        drawn = self.pose.position.ndim == 3 and self.pose.position.shape[1] > 1
        return self.pose.position if drawn else None


@dataclass(frozen=True)
class Meeting:
    """Where (3,) and when [s] somebody passes a key that somebody else carries."""

    who: str
    whom: str
    time: float
    place: Floats


@dataclass(frozen=True)
class Cast:
    """Everybody at times (n,) [s], and what happens between them."""

    times: Floats
    dots: Ints
    """Which of the times are shown as a dot, (m,): one in `every` frames."""
    every: int
    fps: float
    players: tuple[Player, ...]
    meetings: tuple[Meeting, ...] = ()
    events: tuple[Event, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    """Those between whom the distance matters."""
    shot: float | None = None
    """For how many seconds it was shot, if only for this picture."""

    @property
    def span(self) -> tuple[float, float]:
        """The first and the last moment [s]."""
        return float(self.times[0]), float(self.times[-1])

    @cached_property
    def places(self) -> Floats:
        """Everywhere somebody or a key is, (many, 3); the origin if nowhere."""
        poses = [pose for player in self.players for pose in (player.pose, *(pose for _, pose in player.parts))]
        everywhere = [pose.position.reshape(-1, 3) for pose in poses]
        places = np.concatenate([*everywhere, *(player.key_places for player in self.players)])
        places = places[np.isfinite(places).all(axis=1)]
        return places if len(places) else np.zeros((1, 3))

    @cached_property
    def size(self) -> float:
        """How large the scene is [m], corner to corner."""
        return float(_lengths(np.ptp(self.places, axis=0)))

    @cached_property
    def rounding(self) -> float:
        """Metres that mean nothing where this scene is."""
        return ROUNDING * float(np.abs(self.places).max())

    @cached_property
    def by_name(self) -> dict[str, Player]:
        """Everybody by name."""
        return {player.name: player for player in self.players}

    @cached_property
    def speeds(self) -> dict[str, Floats]:
        """Everybody's metres per second between neighbouring moments, (n − 1,); not a number where one jumps."""
        return {player.name: _speeds(self.times, player, self.rounding) for player in self.players}

    def moves(self, player: Player) -> Bools:
        """Between which neighbouring moments it moves or turns, (n − 1,)."""
        position = player.pose.position.reshape(len(self.times), -1)
        shift = np.abs(np.diff(position, axis=0)).max(axis=1) > max(STILL * self.size, self.rounding)
        axes = rotate(player.pose.orientation[:, None], np.eye(3)[1:]).reshape(len(self.times), -1)
        return np.asarray(shift | (np.abs(np.diff(axes, axis=0)).max(axis=1) > STILL))

    def distance(self, pair: tuple[str, str]) -> Floats:
        """Metres between two at each moment, (n,)."""
        one, other = (self.by_name[name].places for name in pair)
        return _lengths(one - other)


def thinned(count: int, most: int, dots: int) -> tuple[int, int]:
    """Of `count` frames, one in how many is asked for and one in how many is a dot; the dots are among the others."""
    from keypose.plot.canvas.curve_samples import one_in

    every = one_in(count, dots)
    return next(step for step in range(1, every + 1) if every % step == 0 and count <= most * step), every


def _speeds(times: Floats, player: Player, rounding: float) -> Floats:
    position = player.pose.position.reshape(len(times), -1, 3)
    steps = np.sqrt(np.mean(_lengths(np.diff(position, axis=0)) ** 2, axis=1))  # of a drawing, as a motion's speed
    steps[steps <= rounding] = 0.0
    speeds = steps / np.diff(times)
    if player.jumps and len(speeds) > 1:
        # At either end only one neighbour tells; one that stands still there may as well have just set off.
        beside = np.where(speeds[[1, -2]] > 0, speeds[[1, -2]], np.inf)
        around = np.concatenate([beside[:1], np.maximum(speeds[:-2], speeds[2:]), beside[1:]])
        known = player.places[np.isfinite(player.places).all(axis=1)]
        far = FAR * float(_lengths(np.ptp(known, axis=0))) if len(known) else 0.0
        speeds[(speeds > SUDDEN * around) & (steps > far)] = np.nan
    return np.asarray(speeds)


def _lengths(vectors: Floats) -> Floats:
    """Lengths (…) of vectors (…, 3), also of those whose squares no number holds."""
    largest = float(np.abs(vectors).max(initial=0.0, where=np.isfinite(vectors))) or 1.0
    return np.asarray(np.linalg.norm(vectors / largest, axis=-1) * largest)


def player_of(name: str, pose: Pose) -> Player:
    """Somebody of whom only the poses are known."""
    return Player(name, in_space(pose), jumps=True)
