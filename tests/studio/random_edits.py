"""Gestures by chance: what a hand may do to a stage, some of which must be refused."""

from keypose import DynamicSpline, Orientation
from keypose.motion.take import RecordedMotion
from keypose.studio.protocol import commands

NEW = {"path": {"keys": [{"position": [0, 0, 0]}, {"position": [1, 0, 2]}]}, "duration": 1}
SPLINE_MOVER = {"kind": "dynamic-spline", "position": [0, 1, 0], "senses": [{"field": "wind", "affinity": 0.5}]}
MAX_KEYS, MAX_ACTORS, MAX_FIELDS = 9, 14, 8


def edit(random, stage, gesture=None):
    """A message that edits; some cannot be done."""
    message = random.choice(EDITS)(random, stage)
    return type(message)(
        **{**{field_name: getattr(message, field_name) for field_name in message.__struct_fields__}, "gesture": gesture}
    )


def drag(random, actor, key, time, gesture):
    """One message of a drag."""
    return commands.MoveKeys(id=0, actor=actor, keys=(key,), by=_vector(random), time=time, gesture=gesture)


def actor(random, stage):
    """Somebody's name, most often one of an actor that has keys."""
    if random.random() < 0.04:
        return "nobody"
    return random.choice(stage.names) if stage.names else "nobody"


def some_key(random, stage, name):
    """The number of a key, most often one that is there."""
    count = len(stage[name].keys) if name in stage and not isinstance(stage[name].motion, RecordedMotion) else 0
    return random.randrange(count + (random.random() < 0.1)) if count else 0


def _vector(random):
    return tuple(round(random.uniform(-2, 2), random.choice([0, 3, 12])) for _ in range(3))


def _orientation(random):
    return tuple(Orientation.turned(random.uniform(-170, 170), random.choice("xyz")).wxyz.tolist())


def _keys(random, stage, name):
    return tuple({some_key(random, stage, name) for _ in range(random.choice([1, 1, 2, 3]))})


def _count(stage, name):
    return len(stage[name].keys) if name in stage else 0


def _move(random, stage):
    name = actor(random, stage)
    return commands.MoveKeys(
        id=0, actor=name, keys=_keys(random, stage, name), by=_vector(random), time=random.uniform(-1, 3)
    )


def _turn_keys(random, stage):
    name = actor(random, stage)
    return commands.TurnKeys(
        id=0, actor=name, keys=_keys(random, stage, name), by=_orientation(random), time=random.uniform(0, 3)
    )


def _partial_vector(random, spread):
    """Three numbers, some of them not said."""
    return tuple(None if random.random() < 0.5 else random.uniform(-spread, spread) for _ in range(3))


def _position_keys(random, stage):
    name = actor(random, stage)
    return commands.PlaceKeys(id=0, actor=name, keys=_keys(random, stage, name), to=_partial_vector(random, 3))


def _orient_keys(random, stage):
    name = actor(random, stage)
    return commands.FaceKeys(id=0, actor=name, keys=_keys(random, stage, name), degrees=_partial_vector(random, 200))


def _tangent(random, stage):
    name = actor(random, stage)
    side = random.choice(["arrive", "leave", "both"])
    return commands.DragTangent(
        id=0, actor=name, key=some_key(random, stage, name), side=side, to=_vector(random), time=random.uniform(0, 3)
    )


def _set_keys(random, stage):
    name = actor(random, stage)
    changes = {
        random.choice(["tension", "continuity", "bias"]): random.choice([None, 0, 0.5, -1, 0.1]),
        **random.choice([{}, {}, {"name": random.choice(["a", "b", None])}, {"time": random.uniform(0, 3)}]),
        **random.choice([{}, {}, {}, {"relative_to": random.choice([*stage.names, None]), "pin": None}]),
        **random.choice([{}, {}, {}, {"tensoin": 1}, {"orientation": list(_orientation(random))}, {"time": None}]),
    }
    return commands.SetKeys(id=0, actor=name, keys=_keys(random, stage, name), changes=changes)


def _tcb(random, stage):
    name = actor(random, stage)
    return commands.BackToTcb(id=0, actor=name, keys=_keys(random, stage, name))


def _effect(random, stage):
    name = actor(random, stage)
    effect = random.choice(["corner", "linear", "tight", "still", "snap", "crnr"])
    return commands.ApplyEffect(id=0, actor=name, keys=_keys(random, stage, name), effect=effect)


