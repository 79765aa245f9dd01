"""Whatever is wrong with a scene is told at its field, with a remedy, and together with all the rest."""

import json
import re

import pytest

from keypose import KeyposeError
from keypose.document.problems import Problem, ReadContext, SceneError, join_path
from keypose.document.scene import find_problems, read, write

KEYS = '[{"position": [0, 0], "name": "start"}, {"position": [1, 1], "name": "bounce"}, {"position": [2, 0]}]'
TIMED = '[{"position": [0], "time": 0}, {"position": [1], "time": 2}]'


def scene(actor="", keys=KEYS, path="", rest=""):
    """A scene of a ball and a man, with something more."""
    ball = f'{{"name": "ball", "path": {{"keys": {keys}{path}}}{actor}}}'
    man = '{"name": "man", "duration": 1, "path": {"keys": [{"position": [0, 0, 0]}, {"position": [1, 0, 0]}]}}'
    return f'{{"keypose": 1, "actors": [{ball}, {man}]{rest}}}'.encode()


def scene_of_ball(more):
    return scene(f', "duration": 2, {more}')


def scene_of_timing(more):
    return scene_of_ball(f'"timing": {{{more}}}')


def scene_of_keys(second, first='{"position": [0, 0]}'):
    return scene(', "duration": 2', keys=f"[{first}, {second}]")


def scene_of_actors(*actors, thing='"mover": {"kind": "hopper", "leader": "a"}'):
    objects = ", ".join(f'{{"name": "{name}", {", ".join([thing, *more])}}}' for name, *more in actors)
    return f'{{"keypose": 1, "actors": [{objects}]}}'.encode()


STILL_MOTION = '"path": {"keys": [{"position": [0, 0]}, {"position": [1, 0]}]}, "duration": 1'


def scene_of_frames(times, more):
    return f'{{"keypose": 1, "actors": [{{"name": "a", "frames": {{"times": {times}, {more}}}}}]}}'.encode()


K, A = "actors[0].path.keys", "actors[0]"

