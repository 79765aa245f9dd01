"""Scenes that are played live, by a clock that is set by hand or on a page."""

import asyncio
from dataclasses import dataclass

import numpy as np
import pytest

from keypose import Actor, DynamicSpline, FaceForward, KeyposeError, Motion, MotionPath, Pose, Stage, fields
from keypose.studio.playback.live_player import LivePlayer
from keypose.studio.protocol import commands
from keypose.studio.protocol.updates.updates import Notice
from keypose.studio.server.client import Client
from keypose.studio.server.hub import Hub
from keypose.studio.session.folder import Folder
from keypose.studio.session.session import Session

WALK = Motion(MotionPath([(0, 0, 0), (2, 0, 0), (2, 0, 2)]), duration=2.0)
REST = Motion(MotionPath([(0, 1, 0), (0, 2, 0)]), duration=1.0)
FOLLOW = fields.KeepDistance(fields.Pointer(), 0)


def live_stage(wind=(1, 0, 0), friction=0.1, brush=0.3):
    """A lamp that walks, a leaf in the wind, a moth that stands on the lamp, and a brush led by a pointer."""
    return Stage(
        [
            Actor("lamp", WALK),
            Actor(
                "leaf", DynamicSpline((0, 3, 0), (0, 0, 1), friction=friction, senses={"wind": 1}), facing=FaceForward()
            ),
            Actor("moth", DynamicSpline((1, 0, 0), senses={"light": 0.5}), parent="lamp"),
            Actor("pointer", REST),
            Actor("brush", DynamicSpline((0, 1, 0), friction=0.3, senses={FOLLOW: brush})),
        ],
        fields={"wind": fields.Uniform(wind), "light": fields.Attractor(1).carried_by("lamp")},
    )


class Clock:
    """A clock that is set by hand."""

    now = 100.0

    def __call__(self):
        return self.now


class ManualPlayer:
    """A live run whose clock is set by hand, and what it said."""

    def __init__(self, stage):
        self.clock, self.speed_changes, self.warnings, self.frame_count = Clock(), [], [], 0
        self.run = LivePlayer(
            stage, self._on_frame, self._on_change, lambda *warning: self.warnings.append(warning), self.clock
        )

    def _on_frame(self):
        self.frame_count += 1

    def _on_change(self):
        self.speed_changes.append((self.run.time, self.run.speed))

    def wait(self, seconds):
        self.clock.now += seconds
        self.run.catch_up()

    def pose_rows(self):
        """Everybody's row, to the bit."""
        return self.run.preview.all_poses(self.run.time)[0]


def play_live(script, stage=None):
    """What a script makes of a scene that plays live from the start on."""

    async def play():
        live = ManualPlayer(live_stage() if stage is None else stage)
        live.run.play(0.0)
        try:
            return script(live)
        finally:
            live.run.close()

    return asyncio.run(play())


def run_to(run, time):
    while run.time < time - 1e-9:
        run.tick()
    return np.array([np.concatenate([pose.position, pose.orientation]) for pose in run.poses.values()])


def with_still_pointer(stage):
    """The stage with a pointer that stays where it begins, as long as no mouse leads it."""
    fixed = Motion(MotionPath([(0, 1, 0), (0, 1, 0)]), duration=1.0)
    return stage.with_actor(stage["pointer"].changed(motion_or_mover=fixed))


@dataclass(frozen=True)
class SlowMover:
    """Needs so long for a tick on a clock."""

    clock: Clock
    seconds: float

    def begin(self, view):
        return 0

    def step(self, state, view, dt):
        self.clock.now += self.seconds
        return state + 1

    def pose(self, state):
        return Pose(np.array([float(state), 0, 0]), np.array([1.0, 0, 0, 0]))


@dataclass(frozen=True)
class FailingMover:
    """Fails after some steps, or at once."""

    steps: int

    def begin(self, view):
        if not self.steps:
            raise KeyposeError("It cannot begin. Let it.")
        return 0

    def step(self, state, view, dt):
        if state + 1 >= self.steps:
            raise ZeroDivisionError("one step too many")
        return state + 1

    def pose(self, state):
        return Pose(np.array([float(state), 0, 0]), np.array([1.0, 0, 0, 0]))


def draw_circle(live, seconds=2.0, size=1.0):
    """Lead the pointer along a circle."""
    records = []
    for step in range(round(seconds * 60)):
        angle = step / 30
        live.run.move_pointer((size * np.cos(angle), size * np.sin(angle), 0.0))
        live.wait(1 / 60)
        records.append((live.run.time, live.pose_rows().tobytes()))
    return records


class RecordingClient(Client):
    """A page whose answers are kept here."""

    def __init__(self, hub):
        super().__init__(hub)
        self.received = []

    def reply(self, view):
        self.received.append(view)

    def send(self, kind, **options):
        return self._apply(kind(id=1, **options))

    def refusal_of(self, kind, **options):
        with pytest.raises(KeyposeError) as error:
            self.send(kind, **options)
        return str(error.value)

    @property
    def notices(self):
        return [(view.kind, view.text) for view in self.received if isinstance(view, Notice)]


def with_hub(folder, script, stage=None):
    """What a script makes of a workshop, in a loop of its own."""

    async def run():
        hub = Hub(Session(live_stage() if stage is None else stage), Folder(folder))
        try:
            return script(hub)
        finally:
            for client in tuple(hub.clients):
                hub.remove_client(client)
            await hub.close()

    return asyncio.run(run())


def join_client(hub):
    client = RecordingClient(hub)
    hub.add_client(client)
    return client


def pass_ticks(live, count):
    for _ in range(count):
        live.live_run.advance_tick()
    live.live_run.show_time(1e9)


def draw_pointer_circle(client, count=96):
    """Lead the pointer along a circle, a stroke for every tick."""
    live = client.player.live_player
    live.pause()
    for step in range(count):
        client.send(commands.Point, to=(float(np.cos(step / 15)), float(np.sin(step / 15)), 0.0))
        pass_ticks(live, 1)
