// How is a meeting at a moment, and where does it stand in its graph?
import assert from "node:assert/strict";
import { test } from "node:test";

import { fitted, inSight, laidOut, turnedTo } from "../../src/meetings/layout.ts";
import { byMeeting, goalWords, nowOn, shortNames, stateAt, thereAt } from "../../src/meetings/states.ts";
import { nameOf, signOf } from "../../src/meetings/node_ids.ts";

const told = [
  { time: 0, meeting: "arch", actor: "red", state: "active", text: "" },
  { time: 1, meeting: "arch", actor: "red", state: "reached", text: "" },
  { time: 2, meeting: "arch", actor: "red", state: "late", text: "" },
  { time: 2.5, meeting: "home", actor: "red", state: "active", text: "" },
  { time: 3, meeting: "arch", actor: "blue", state: "reached", text: "" },
  { time: 3, meeting: "arch", actor: "blue", state: "done", text: "" },
];
const arch = byMeeting(told).get("arch");

test("a meeting is as it was last told, and waits before anything was", () => {
  assert.deepEqual([-1, 0, 1.5, 2, 3].map((time) => stateAt(arch, time)), ["waiting", "active", "active", "late", "done"]);
  assert.equal(stateAt(undefined, 5), "waiting");
  assert.deepEqual([...thereAt(arch, 1.5)], ["red"]);
  assert.deepEqual([...thereAt(arch, 3)], ["red", "blue"]);
});

test("what matters is what somebody is on the way to, and at the end what was told of last", () => {
  assert.deepEqual([-1, 0, 2, 2.7, 3].map((time) => nowOn(byMeeting(told), time)), [[], ["arch"], ["arch"], ["arch", "home"], ["home"]]);
  assert.deepEqual(nowOn(byMeeting([...told, { ...told[5], time: 4, meeting: "home" }]), 9), ["home"]);
});

test("those who meet are named as short as tells them apart", () => {
  assert.deepEqual(shortNames(["road", "walker/left foot", "walker/right foot"]), ["road", "left foot", "right foot"]);
  assert.deepEqual(shortNames(["one/hand", "two/hand", "bell/"]), ["one/hand", "two/hand", "bell/"]);
});

test("a goal is said in a word or two", () => {
  assert.equal(goalWords({ actor: "red", key: "arch", distance: null, turns: false }), "arch");
  assert.equal(goalWords({ actor: "red", key: "arch", distance: null, turns: true }), "turn to arch");
  assert.equal(goalWords({ actor: "red", key: null, distance: 1.23456, turns: false }), "1.235 m");
});

const meeting = (name, after = []) => ({ name, after, goals: [{ actor: "red", key: "a", distance: null, turns: false }] });

test("each meeting stands to the right of all it comes after, and none on another", () => {
  const { places, width } = laidOut([meeting("c", ["a", "b"]), meeting("a"), meeting("b", ["a"]), meeting("d")]);
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => places.get(name));
  assert.ok(a.x + 158 < b.x && b.x + 158 < c.x && c.x + 158 <= width);
  assert.ok(Math.abs(d.y - a.y) >= d.height || Math.abs(d.x - a.x) >= 158);
});

test("a graph is seen whole in its middle, and a long one from its beginning, large enough to be read", () => {
  const few = laidOut([meeting("a"), meeting("b", ["a"])]);
  assert.deepEqual(fitted(few, few.width + 100, few.height + 60), { x: 50, y: 30, zoom: 1 });
  const names = Array.from({ length: 30 }, (_, i) => String(i));
  const { x, zoom } = fitted(laidOut(names.map((name, i) => meeting(name, i ? [names[i - 1]] : []))), 700, 170);
  assert.ok(x === 12 && zoom === 0.75);
  assert.equal(fitted(laidOut([]), 700, 170).zoom, 1);
});

const chain = (count) => Array.from({ length: count }, (_, i) => meeting(String(i), i ? [String(i - 1)] : []));

test("the longest chain is level, whatever hangs on it", () => {
  const relay = chain(14).flatMap((one, i) => (i % 2 ? [one, meeting(`aside ${i}`, [one.name])] : [one]));
  const { places, height } = laidOut(relay);
  const tops = new Set(chain(14).map(({ name }) => Math.round(places.get(name).y)));
  assert.equal(tops.size, 1);
  assert.ok(Math.min(...[...places.values()].map(({ y }) => y)) === 0);
  assert.ok(height < 4 * places.get("0").height);
});

test("a view turns to what is out of sight, at the same size, and stays where all is seen", () => {
  const long = laidOut(chain(30));
  const start = fitted(long, 700, 170);
  assert.equal(turnedTo(long, ["0", "1"], start, 700, 170), start);
  assert.ok(!inSight(long, ["20"], start, 700, 170));
  const there = turnedTo(long, ["20"], start, 700, 170);
  const { x, y } = long.places.get("20");
  assert.ok(Math.abs((x + 79) * there.zoom + there.x - 350) < 1);
  assert.ok(y * there.zoom + there.y >= 0 && there.zoom === start.zoom);
  const end = turnedTo(long, ["29"], start, 700, 170);
  assert.ok(Math.abs(long.width * end.zoom + end.x - 688) < 1);
  const last = turnedTo(long, ["0", "29"], start, 700, 170);
  assert.deepEqual(last, end);
  assert.equal(turnedTo(long, ["nobody"], start, 700, 170), start);
});

test("a sign leads back to its name, and ends no quotes", () => {
  for (const name of ["arch", "100 %", 'the "last" \\ one', "%22", "Brücke"]) {
    assert.equal(nameOf(signOf(name)), name);
    assert.ok(!/["\\]/.test(signOf(name)));
  }
  assert.equal(signOf("first arch"), "first arch");
});
