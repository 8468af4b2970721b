import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./page.mjs";

const page = open(`
  <form id="main" data-submit-with-enter><textarea></textarea></form>
  <form id="choice"><select data-submit-on-change><option>a</option></select><input></form>
  <dialog></dialog>`);
const sent = [];
for (const form of page.forms) form.requestSubmit = () => sent.push(form.id);
await import("../../static/src/shell/submitting.js");

// What is sent when a key is pressed in the text.
function pressed(key, held = {}) {
  sent.length = 0;
  page.querySelector("textarea").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...held }));
  return [...sent];
}

test("Ctrl or Cmd with Enter sends the form, Enter alone does not", () => {
  assert.deepEqual(pressed("Enter", { ctrlKey: true }), ["main"]);
  assert.deepEqual(pressed("Enter", { metaKey: true }), ["main"]);
  assert.deepEqual(pressed("Enter"), []);
  assert.deepEqual(pressed("a", { ctrlKey: true }), []);
});

test("nothing is sent while a word is composed or a dialog is open", () => {
  assert.deepEqual(pressed("Enter", { ctrlKey: true, isComposing: true }), []);
  page.querySelector("dialog").setAttribute("open", "");
  assert.deepEqual(pressed("Enter", { ctrlKey: true }), []);
  page.querySelector("dialog").removeAttribute("open");
});

test("a choice is used at once where the page says so", () => {
  sent.length = 0;
  page.querySelector("input").dispatchEvent(new Event("change", { bubbles: true }));
  assert.deepEqual(sent, []);
  page.querySelector("select").dispatchEvent(new Event("change", { bubbles: true }));
  assert.deepEqual(sent, ["choice"]);
});
