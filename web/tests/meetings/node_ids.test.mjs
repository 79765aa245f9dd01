// Node ids of meetings in the graph.
import assert from "node:assert/strict";
import { test } from "node:test";

import { meetingNameOf, nodeIdOf } from "../../src/meetings/node_ids.ts";

test("a node id leads back to its meeting name and contains no quotes", () => {
  for (const name of ["arch", "100 %", 'the "last" \\ one', "%22", "Brücke"]) {
    assert.equal(meetingNameOf(nodeIdOf(name)), name);
    assert.ok(!/["\\]/.test(nodeIdOf(name)));
  }
  assert.equal(nodeIdOf("first arch"), "first arch");
});