# what is wrong: (the file, the path of its field, what the sentence must hold: the fact and the remedy)
WRONG = {
    # fields and types
    "an unknown field": (scene_of_ball('"colour": "red"'), f"{A}.colour", r"no such field in an actor.*There is"),
    "a mistyped field": (scene_of_keys('{"positoin": [1, 1]}'), f"{K}[1].positoin", r"Did you mean 'position'\?"),
    "an odd field": (scene(', "duration": 1', rest=', "a b": 1'), '["a b"]', "no such field in a scene"),
    "a scene without actors": (b'{"keypose": 1}', "actors", "missing in a scene. Give who plays"),
    "actors that are an object": (b'{"keypose": 1, "actors": {}}', "actors", "It is an object. Give a list of actors"),
    "an actor without a name": (b'{"keypose": 1, "actors": [{}]}', f"{A}.name", "missing in an actor"),
    "an actor that is a text": (b'{"keypose": 1, "actors": ["a"]}', A, "the text 'a'. Give an actor as an object"),
    "a name that is empty": (scene_of_actors(("",)), f"{A}.name", "It is empty. Give a text"),
    "a time that is text": (scene_of_keys('{"time": "soon"}'), f"{K}[1].time", "the text 'soon'. Give a finite number"),
    "a time that is a flag": (scene_of_keys('{"time": true}'), f"{K}[1].time", "It is true. Give a finite number"),
    "a time that is null": (scene_of_keys('{"time": null}'), f"{K}[1].time", "It is null. Give a finite number"),
    "a time beyond all": (scene_of_keys('{"time": 1e101}'), f"{K}[1].time", r"1e\+101. Give .*1e\+100 at most"),
    "a tension beyond all": (scene_of_keys('{"tension": -1e16}'), f"{K}[1].tension", r"Give .*-1e\+15 or more"),
    "a pin that is a number": (scene_of_keys('{"pin": 1}'), f"{K}[1].pin", "the number 1. Give true or false"),
    "an unknown word": (scene_of_ball('"outside": "cicle"'), f"{A}.outside", r"Did you mean 'cycle'\?"),
    "a word that is a list": (
        scene_of_ball('"outside": []'),
        f"{A}.outside",
        "a list. There is 'cycle', 'hold', 'mirror'",
    ),
    "a duration of zero": (scene(', "duration": 0'), f"{A}.duration", "It is 0. Give .*more than 0"),
    "gravity of two": (scene(', "duration": 1', rest=', "gravity": [0, 1]'), "gravity", "2 numbers. Give 3"),
    "a look that is a number": (scene_of_ball('"look": 7'), f"{A}.look", "Give a colour in quotes, or a look"),
    "a camera too wide": (scene_of_ball('"look": {"kind": "camera", "fov": 180}'), f"{A}.look.fov", "less than 180"),
    "an unknown kind": (
        scene_of_ball('"look": {"kind": "camra"}'),
        f"{A}.look.kind",
        r"'camra'. Did you mean 'camera'\?",
    ),
    "no kind": (
        scene_of_ball('"facing": {"bank": 1}'),
        f"{A}.facing.kind",
        "has a kind. There is 'forward', 'look_at'",
    ),
    "a kind that is a number": (scene_of_ball('"facing": {"kind": 1}'), f"{A}.facing.kind", "no facing the number 1"),
    "a facing in words": (
        scene_of_ball('"facing": "forward"'),
        f"{A}.facing",
        'as {"kind": "forward" or "look_at", …}',
    ),
    # keys
    "no keys": (scene(', "duration": 1', keys="[]"), K, "0 keys. Give 2 or more"),
    "one key": (scene(', "duration": 1', keys="[{}]"), K, "1 keys. Give 2 or more"),
    "a key that is a place": (scene_of_keys("[1, 1]"), f"{K}[1]", "It is a list. Give a key as an object"),
    "a place of text": (scene_of_keys('{"position": "here"}'), f"{K}[1].position", "Give a list of numbers"),
    "a place of nothing": (scene_of_keys('{"position": []}'), f"{K}[1].position", "0 numbers. Give 1 to 3"),
    "a place of four": (scene_of_keys('{"position": [1, 2, 3, 4]}'), f"{K}[1].position", "4 numbers. Give 1 to 3"),
    "a place too deep": (
        scene_of_keys('{"position": [[[1]]]}'),
        f"{K}[1].position[0][0]",
        "It is a list. Give a finite number",
    ),
    "a number of text in a place": (scene_of_keys('{"position": [1, "2"]}'), f"{K}[1].position[1]", "the text '2'"),
    "a ragged drawing": (
        scene_of_keys('{"position": [[1, 2], [3]]}'),
        f"{K}[1].position",
        "differ in how many numbers",
    ),
    "places that differ": (
        scene_of_keys('{"position": [1, 1, 1]}'),
        f"{K}[1].position",
        r"\(3,\), but .* 0 has \(2,\)",
    ),
    "places among drawings": (
        scene_of_keys('{"position": [[1, 2]]}'),
        f"{K}[1].position",
        r"\(1, 2\), but that of key 0",
    ),
    "a tangent of another shape": (
        scene_of_keys('{"position": [1, 1], "arrive": [1, 2, 3]}'),
        f"{K}[1].arrive",
        r"\(3,\), but the position has shape \(2,\). Give both alike",
    ),
    "a tangent of no place": (scene_of_keys('{"leave": [1, 2]}'), f"{K}[1].leave", "there is no position"),
    "a tangent in words": (scene_of_keys('{"leave": "cord"}'), f"{K}[1].leave", r"Did you mean 'chord'\?"),
    "a tangent that is a number": (scene_of_keys('{"leave": 1}'), f"{K}[1].leave", 'Give numbers, or "chord"'),
    "a facing of three": (
        scene_of_keys('{"orientation": [1, 0, 0]}'),
        f"{K}[1].orientation",
        "3 numbers w, x, y, z. Give 4",
    ),
    "a facing of zeros": (scene_of_keys('{"orientation": [0, 0, 0, 0]}'), f"{K}[1].orientation", "points nowhere"),
    "a turn of zeros": (
        scene_of_keys('{"orientation": {"orientation": [0, 0, 0, 0]}}'),
        f"{K}[1].orientation.orientation",
        "points nowhere",
    ),
    "a turn without a facing": (
        scene_of_keys('{"orientation": {}}'),
        f"{K}[1].orientation.orientation",
        "missing in a turn",
    ),
    "a spin of two": (
        scene_of_keys('{"orientation": {"orientation": [1, 0, 0, 0], "leave": [1, 2]}}'),
        f"{K}[1].orientation.leave",
        "2 numbers. Give 3",
    ),
    "an unknown effect": (scene_of_keys('{"effect": "overshot"}'), f"{K}[1].effect", r"Did you mean 'overshoot'\?"),
    "an effect that is a number": (scene_of_keys('{"effect": 1}'), f"{K}[1].effect", "no effect the number 1"),
    "times out of order": (
        scene(keys='[{"time": 0}, {"time": 2}, {}, {"time": 2}]'),
        f"{K}[3].time",
        "2.0 s, not after key 1 at 2.0 s",
    ),
    "two keys of one name": (scene_of_keys('{"name": "x"}', '{"name": "x"}'), f"{K}[1].name", "Key 0 is named 'x' too"),
    "adjusting without times": (scene(', "duration": 1', path=', "adjust": "time"'), f"{A}.path.adjust", "key 0 has"),
    "neither mass nor inertia": (scene(', "duration": 1', path=', "mass": 0'), f"{A}.path.mass", "no distance at all"),
    # timings
    "no duration": (scene(), f"{A}.duration", "no duration, and its keys have no times"),
    "a duration against key times": (scene(', "duration": 3', keys=TIMED), f"{A}.duration", "its key times take 2 s"),
    "a timing of too few": (
        scene_of_timing('"kind": "key_times", "times": [0, 1]'),
        f"{A}.timing.times",
        "2 key times for .* 3 keys",
    ),
    "key times out of order": (
        scene_of_timing('"kind": "key_times", "times": [0, 2, 1]'),
        f"{A}.timing.times[2]",
        "does not come after key 1",
    ),
    "a speed of nothing": (scene_of_timing('"kind": "speed"'), f"{A}.timing.values", "both or neither"),
    "a speed below zero": (scene_of_timing('"kind": "speed", "values": [1, -1]'), f"{A}.timing.values[1]", "0 or more"),
    "a speed that never moves": (
        scene_of_timing('"kind": "speed", "values": [0]'),
        f"{A}.timing.values",
        "never moves",
    ),
    "a speed at two": (
        scene_of_timing('"kind": "speed", "through": [[2, 1]]'),
        f"{A}.timing.through",
        "outside the duration",
    ),
    "a speed twice": (
        scene_of_timing('"kind": "speed", "through": [[0, 1], [0, 2]]'),
        f"{A}.timing.through",
        "at the same x",
    ),
    "a capture of no key": (
        scene_of_ball('"capture": [{"key": "bonce", "time": 1}]'),
        f"{A}.capture[0].key",
        r"'bounce'\?",
    ),
    "a capture of key 9": (scene_of_ball('"capture": [{"key": 9, "time": 1}]'), f"{A}.capture[0].key", "no key 9"),
    "a capture of no time": (
        scene_of_ball('"capture": [{"key": 1}]'),
        f"{A}.capture[0].time",
        "missing in a captured key",
    ),
    "a capture too late": (scene_of_ball('"capture": [{"key": 1, "time": 3}]'), f"{A}.capture[0].time", "ends at 2 s"),
    "a capture twice": (
        scene_of_ball('"capture": [{"key": 1, "time": 1}, {"key": "bounce", "time": 1.5}]'),
        f"{A}.capture[1].key",
        "in capture 0 too",
    ),
    "a capture of an end": (scene_of_ball('"capture": [{"key": 0, "time": 1}]'), f"{A}.capture", "is passed at 0 s"),
    "a capture of timed keys": (
        scene(', "capture": [{"key": 0, "time": 1}]', keys=TIMED),
        f"{A}.capture",
        "Change their times instead",
    ),
    "a time before the start": (
        scene(', "duration": 1', keys='[{}, {"time": -1}, {"time": 0}]'),
        f"{K}[0].time",
        "Give key 0 a time",
    ),
    # what moves
    "nothing that moves": (b'{"keypose": 1, "actors": [{"name": "a"}]}', f"{A}.path", "Nothing moves it"),
    "two that move": (
        scene_of_ball('"mover": {"kind": "hopper", "leader": "man"}'),
        f"{A}.mover",
        "Both path and mover move it. Give one",
    ),
    "a mover with a duration": (scene_of_actors(("b", '"duration": 1'), ("a",)), f"{A}.duration", "belongs to a path"),
    "a mover that watches nobody": (
        b'{"keypose": 1, "actors": [{"name": "a", "mover": {"kind": "hopper", "leader": "b"}}]}',
        f"{A}.mover",
        "watches 'b', which is not on the stage",
    ),
    "frames out of order": (
        scene_of_frames("[0, 0]", '"position": [[0], [1]]'),
        f"{A}.frames.times[1]",
        "does not come after",
    ),
    "frames that are missing": (
        scene_of_frames("[0, 1]", '"position": [[0]]'),
        f"{A}.frames.position",
        "1 frames, .* 2 times",
    ),
    "frames of zeros": (
        scene_of_frames("[0, 1]", '"position": [[0], [1]], "orientation": [[1, 0, 0, 0], [0, 0, 0, 0]]'),
        f"{A}.frames.orientation[1]",
        "faces nowhere",
    ),
    # who is who
    "a name twice": (scene_of_actors(("a",), ("b",), ("a",)), "actors[2].name", "Actor 0 is named 'a' too"),
    "an unknown parent": (
        scene_of_ball('"parent": "mann"'),
        f"{A}.parent",
        r"stands on 'mann', who is not .* mean 'man'\?",
    ),
    "an unknown target": (
        scene_of_ball('"facing": {"kind": "look_at", "name": "men"}'),
        f"{A}.facing.name",
        "looks at 'men'",
    ),
    "an unknown carrier": (scene_of_keys('{"relative_to": "nobody"}'), f"{K}[1].relative_to", "carried by 'nobody'"),
    "its own parent": (scene_of_ball('"parent": "ball"'), f"{A}.parent", "'ball' stands on itself. Name another"),
    "its own carrier": (scene_of_keys('{"relative_to": "ball"}'), f"{K}[1].relative_to", "'ball' is carried by itself"),
    "its own target": (
        scene_of_ball('"facing": {"kind": "look_at", "name": "ball"}'),
        f"{A}.facing.name",
        "looks at itself",
    ),
    "a circle of parents": (
        scene_of_actors(("c", '"parent": "b"'), ("b", '"parent": "a"'), ("a", '"parent": "c"'), thing=STILL_MOTION),
        "actors[2].parent",
        "circle: a → c → b → a",
    ),
    "a pinned key passed again": (
        scene_of_ball('"outside": "cycle"').replace(b'"position": [2, 0]', b'"position": [2, 0], "relative_to": "man"'),
        f"{A}.outside",
        "again and again",
    ),
    # style
    "an effect beyond all": (
        scene(', "duration": 1', rest=', "style": {"effects": {"a.b": {"bias": 1e16}}}'),
        'style.effects["a.b"].bias',
        "at most",
    ),
    "an effect without a name": (
        scene(', "duration": 1', rest=', "style": {"effects": {"": {}}}'),
        'style.effects[""]',
        "Its name is empty",
    ),
    # versions
    "no version": (b'{"actors": []}', "keypose", 'A scene starts with "keypose": 1'),
    "version zero": (b'{"keypose": 0, "actors": []}', "keypose", "the number 0. Give the version"),
    "a version in words": (b'{"keypose": "1", "actors": []}', "keypose", "the text '1'"),
    "a version to come": (b'{"keypose": 7, "actors": []}', "keypose", "version 7.*Use a newer Keypose"),
}


