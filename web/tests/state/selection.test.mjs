// What is selected, and what becomes of it when the document changes.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { SceneDocument } from "../../src/state/document.svelte.ts";
import { Selection } from "../../src/state/selection.svelte.ts";
import { actor, key, scene } from "../scene.mjs";

let doc, selection;
const red = (keyCount, values = []) =>
  actor("red", Array.from({ length: keyCount }, key), { speed: { kind: "drawn", values } });
const arm = actor("arm");
const links = [{ name: "arm/hand", actor: "arm" }];
const driven = [actor("arm/hand", [key(), key()])];
const meetings = [
  { name: "first", after: [], goals: [] },
  { name: "second", after: ["first"], goals: [] },
];

function change(...update) {
  doc.receiveScene(scene(...update));
  selection.prune();
}

beforeEach(() => {
  doc = new SceneDocument();
  selection = new Selection(doc);
  doc.receiveScene(scene([red(4, [1, 2, 3]), arm], { fields: [{ name: "wind" }], links, driven, meetings }));
});

test("keys are selected in ascending order", () => {
  selection.select("red", [3, 0, 2]);
  assert.deepEqual(selection.keys, [0, 2, 3]);
  assert.equal(selection.actorView.name, "red");
});

test("a link is selected with its actor, and owns the keys", () => {
  selection.select("arm/hand", [1]);
  assert.deepEqual([selection.actor, selection.link, selection.keyOwner], ["arm", "arm/hand", "arm/hand"]);
});

test("a field, a meeting and an actor replace each other", () => {
  selection.select("red", [1]);
  selection.speedValue = 2;
  selection.selectField("wind");
  assert.deepEqual([selection.actor, selection.keys, selection.speedValue], [null, [], null]);
  selection.selectMeeting("second", "first");
  assert.deepEqual([selection.field, selection.meeting, selection.arrowFrom], [null, "second", "first"]);
  selection.select("arm");
  assert.deepEqual([selection.meeting, selection.arrowFrom], [null, null]);
});

test("keys that are gone are deselected", () => {
  selection.select("red", [1, 3]);
  change([red(2), arm]);
  assert.deepEqual([selection.actor, selection.keys], ["red", [1]]);
});

test("an actor, a field and a speed value that are gone are deselected", () => {
  selection.select("red", [1]);
  selection.speedValue = 2;
  change([red(4, [1]), arm]);
  assert.deepEqual([selection.actor, selection.speedValue], ["red", null]);
  change([arm]);
  assert.deepEqual([selection.actor, selection.keys], [null, []]);
  selection.selectField("wind");
  change([arm]);
  assert.equal(selection.field, null);
});

test("where a link is gone its actor stays selected", () => {
  selection.select("arm/hand", [0, 1]);
  change([red(4), arm]);
  assert.deepEqual([selection.actor, selection.link, selection.keys], ["arm", null, []]);
});

test("an arrow that is gone leaves its meeting selected", () => {
  selection.selectMeeting("second", "first");
  change([arm], { meetings: [meetings[0], { ...meetings[1], after: [] }] });
  assert.deepEqual([selection.meeting, selection.arrowFrom], ["second", null]);
  change([arm], { meetings: [meetings[0]] });
  assert.equal(selection.meeting, null);
});

test("picking a goal ends with the meeting it is for, and goes on for a new meeting", () => {
  selection.goalPicking = { meeting: "second" };
  change([arm], { meetings: [meetings[0]] });
  assert.equal(selection.goalPicking, null);
  selection.goalPicking = { meeting: null };
  change([arm]);
  assert.deepEqual(selection.goalPicking, { meeting: null });
});
