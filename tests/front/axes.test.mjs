import assert from "node:assert/strict";
import { test } from "node:test";
import { brief, day, spaced, span } from "../../static/src/charts/axes.js";

test("numbers at an axis stay short, small and large, and zero is zero", () => {
  const written = [0, 0.1 + 0.2, 2e-7, 0.0000123456, 1500, 9999, 12_500, 3e6, 5e9, -0.25].map(brief);
  assert.deepEqual(written, ["0", "0.3", "2e-7", "1.23e-5", "1,500", "9,999", "12.5K", "3M", "5B", "-0.25"]);
});

test("ticks of an axis of milliseconds are told apart", () => {
  assert.deepEqual([0.0005, 0.001, 0.0015, 0.0025, 0.012].map(brief), ["0.0005", "0.001", "0.0015", "0.0025", "0.012"]);
});

test("an axis of one moment, or of several that are equal, is an hour long around it; a longer one begins with the first", () => {
  const noon = new Date("2026-11-25T12:00:00Z");
  for (const moments of [[noon], [noon, noon]])
    assert.deepEqual(span(moments).map((at) => at.toISOString()), ["2026-11-25T11:30:00.000Z", "2026-11-25T12:30:00.000Z"]);
  const later = new Date("2026-11-28T12:00:00Z");
  assert.deepEqual(span([later, noon]), [noon, later]);
  assert.equal(day(span([noon])), "25 Nov 2026, UTC");
  assert.equal(day(span([later, noon])), null);
});

test("names of lines that stand close together are left out, the newest stays", () => {
  assert.deepEqual(spaced([0, 5, 10, 100], (at) => at), [100, 10]);
});
