"""Along which rough path does somebody race, and how does it get another one?"""

from dataclasses import replace

from keypose.curves import MotionPath
from keypose.physics import Reach
from keypose.script import Script
from keypose.stage import Stage, find_follower


def rough_path_of(stage: Stage, name: str) -> MotionPath | None:
    """That path."""
    found = find_follower(stage, name)
    return None if found is None else found.path


def with_rough_path(stage: Stage, name: str, path: MotionPath, script: Script | None) -> Stage:
    """The stage with another path for a follower or a reach, and a script that knows its keys by their names."""
    old = find_follower(stage, name)
    if isinstance(old, Reach):
        new = tuple(replace(one, goal=path) if one is old else one for one in stage.connections)
        return stage.changed(connections=new, script=script)
    assert old is not None
    actor = stage[name].changed(motion_or_mover=replace(old, path=path))
    if script is stage.script:
        return stage.with_actor(actor)
    return stage.changed(actors=[actor if one.name == name else one for one in stage.actors], script=script)
