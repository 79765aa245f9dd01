"""How the design reads about appointments."""

from keypose import Actor, Body, Follow, Key, MotionPath, Plane, Script, Sphere, Stage, Still, load, save, shoot

LEFT_PATH = MotionPath([(0, 0, 0), Key((2, 0, 1), name="arch"), Key((5, 0, 0), name="home")])
RIGHT_PATH = MotionPath([(0, 0, 5), Key((5, 0, 3), name="arch"), Key((9, 0, 5), name="home")])


def test_meeting_example_of_the_design_document(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ball = Body(Sphere(0.3), mass=2.0, bounce=0.6)
    script = Script()
    arch = script.meet({"red": "arch", "blue": "arch"})
    home = script.meet({"red": "home", "blue": "home"}, after=arch)
    stage = Stage([
        Actor("red", Follow(LEFT_PATH, ball, within=0.4)),
        Actor("blue", Follow(RIGHT_PATH, ball, within=0.4, eagerness=0.6)),
        Actor("floor", Still(Body(Plane((0, 1, 0), -0.3)))),
    ], script=script, gravity=(0, -9.81, 0))  # fmt: skip

    take = shoot(stage, seconds=8, fps=24)
    assert take["red"].position.shape == (193, 3)
    save(take, "arches.npz")
    save(stage, "arches.json")
    assert load("arches.json") == stage
    meeting_events = [event for event in take.events if getattr(event, "meeting", None)]
    for meeting in (arch, home):
        arrival_times = [
            event.time for event in meeting_events if event.meeting == meeting.name and event.state == "reached"
        ]
        assert len(arrival_times) == 2
        assert max(arrival_times) - min(arrival_times) <= 0.02
