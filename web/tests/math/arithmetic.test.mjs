// What does a person mean who types 1/3+0.5?
import assert from "node:assert/strict";
import { test } from "node:test";

import { calculated, shown } from "../../src/math/arithmetic.ts";

test("sums, products, powers and brackets are calculated as on paper", () => {
  assert.equal(calculated("1/3+0.5", 7), 1 / 3 + 0.5);
  assert.equal(calculated("2+3*4", null), 14);
  assert.equal(calculated("(2+3)*4", null), 20);
  assert.equal(calculated("8-3-2", null), 3);
  assert.equal(calculated("16/4/2", null), 2);
  assert.equal(calculated("-2^2", null), -4);
  assert.equal(calculated("2^3^2", null), 512);
  assert.equal(calculated("2**-1", null), 0.5);
  assert.equal(calculated("pi/2", null), Math.PI / 2);
  assert.equal(calculated(" 1e-3 ", null), 0.001);
  assert.equal(calculated("−1.5", null), -1.5);
  assert.equal(calculated("0,5", null), 0.5);
});

test("a sign in front changes what was there before", () => {
  assert.equal(calculated("*2", 1.5), 3);
  assert.equal(calculated("/4", 2), 0.5);
  assert.equal(calculated("+=1/2", 1), 1.5);
  assert.equal(calculated("-=1", 1), 0);
  assert.equal(calculated("-1", 5), -1);
  assert.equal(calculated("*2", null), null);
});

test("what is no finite number is refused", () => {
  for (const text of ["", "one", "1+", "(1", "1)", "1 2", "1/0", "0/0", "1e999", "**2", "alert(1)", "1;2", "constructor"])
    assert.equal(calculated(text, 1), null, text);
});

test("a number is shown as short as it can be read, and read back", () => {
  assert.equal(shown(0.30000000000000004), "0.3");
  assert.equal(shown(-0.00001), "0");
  assert.equal(calculated(shown(-1.25), null), -1.25);
});
