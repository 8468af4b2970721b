import assert from "node:assert/strict";
import { test } from "node:test";
import { blend } from "../../static/src/charts/shades.js";

test("several cells in one pixel are shown as the mean of those with a verdict", () => {
  assert.equal(blend("0a"), "5");
  assert.equal(blend("aa-"), "a");
  assert.equal(blend("- "), "-");
  assert.equal(blend("  "), " ");
});
