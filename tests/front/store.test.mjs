import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import * as store from "../../static/src/shell/unsaved/store.js";
import { open } from "./page.mjs";

const DAY_MS = 24 * 3600 * 1000;
const record = (id, age = 0, more = {}) => ({ id, at: Date.now() - age, place: "/save/", ...more });

beforeEach(() => open(""));

test("what was kept is read again until it is forgotten", () => {
  const kept = record("a", 0, { words: [{ name: "title", value: "Grüße" }] });
  assert.equal(store.write(kept), true);
  assert.deepEqual(store.read("a"), kept);
  store.forget("a");
  assert.equal(store.read("a"), null);
});

test("nobody sees what another person typed in the same browser", () => {
  store.write(record("a"));
  document.body.dataset.person = "8";
  assert.equal(store.read("a"), null);
  assert.deepEqual(store.all(), []);
  store.forget("a");
  document.body.dataset.person = "7";
  assert.equal(store.read("a").id, "a");
});

test("all records come newest first, and those older than a month go", () => {
  for (const [id, age] of [["old", 32 * DAY_MS], ["middle", DAY_MS], ["new", 0], ["edge", 30 * DAY_MS]]) store.write(record(id, age));
  assert.deepEqual(store.all().map((each) => each.id), ["new", "middle", "edge"]);
  assert.equal(store.read("old"), null);
});

test("what is too long is not kept", () => {
  assert.equal(store.write(record("a", 0, { words: "x".repeat(2_000_000) })), false);
  assert.equal(store.read("a"), null);
});

test("a damaged record and keys of others are passed over", () => {
  localStorage.setItem("packwright:unsaved:7:bad", "{");
  localStorage.setItem("theme", "dark");
  store.write(record("good"));
  assert.deepEqual(store.all().map((each) => each.id), ["good"]);
  assert.equal(store.idOf("theme"), null);
});

test("a browser that keeps nothing is no trouble", () => {
  Object.defineProperty(globalThis, "localStorage", { get: () => { throw new Error("switched off"); }, configurable: true });
  assert.equal(store.write(record("a")), false);
  assert.equal(store.read("a"), null);
  assert.deepEqual(store.all(), []);
  store.forget("a");
});
