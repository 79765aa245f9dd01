// The document, and the updates it is built from.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { SceneDocument } from "../../src/state/document.svelte.ts";
import { actor, key, scene } from "../scene.mjs";

let doc;
const curve = (name, revision, length = 1) => ({ actor: name, revision, length, duration: 2, arrays: [] });

beforeEach(() => {
  doc = new SceneDocument();
});

test("an incomplete update keeps the actors it leaves out", () => {
  doc.receiveScene(scene([actor("red"), actor("blue")]));
  doc.receiveScene(scene([actor("blue", [key()])], { is_complete: false, order: ["red", "blue"] }));
  assert.deepEqual(
    doc.scene.actors.map(({ name, keys }) => [name, keys.length]),
    [
      ["red", 0],
      ["blue", 1],
    ],
  );
});

test("an actor that is not in the order is gone, with its curve", () => {
  doc.receiveScene(scene([actor("red"), actor("blue")]));
  doc.receiveCurve(curve("red", 1), {});
  doc.receiveScene(scene([], { is_complete: false, order: ["blue"] }));
  assert.equal(doc.actor("red"), undefined);
  assert.equal(doc.curves.size, 0);
});

test("an older curve does not replace a newer one", () => {
  doc.receiveCurve(curve("red", 5, 50), {});
  doc.receiveCurve(curve("red", 4, 40), {});
  assert.equal(doc.curves.get("red").length, 50);
});

test("a rough path that came with the poses replaces that of an older curve", () => {
  doc.receiveScene(scene([actor("red"), actor("blue")]));
  doc.receiveRelativePaths(3, { "path 1": new Float32Array([7, 8, 9]) });
  doc.receiveCurve(curve("blue", 2), { path: new Float32Array([1, 2, 3]) });
  assert.deepEqual([...doc.curves.get("blue").arrays.path], [7, 8, 9]);
  doc.receiveCurve(curve("blue", 4), { path: new Float32Array([1, 2, 3]) });
  assert.deepEqual([...doc.curves.get("blue").arrays.path], [1, 2, 3]);
});

test("a driven link has keys, and is no actor", () => {
  doc.receiveScene(scene([actor("arm")], { driven: [actor("arm/hand", [key(), key()])] }));
  assert.equal(doc.keyedActor("arm/hand").keys.length, 2);
  assert.equal(doc.actor("arm/hand"), undefined);
});
