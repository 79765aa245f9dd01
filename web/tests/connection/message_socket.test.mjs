// Requests, drags and reconnection over the websocket.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { MessageSocket, unpackArrays } from "../../src/connection/message_socket.ts";
import { FakeSocket, installFakeSocket } from "./fake_socket.mjs";

installFakeSocket();

const soon = () => new Promise((done) => setTimeout(done, 0));
let events, messages, socket;

beforeEach(() => {
  events = [];
  FakeSocket.made = [];
  messages = new MessageSocket("ws://here/live", {
    onUpdate: (update) => events.push(update.is),
    onArrays: () => undefined,
    onOpen: (isReconnect) => events.push(isReconnect ? "opened again" : "opened"),
    onClose: () => events.push("closed"),
  });
  messages.open();
  [socket] = FakeSocket.made;
  socket.onopen();
});

test("a reply belongs to the request with its id", async () => {
  const first = messages.send({ do: "undo" });
  const second = messages.send({ do: "redo" });
  socket.answer({ is: "refused", id: socket.sent[1].id, reason: "Nothing to redo." });
  socket.answer({ is: "done", id: socket.sent[0].id, revision: 3, says: null });
  assert.equal((await first).revision, 3);
  await assert.rejects(second, /Nothing to redo/);
});

test("a drag has one pending message, and the newest one follows", async () => {
  for (const value of [1, 2, 3, 4])
    messages.drag("g", { do: "raise_speed", actor: "red", index: 0, value }, () => undefined);
  assert.deepEqual(
    socket.sent.map((one) => one.value),
    [1],
  );
  socket.answer({ is: "done", id: socket.sent[0].id, revision: 1 });
  await soon();
  assert.deepEqual(
    socket.sent.map((one) => one.value),
    [1, 4],
  );
  assert.ok(socket.sent.every((one) => one.gesture === "g"));
});

test("a drag is settled when its last message is applied", async () => {
  let isOver = false;
  messages.drag("g", { do: "raise_speed", actor: "red", index: 0, value: 1 }, () => undefined);
  messages.drag("g", { do: "raise_speed", actor: "red", index: 0, value: 2 }, () => undefined);
  const end = messages.whenSettled("g").then(() => (isOver = true));
  socket.answer({ is: "done", id: socket.sent[0].id, revision: 1 });
  await soon();
  assert.equal(isOver, false);
  socket.answer({ is: "done", id: socket.sent[1].id, revision: 2 });
  await end;
  assert.equal(socket.sent.at(-1).value, 2);
});

test("a refused drag continues with the newest message", async () => {
  const refusals = [];
  const refused = (why) => refusals.push(why.message);
  messages.drag("g", { do: "raise_speed", actor: "red", index: 0, value: -1 }, refused);
  messages.drag("g", { do: "raise_speed", actor: "red", index: 0, value: 5 }, refused);
  socket.answer({ is: "refused", id: socket.sent[0].id, reason: "Speeds are 0 or more." });
  await soon();
  assert.deepEqual(refusals, ["Speeds are 0 or more."]);
  assert.equal(socket.sent.at(-1).value, 5);
});

test("scrubbing carries no gesture", () => {
  messages.drag("seek", { do: "seek", time: 1 }, () => undefined);
  assert.deepEqual(socket.sent, [{ do: "seek", time: 1, id: socket.sent[0].id }]);
});

test("pending requests are rejected when the connection closes, and it reconnects by itself", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const waiting = messages.send({ do: "undo" });
  socket.readyState = 3;
  socket.onclose();
  await assert.rejects(waiting, /went away/);
  await assert.rejects(messages.send({ do: "undo" }), /not reached/);
  context.mock.timers.tick(10_000);
  assert.equal(FakeSocket.made.length, 2);
  FakeSocket.made[1].onopen();
  assert.deepEqual(events, ["opened", "closed", "opened again"]);
});

test("arrays are unpacked from the binary format", () => {
  const header = {
    is: "poses",
    time: 0.5,
    revision: 1,
    arrays: [
      { name: "a", shape: [2], begin: 0 },
      { name: "b", shape: [1, 3], begin: 2 },
    ],
  };
  let words = JSON.stringify(header);
  words += " ".repeat((4 - (words.length % 4)) % 4);
  const bytes = new Uint8Array(4 + words.length + 20);
  new DataView(bytes.buffer).setUint32(0, words.length, true);
  bytes.set(new TextEncoder().encode(words), 4);
  new Float32Array(bytes.buffer, 4 + words.length).set([1, 2, 3, 4, 5]);
  const [read, arrays] = unpackArrays(bytes.buffer);
  assert.equal(read.time, 0.5);
  assert.deepEqual([...arrays.a], [1, 2]);
  assert.deepEqual([...arrays.b], [3, 4, 5]);
});
