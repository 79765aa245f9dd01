// Sending through the connection: what is shown of replies, and when the page is behind.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Connection, RefusedError } from "../../src/connection/connection.svelte.ts";
import { SceneDocument } from "../../src/state/document.svelte.ts";
import { Notices } from "../../src/state/notices.svelte.ts";
import { actor, scene } from "../scene.mjs";
import { FakeSocket, installFakeSocket } from "./fake_socket.mjs";

const soon = () => new Promise((done) => setTimeout(done, 0));
const ignore = { onUpdate() {}, onArrays() {}, onOpen() {}, onClose() {} };
let doc, notices, connection, socket;

installFakeSocket();

beforeEach(() => {
  FakeSocket.made = [];
  doc = new SceneDocument();
  notices = new Notices();
  connection = new Connection(doc, notices);
  connection.open("ws://here/live", ignore);
  connection.handleOpen(false);
  [socket] = FakeSocket.made;
});

test("a refusal is shown as an error, and thrown", async () => {
  const reply = connection.send({ do: "undo" });
  socket.answer({ is: "refused", id: socket.sent[0].id, reason: "Nothing to undo." });
  await assert.rejects(reply, RefusedError);
  assert.deepEqual(
    notices.entries.map(({ kind, text }) => [kind, text]),
    [["error", "Nothing to undo."]],
  );
});

test("an edit is named beside the title, and clears errors", async () => {
  notices.add("error", "Speeds are 0 or more.");
  connection.dispatch({ do: "raise_speed", actor: "red", index: 0, value: 1 });
  socket.answer({ is: "done", id: socket.sent[0].id, revision: 2, text: "set speed" });
  await soon();
  assert.equal(connection.lastStep, "set speed");
  assert.deepEqual(notices.entries, []);
});

test("saving is confirmed by a notice with the folder as its tooltip", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  connection.welcome = { folder_path: "/scenes" };
  const reply = connection.send({ do: "save", file: "a.json" });
  socket.answer({ is: "done", id: socket.sent[0].id, revision: 2, text: "save a.json" });
  await reply;
  assert.deepEqual(
    notices.entries.map(({ text, title }) => [text, title]),
    [["Saved a.json.", "/scenes"]],
  );
});

test("the page is working until the scene of its newest edit is shown", async () => {
  const reply = connection.send({ do: "undo" });
  assert.equal(connection.isWorking, true);
  socket.answer({ is: "done", id: socket.sent[0].id, revision: 7 });
  await reply;
  assert.equal(connection.isBehind, true);
  doc.receiveScene(scene([actor("red")], { revision: 7 }));
  assert.deepEqual([connection.isBehind, connection.isWorking], [false, false]);
});

test("a cancelled drag waits for its last message and carries its gesture", async () => {
  connection.drag("g", { do: "raise_speed", actor: "red", index: 0, value: 1 });
  const cancelled = connection.cancelDrag("g");
  assert.equal(socket.sent.length, 1);
  socket.answer({ is: "done", id: socket.sent[0].id, revision: 1 });
  await soon();
  assert.deepEqual([socket.sent[1].do, socket.sent[1].gesture], ["cancel_gesture", "g"]);
  socket.answer({ is: "done", id: socket.sent[1].id, revision: 2 });
  await cancelled;
});

test("after four failed attempts the server counts as unreachable", () => {
  for (const retries of [0, 1, 2, 3]) connection.handleClose(retries);
  assert.deepEqual([connection.isConnected, connection.isUnreachable], [false, false]);
  connection.handleClose(4);
  assert.equal(connection.isUnreachable, true);
  connection.handleOpen(true);
  assert.deepEqual([connection.isConnected, connection.isUnreachable], [true, false]);
});
