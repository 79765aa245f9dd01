// Playing, scrubbing and live runs, with a server that answers when the test lets it.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { RefusedError } from "../../src/connection/message_socket.ts";
import { Playback } from "../../src/state/playback.svelte.ts";

const soon = () => new Promise((done) => setTimeout(done, 0));
const transport = (time, isPlaying, rest = {}) => ({
  time,
  is_playing: isPlaying,
  is_live: false,
  speed: 1,
  simulated_until: 0,
  ...rest,
});

let sent, drags, playback;

beforeEach(() => {
  [sent, drags] = [[], []];
  playback = new Playback({
    send: (message) => new Promise((done, refused) => sent.push({ message, done, refused })),
    dispatch: (message) => sent.push({ message }),
    drag: (_, message) => drags.push(message),
    endDrag: () => new Promise((done) => drags.push(done)),
  });
});

test("playing is shown at once, whatever an older update says", () => {
  playback.play(2);
  playback.receiveTransport(transport(0, false));
  assert.equal(playback.isPlaying, true);
  assert.deepEqual(sent[0].message, { do: "play", time: 0, speed: 2, repeat: "cycle" });
});

test("playing that is refused is undone", async () => {
  playback.play(1);
  sent[0].refused(new RefusedError("No."));
  await soon();
  assert.equal(playback.isPlaying, false);
});

test("of several requests the last one decides", async () => {
  playback.play(1);
  playback.pause();
  sent[0].refused(new RefusedError("No."));
  await soon();
  playback.receiveTransport(transport(0, true));
  assert.equal(playback.isPlaying, false);
  sent[1].done({});
  await soon();
  playback.receiveTransport(transport(0.5, true));
  assert.equal(playback.isPlaying, true);
});

test("a moment that is scrubbed to is kept until the server has reached it", async () => {
  playback.seek(1.5);
  playback.receiveTransport(transport(0.2, false));
  assert.equal(playback.time, 1.5);
  drags.at(-1)();
  await soon();
  playback.receiveTransport(transport(1.4, false));
  assert.equal(playback.time, 1.4);
});

test("poses move the time only while it plays", () => {
  playback.receivePoses({ time: 0.7 }, {});
  assert.deepEqual([playback.time, playback.poses.time], [0, 0.7]);
  playback.receiveTransport(transport(0, true));
  playback.receivePoses({ time: 0.8 }, {});
  assert.equal(playback.time, 0.8);
});

test("a live run reaches as far as its newest poses", () => {
  playback.receiveTransport(transport(0, true, { is_live: true, simulated_until: 1 }));
  playback.receivePoses({ time: 1.25 }, {});
  assert.equal(playback.simulatedUntil, 1.25);
  playback.stop();
  assert.deepEqual([playback.isPlaying, playback.isLive], [false, false]);
});