@pytest.mark.parametrize("what", WRONG)
def test_problem_is_reported_at_its_path_with_remedy(what):
    content, path, sentence = WRONG[what]
    json.loads(content)
    (problem,) = find_problems(content)
    assert problem.path == path
    assert re.search(sentence, problem.text), problem.text
    assert len(problem.text) < 300


def test_all_problems_of_a_file_are_reported_together():
    content = b"""{"keypose": 1, "style": {"tension": "high"}, "gravitty": 1, "actors": [
      {"name": "a", "parent": "b", "path": {"keys": [{"position": [0, "x"]}, {"effect": "own", "tensio": 1}]}},
      {"name": "b", "parent": "a", "look": 5, "path": {"keys": [{"position": [0]}, {"position": [1]}]}, "duration": 1},
      {"name": "c", "parent": "c", "facing": {"kind": "look_at", "name": "z"}, "frames": {}},
      {"name": "d", "mover": {"kind": "hopper"}}]}"""
    assert [problem.path for problem in find_problems(content)] == [
        "gravitty",
        "style.tension",
        "actors[0].path.keys[0].position[1]",
        "actors[0].path.keys[1].tensio",
        "actors[1].look",
        "actors[2].frames.times",
        "actors[2].frames.position",
        "actors[3].mover.leader",
        "actors[2].parent",
        "actors[2].facing.name",
        "actors[0].parent",
    ]