def _insert(random, stage):
    name = actor(random, stage)
    if _count(stage, name) > MAX_KEYS:
        return commands.DeleteKeys(id=0, actor=name, keys=tuple(range(1, MAX_KEYS - 2)))
    return commands.InsertKey(id=0, actor=name, u=random.choice([random.uniform(0, 4), 1.0]))


def _delete(random, stage):
    name = actor(random, stage)
    return commands.DeleteKeys(id=0, actor=name, keys=_keys(random, stage, name))


def _paste(random, stage):
    name = actor(random, stage)
    if _count(stage, name) > MAX_KEYS:
        return commands.DeleteKeys(id=0, actor=name, keys=tuple(range(1, MAX_KEYS - 2)))
    position = random.choice([list(_vector(random)), list(_vector(random))[:2], [[0, 1], [2, 0.5]]])
    keys = tuple({"position": position, "name": "a"} for _ in range(random.choice([1, 2])))
    return commands.PasteKeys(id=0, actor=name, after=some_key(random, stage, name) - random.choice([0, 1]), keys=keys)


def _shift(random, stage):
    name = actor(random, stage)
    return commands.ShiftKey(id=0, actor=name, key=some_key(random, stage, name), to=some_key(random, stage, name))


def _points(random, stage):
    name = random.choice(["sketch", "sketch", actor(random, stage)])
    return commands.MovePoints(
        id=0, actor=name, key=some_key(random, stage, name), points=(random.choice([0, 1, 2]),), by=_vector(random)
    )


def _draw(random, stage):
    name = random.choice(["sketch", "sketch", actor(random, stage)])
    positions = tuple(_vector(random) for _ in range(random.choice([2, 2, 3])))
    return commands.DrawPoints(id=0, actor=name, key=some_key(random, stage, name), places=positions)


def _path(random, stage):
    option, values = random.choice(
        [
            ("tension", [0, 0.5, None]),
            ("closed", [True, False, None]),
            ("ends", ["still", "reflect", "odd"]),
            ("adjust", ["none", "length", "unit", None]),
            ("inertia", [0, 0.5]),
        ]
    )
    return commands.SetPath(id=0, actor=actor(random, stage), changes={option: random.choice(values)})


def _motion(random, stage):
    option, values = random.choice(
        [("duration", [1, 2.5, 0, None]), ("start", [0, 0.5]), ("outside", ["hold", "cycle", "mirror"])]
    )
    return commands.SetMotion(id=0, actor=actor(random, stage), changes={option: random.choice(values)})


def _speed(random, stage):
    name = actor(random, stage)
    return random.choice(
        [
            commands.SetSpeed(id=0, actor=name, values=random.choice([None, (1, 2, 1), (0, 1, 1, 0), (-1,)])),
            commands.RaiseSpeed(id=0, actor=name, index=random.choice([0, 1, 5]), value=random.uniform(0, 5)),
            commands.InsertSpeed(id=0, actor=name, x=random.uniform(0, 1.1), value=random.uniform(0, 2)),
            commands.DeleteSpeed(id=0, actor=name, index=random.choice([0, 1])),
            commands.NudgeKey(
                id=0, actor=name, key=some_key(random, stage, name), frames=random.choice([-3, -1, 1, 2, 99])
            ),
            commands.TimeKey(
                id=0, actor=name, key=some_key(random, stage, name), time=random.choice([None, 0.4, 1.1, 9.0])
            ),
        ]
    )


def _add_remove_or_rename(random, stage):
    name = actor(random, stage)
    if len(stage.names) > MAX_ACTORS or random.random() < 0.3:
        return commands.RemoveActor(id=0, actor=name)
    if random.random() < 0.5:
        moves = random.choice([NEW, NEW, {"mover": SPLINE_MOVER}])
        return commands.AddActor(id=0, actor={"name": f"extra {random.randrange(9)}", **moves})
    return commands.RenameActor(
        id=0, actor=name, name=random.choice(["red", "table", "hand", f"x{random.randrange(9)}"])
    )


def _actor(random, stage):
    option, values = random.choice(
        [
            ("parent", [*stage.names, None, None]),
            ("look", ["gold", None, {"kind": "camera", "fov": 30}, ""]),
            ("facing", [None, {"kind": "forward"}, {"kind": "look_at", "name": actor(random, stage)}]),
        ]
    )
    return commands.SetActor(id=0, actor=actor(random, stage), changes={option: random.choice(values)})


def _define(random, stage):
    values = random.choice([{}, {"tension": 0.5}, {"bias": -0.25, "continuity": 0.5}, {"tensoin": 1.0}])
    return commands.DefineEffect(id=0, name=random.choice(["snap", "crack"]), values=values)


