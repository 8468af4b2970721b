import assert from "node:assert/strict";
import { test } from "node:test";
import { placed } from "../../static/src/charts/labels.js";

test("names of points that lie close together do not lie on each other", () => {
  const points = Array.from({ length: 8 }, (_, at) => ({ x: 200 + at, y: 150 - at, length: 80 }));
  const names = placed(points, 400, 300).map(({ dx, dy }, at) => ({ x: points[at].x + dx, y: points[at].y + dy }));
  for (const [at, one] of names.entries())
    for (const other of names.slice(at + 1)) assert.ok(Math.abs(one.x - other.x) >= 80 || Math.abs(one.y - other.y) >= 15);
});

test("a name stays within the picture, or is left out where it has no room", () => {
  assert.deepEqual(placed([{ x: 200, y: 150, length: 80 }], 400, 300), [{ dx: 0, dy: -15.5 }]);
  assert.ok(placed([{ x: 2, y: 150, length: 80 }], 400, 300)[0].dx >= 38);
  assert.deepEqual(placed([{ x: 20, y: 20, length: 90 }], 40, 40), [null]);
});
