// Arithmetic typed into number fields.
import assert from "node:assert/strict";
import { test } from "node:test";

import { calculate, formatNumber } from "../../src/math/arithmetic.ts";

test("sums, products, powers and brackets follow the usual precedence", () => {
  assert.equal(calculate("1/3+0.5", 7), 1 / 3 + 0.5);
  assert.equal(calculate("2+3*4", null), 14);
  assert.equal(calculate("(2+3)*4", null), 20);
  assert.equal(calculate("8-3-2", null), 3);
  assert.equal(calculate("16/4/2", null), 2);
  assert.equal(calculate("-2^2", null), -4);
  assert.equal(calculate("2^3^2", null), 512);
  assert.equal(calculate("2**-1", null), 0.5);
  assert.equal(calculate("pi/2", null), Math.PI / 2);
  assert.equal(calculate(" 1e-3 ", null), 0.001);
  assert.equal(calculate("−1.5", null), -1.5);
  assert.equal(calculate("0,5", null), 0.5);
});

test("a leading operator changes the current value", () => {
  assert.equal(calculate("*2", 1.5), 3);
  assert.equal(calculate("/4", 2), 0.5);
  assert.equal(calculate("+=1/2", 1), 1.5);
  assert.equal(calculate("-=1", 1), 0);
  assert.equal(calculate("-1", 5), -1);
  assert.equal(calculate("*2", null), null);
});

test("input that is no finite number is refused", () => {
  for (const text of [
    "",
    "one",
    "1+",
    "(1",
    "1)",
    "1 2",
    "1/0",
    "0/0",
    "1e999",
    "**2",
    "alert(1)",
    "1;2",
    "constructor",
  ])
    assert.equal(calculate(text, 1), null, text);
});

test("a formatted number is short and can be parsed again", () => {
  assert.equal(formatNumber(0.30000000000000004), "0.3");
  assert.equal(formatNumber(-0.00001), "0");
  assert.equal(calculate(formatNumber(-1.25), null), -1.25);
});
