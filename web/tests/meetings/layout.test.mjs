// Positions of meetings in their graph, and the part of the graph that a panel shows.
import assert from "node:assert/strict";
import { test } from "node:test";

import { fitViewport, isVisible, layoutGraph, panTo } from "../../src/meetings/layout.ts";

const meeting = (name, after = []) => ({
  name,
  after,
  goals: [{ actor: "red", key: "a", distance: null, is_orientation: false }],
});

test("each meeting is to the right of its predecessors, and no two overlap", () => {
  const { boxes, width } = layoutGraph([meeting("c", ["a", "b"]), meeting("a"), meeting("b", ["a"]), meeting("d")]);
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => boxes.get(name));
  assert.ok(a.x + 158 < b.x && b.x + 158 < c.x && c.x + 158 <= width);
  assert.ok(Math.abs(d.y - a.y) >= d.height || Math.abs(d.x - a.x) >= 158);
});

test("a small graph is centred, and a long one starts at its left edge with a readable zoom", () => {
  const few = layoutGraph([meeting("a"), meeting("b", ["a"])]);
  assert.deepEqual(fitViewport(few, few.width + 100, few.height + 60), { x: 50, y: 30, zoom: 1 });
  const names = Array.from({ length: 30 }, (_, i) => String(i));
  const { x, zoom } = fitViewport(
    layoutGraph(names.map((name, i) => meeting(name, i ? [names[i - 1]] : []))),
    700,
    170,
  );
  assert.ok(x === 12 && zoom === 0.75);
  assert.equal(fitViewport(layoutGraph([]), 700, 170).zoom, 1);
});

const chain = (count) => Array.from({ length: count }, (_, i) => meeting(String(i), i ? [String(i - 1)] : []));

test("the longest chain is level, whatever branches off it", () => {
  const relay = chain(14).flatMap((one, i) => (i % 2 ? [one, meeting(`aside ${i}`, [one.name])] : [one]));
  const { boxes, height } = layoutGraph(relay);
  const tops = new Set(chain(14).map(({ name }) => Math.round(boxes.get(name).y)));
  assert.equal(tops.size, 1);
  assert.ok(Math.min(...[...boxes.values()].map(({ y }) => y)) === 0);
  assert.ok(height < 4 * boxes.get("0").height);
});

test("panning shows hidden meetings at the same zoom, and does nothing if all are visible", () => {
  const long = layoutGraph(chain(30));
  const start = fitViewport(long, 700, 170);
  assert.equal(panTo(long, ["0", "1"], start, 700, 170), start);
  assert.ok(!isVisible(long, ["20"], start, 700, 170));
  const there = panTo(long, ["20"], start, 700, 170);
  const { x, y } = long.boxes.get("20");
  assert.ok(Math.abs((x + 79) * there.zoom + there.x - 350) < 1);
  assert.ok(y * there.zoom + there.y >= 0 && there.zoom === start.zoom);
  const end = panTo(long, ["29"], start, 700, 170);
  assert.ok(Math.abs(long.width * end.zoom + end.x - 688) < 1);
  const last = panTo(long, ["0", "29"], start, 700, 170);
  assert.deepEqual(last, end);
  assert.equal(panTo(long, ["unknown"], start, 700, 170), start);
});