def field(random, stage):
    """The name of a field, most often one that is there."""
    return random.choice([*stage.fields, *stage.fields, *stage.fields, "nothing"])


def some_field(random, stage):
    """A field as a scene file has it, some of them wrong."""
    spec = random.choice(
        [
            {"kind": "uniform", "vector": list(_vector(random))},
            {"kind": "vortex", "strength": random.uniform(-3, 3), "center": list(_vector(random))},
            {"kind": "wall", "point": [0, 0, 0], "normal": "y", "strength": 2, "reach": 1},
            {"kind": "noise", "strength": 1, "speed": random.choice([0, 1])},
            {"kind": "formula", "text": "(-y, x, 0) * k", "parameters": {"k": random.uniform(0, 2)}},
            {"kind": "potential", "text": random.choice(["r**2", "r**", "k * x"])},
            [{"kind": "spring", "stiffness": 2}, {"kind": "uniform", "vector": [0, 1, 0]}],
            {"kind": "keep_distance", "target": actor(random, stage), "distance": 1},
            {"kind": "avoid", "target": actor(random, stage)},
            {"kind": "vertex", "strength": 1},
        ]
    )
    placings = [
        {"kind": "moved", "offset": list(_vector(random))},
        {"kind": "turned", "turn": list(_orientation(random))},
        {"kind": "scaled", "factors": random.choice([2, [1, 2, 0.5]])},
        {"kind": "within", "radius": 2, "center": list(_vector(random))},
        {"kind": "pulsing", "period": 2},
        {"kind": "carried_by", "carrier": actor(random, stage)},
    ]
    if isinstance(spec, dict) and random.random() < 0.6:
        spec["then"] = random.sample(placings, random.choice([1, 1, 2, 3]))
    return spec


def _add_change_or_remove_field(random, stage):
    name = field(random, stage)
    if len(stage.fields) > MAX_FIELDS or random.random() < 0.2:
        return commands.RemoveField(id=0, field=name)
    new = random.choice(["wind", "light", f"f{random.randrange(9)}"])
    return random.choice(
        [
            commands.AddField(id=0, name=new, field=some_field(random, stage)),
            commands.SetField(id=0, field=name, value=some_field(random, stage)),
            commands.RenameField(id=0, field=name, name=new),
        ]
    )


def _transform_field(random, stage):
    name, time, digits = field(random, stage), random.uniform(0, 1), random.choice([None, 2])
    by = tuple(random.choice([0.5, 1, 2, -1, 0] if random.random() < 0.1 else [0.5, 1, 2]) for _ in range(3))
    return random.choice(
        [
            commands.MoveField(id=0, field=name, by=_vector(random), time=time, digits=digits),
            commands.TurnField(id=0, field=name, by=_orientation(random), time=time),
            commands.StretchField(id=0, field=name, by=by, time=time, digits=digits),
        ]
    )


def _edit_splines(random, stage):
    steered = [one.name for one in stage.actors if isinstance(one.mover, DynamicSpline)]
    names = tuple({random.choice([*steered, *steered, actor(random, stage)]) for _ in range(random.choice([1, 1, 2]))})
    sensed = some_field(random, stage) if random.random() < 0.3 else field(random, stage)
    changes = random.choice(
        [
            {"friction": random.choice([0, 0.3, None, 2])},
            {"velocity": list(_vector(random))},
            {"position": list(_vector(random))},
            {"continuity": random.choice(["c2", "c1", "g2", "x"])},
            {"integrator": random.choice(["steady", "paper", None])},
        ]
    )
    return random.choice(
        [
            commands.LinkActors(id=0, actors=names, field=sensed, affinity=random.choice([None, 0, 0.5, 1, 3])),
            commands.SetSplines(id=0, actors=names, changes=changes),
            commands.MoveSplines(id=0, actors=names, by=_vector(random), digits=random.choice([None, 3])),
        ]
    )


EDITS = [
    _move,
    _move,
    _move,
    _turn_keys,
    _position_keys,
    _orient_keys,
    _tangent,
    _set_keys,
    _set_keys,
    _tcb,
    _effect,
    _insert,
    _delete,
    _paste,
]
EDITS += [_shift, _points, _draw, _path, _motion, _speed, _speed, _add_remove_or_rename, _actor, _define]
EDITS += [
    _add_change_or_remove_field,
    _add_change_or_remove_field,
    _transform_field,
    _transform_field,
    _transform_field,
    _edit_splines,
    _edit_splines,
]
