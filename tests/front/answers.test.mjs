import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { say, spread } from "../../static/src/workbench/answers.js";
import { open } from "./page.mjs";

const EDITOR = (quiet = "") => `
  <form id="editor">
    <div class="${quiet}"><input id="f1-c" aria-invalid="true"><span class="fld__findings" id="f1-p">old</span></div>
    <input id="f2-c"><span class="fld__findings" id="f2-p"><b>old</b></span>
  </form>
  <span id="savestate"></span><button id="undo" aria-disabled="true"></button>
  <div class="bench__head"><h1>Old name</h1></div>
  <span id="dot-1" class="dot">.</span>`;
const LIVE = `
  <div id="live">
    <div data-for="f1"><p class="fld__finding--error">Must be text.</p></div>
    <div data-for="gone"><p>Nobody sees this.</p></div>
    <span data-name>New name</span>
    <span data-dot="dot-1"><i class="dot dot--red">!</i></span>
  </div>`;

let page;
beforeEach(() => (page = open(EDITOR() + LIVE)));

test("each finding goes to its field, and old ones go", () => {
  spread();
  assert.equal(page.getElementById("f1-p").textContent, "Must be text.");
  assert.equal(page.getElementById("f2-p").textContent, "");
  assert.equal(page.getElementById("f1-c").getAttribute("aria-invalid"), "true");
  assert.equal(page.getElementById("f2-c").hasAttribute("aria-invalid"), false);
});

test("a field that is still being typed into is not called wrong", () => {
  page = open(EDITOR("is-quiet") + LIVE);
  spread();
  assert.equal(page.getElementById("f1-c").hasAttribute("aria-invalid"), false);
});

test("head, outline and undo follow the answer", () => {
  spread();
  assert.equal(page.querySelector("h1").textContent, "New name");
  assert.equal(page.getElementById("dot-1").className, "dot dot--red");
  assert.equal(page.getElementById("undo").hasAttribute("aria-disabled"), false);
});

test("trouble is marked until something else is said", () => {
  say("Not saved", true);
  assert.equal(page.getElementById("savestate").className, "savestate--trouble");
  say("Saved");
  assert.equal(page.getElementById("savestate").className, "");
  assert.equal(page.getElementById("savestate").textContent, "Saved");
});