def test_cyclic_parents_are_allowed_with_a_mover():
    content = scene_of_actors(("c", '"parent": "b"'), ("b", '"parent": "a"'), ("a", '"parent": "c"'))
    assert read(content).resolved.previous_reads
    assert read(b"".join(write(read(content)))) == read(content)
    one = json.loads(scene_of_actors(("c", '"parent": "b"'), ("b", '"parent": "c"'), ("a",), thing=STILL_MOTION))
    assert find_problems(json.dumps(one).encode())
    one["actors"][0] |= {"mover": {"kind": "hopper", "leader": "a"}}
    for word in ("path", "duration"):
        del one["actors"][0][word]
    assert read(json.dumps(one).encode()).resolved.previous_reads == {("c", False): ("b", False)}


def test_every_key_out_of_order_is_reported():
    content = scene(keys='[{"time": 3}, {"time": 2}, {"time": 1}, {"time": 4}, {"time": 4}]')
    assert [problem.path for problem in find_problems(content)] == [f"{K}[{index}].time" for index in (1, 2, 4)]


@pytest.mark.parametrize(
    ("path_parts", "path"),
    [
        ((), "x"),
        (("keys", 2, "time"), "x.keys[2].time"),
        (("größe",), "x.größe"),
        (("a.b", 0), 'x["a.b"][0]'),
        (('"',), r'x["\""]'),
        (("\ud800",), r'x["\ud800"]'),
        (("n" * 100,), 'x["' + "n" * 59 + '…"]'),
    ],
)
def test_problem_paths_use_python_syntax(path_parts, path):
    assert join_path("x", *path_parts) == path
    assert join_path("x", *path_parts).encode()


