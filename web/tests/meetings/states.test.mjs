// The state of a meeting at an instant, and short texts for it.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  activeMeetings,
  arrivedAt,
  eventsByMeeting,
  goalText,
  shortNames,
  stateAt,
} from "../../src/meetings/states.ts";

const events = [
  { time: 0, meeting: "arch", actor: "red", state: "active", text: "" },
  { time: 1, meeting: "arch", actor: "red", state: "reached", text: "" },
  { time: 2, meeting: "arch", actor: "red", state: "late", text: "" },
  { time: 2.5, meeting: "home", actor: "red", state: "active", text: "" },
  { time: 3, meeting: "arch", actor: "blue", state: "reached", text: "" },
  { time: 3, meeting: "arch", actor: "blue", state: "done", text: "" },
];
const arch = eventsByMeeting(events).get("arch");

test("a meeting has the state of its last event and waits before the first one", () => {
  assert.deepEqual(
    [-1, 0, 1.5, 2, 3].map((time) => stateAt(arch, time)),
    ["waiting", "active", "active", "late", "done"],
  );
  assert.equal(stateAt(undefined, 5), "waiting");
  assert.deepEqual([...arrivedAt(arch, 1.5)], ["red"]);
  assert.deepEqual([...arrivedAt(arch, 3)], ["red", "blue"]);
});

test("active meetings come first; when none is active, the one with the last event counts", () => {
  assert.deepEqual(
    [-1, 0, 2, 2.7, 3].map((time) => activeMeetings(eventsByMeeting(events), time)),
    [[], ["arch"], ["arch"], ["arch", "home"], ["home"]],
  );
  assert.deepEqual(activeMeetings(eventsByMeeting([...events, { ...events[5], time: 4, meeting: "home" }]), 9), [
    "home",
  ]);
});

test("participants are shown by the shortest unambiguous names", () => {
  assert.deepEqual(shortNames(["road", "walker/left foot", "walker/right foot"]), ["road", "left foot", "right foot"]);
  assert.deepEqual(shortNames(["one/hand", "two/hand", "bell/"]), ["one/hand", "two/hand", "bell/"]);
});

test("a goal has a text of one or two words", () => {
  assert.equal(goalText({ actor: "red", key: "arch", distance: null, is_orientation: false }), "arch");
  assert.equal(goalText({ actor: "red", key: "arch", distance: null, is_orientation: true }), "turn to arch");
  assert.equal(goalText({ actor: "red", key: null, distance: 1.23456, is_orientation: false }), "1.235 m");
});
