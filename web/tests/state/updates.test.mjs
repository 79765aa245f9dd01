// Where updates go, and which are not read.
import assert from "node:assert/strict";
import { test } from "node:test";

import { connection } from "../../src/connection/connection.svelte.ts";
import { PROTOCOL_VERSION } from "../../src/messages.ts";
import { doc } from "../../src/state/document.svelte.ts";
import { notices } from "../../src/state/notices.svelte.ts";
import { playback } from "../../src/state/playback.svelte.ts";
import { selection } from "../../src/state/selection.svelte.ts";
import { updates } from "../../src/state/updates.ts";
import { viewport } from "../../src/state/viewport.svelte.ts";
import { FakeSocket, installFakeSocket } from "../connection/fake_socket.mjs";
import { actor, key, scene } from "../scene.mjs";

installFakeSocket();
connection.open("ws://here/live", updates);
const [socket] = FakeSocket.made;
const welcome = (protocol) => ({ is: "welcome", protocol, version: "0", folder_path: "/" });

test("the first message names the protocol version of the page", () => {
  socket.onopen();
  assert.deepEqual(socket.sent[0], { do: "hello", fps: 24, protocol: PROTOCOL_VERSION, id: socket.sent[0].id });
});

test("updates of another protocol version are not read, and a refusal is no second notice", async () => {
  socket.answer(welcome(PROTOCOL_VERSION + 1));
  socket.answer(scene([actor("red")]));
  socket.answer({ is: "refused", id: socket.sent[0].id, reason: "Reload the page." });
  await Promise.resolve();
  assert.equal(connection.isOutdated, true);
  assert.equal(doc.scene, null);
  assert.deepEqual(notices.entries, []);
});

test("updates of the page's own version are read again", () => {
  socket.answer(welcome(PROTOCOL_VERSION));
  socket.answer(scene([actor("red", [key()])]));
  assert.equal(connection.isOutdated, false);
  assert.equal(doc.actor("red").keys.length, 1);
});

test("another document has no collisions yet, and no camera of the last one", () => {
  selection.select("red");
  viewport.camera = "red";
  socket.answer({ is: "collisions", collisions: [] });
  assert.deepEqual(playback.collisions, []);
  socket.answer(scene([actor("blue")], { opened_at: 5 }));
  assert.deepEqual([playback.collisions, selection.actor, viewport.camera], [null, null, null]);
});