def test_scene_error_counts_the_omitted_problems():
    error = SceneError((Problem("a", "Bad."), Problem("", "Worse.")), "x.json", 30)
    assert str(error) == "x.json has 30 problems:\na: Bad.\nWorse.\n… and 10 more."
    assert isinstance(error, KeyposeError)


def test_suggestions_stop_after_the_shown_problems():
    reading = ReadContext()
    assert "Did you mean" in reading.suggestion("tim", ["time"])
    for _ in range(20):
        reading.add_problem("a", "Bad.")
    assert reading.suggestion("tim", ["time"]) == ""


def test_problems_of_all_stages_of_reading_are_reported_together():
    def actor(name, *keys, **more):
        return {"name": name, "path": {"keys": [{"position": [0, 0]}, *keys]}, **more}

    mid = {"position": [1, 0], "name": "mid"}
    crate = {"kind": "still", "body": {"shape": {"kind": "sphere", "radius": 1}}}
    content = {
        "keypose": 1,
        "actors": [
            actor("a", mid, loook="red"),  # a wrong field does not hide that its duration is missing
            actor("b", {"position": [1, 0], "tension": "x", "time": 2}, {"position": [2, 0], "time": 1}, duration=1),
            actor("c", mid, look=3, mover=crate),
            actor("d", mid, duration=1),
            {"name": "e", "mover": crate},
        ],
        "connections": [
            {"kind": "spring", "link": "d", "stiffness": 2},
            {"kind": "spring", "link": "b", "stiffness": 2},
        ],
        "script": [{"name": "m", "goals": {"d": "end", "a": "mid"}}, {"name": "n", "goals": {"d": 99}}],
    }
    problems = {problem.path: problem.text for problem in find_problems(json.dumps(content).encode())}
    assert list(problems) == [
        "actors[0].loook",
        "actors[0].duration",
        "actors[1].path.keys[1].tension",
        "actors[1].path.keys[2].time",
        "actors[2].look",
        "actors[2].mover",
        "connections[0]",
        "script[0].goals.d",
        "script[1].goals.d",
    ]
    assert "not after key 1 at 2.0 s" in problems["actors[1].path.keys[2].time"]
    assert "Both path and mover move it" in problems["actors[2].mover"]
    assert "no key of its path is named so" in problems["script[0].goals.d"]


def test_several_connections_and_goals_that_a_stage_refuses_are_reported_together():
    still = '"path": {"keys": [{"position": [0, 0]}, {"position": [1, 0]}]}, "duration": 1'
    spring = '{"kind": "spring", "link": "a", "stiffness": 1}'
    content = (
        f'{{"keypose": 1, "actors": [{{"name": "a", {still}}}], "connections": [{spring}, {spring}], '
        '"script": [{"name": "m", "goals": {"a": "x"}}]}'
    )
    paths = [problem.path for problem in find_problems(content.encode())]
    assert paths == ["connections[0]", "connections[1]", "script[0].goals.a"]
