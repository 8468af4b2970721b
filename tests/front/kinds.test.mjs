import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./page.mjs";

const page = open(`
  <section data-kinds="page">
    <input role="combobox">
    <div role="group"><a role="option" id="a" href="#a" data-words="model chat">Asks a model</a></div>
    <div role="group">
      <a role="option" id="b" href="#b" data-words="program">Runs a program</a>
      <a role="option" id="c" href="#c" data-words="program">Asks an address</a>
    </div>
    <p data-nothing hidden></p>
  </section>`);
for (const option of page.querySelectorAll("[role=option]")) option.scrollIntoView = () => {};
await import("../../static/src/shell/galleries.js");
const input = page.querySelector("input");
const taken = [];
page.addEventListener("click", (event) => taken.push(event.target.id));

function type(words) {
  input.value = words;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
const press = (key, held = {}) => input.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...held }));
const chosen = () => page.querySelector('[aria-selected="true"]')?.id;
const shown = () => [...page.querySelectorAll("[role=option]:not([hidden])")].map((option) => option.id);

test("the first kind is chosen, and Tab does not stop at kinds", () => {
  assert.equal(chosen(), "a");
  assert.equal(page.getElementById("b").tabIndex, -1);
});

test("all words must occur, in the text or the words beside it", () => {
  type("asks program");
  assert.deepEqual(shown(), ["c"]);
  assert.equal(chosen(), "c");
  assert.equal(page.querySelector("[role=group]").hidden, true);
  assert.equal(input.getAttribute("aria-activedescendant"), "c");
});

test("arrows go round what is shown", () => {
  type("");
  press("ArrowUp");
  assert.equal(chosen(), "c");
  press("ArrowDown");
  assert.equal(chosen(), "a");
});

test("words that nothing has are said, and Enter then takes nothing", () => {
  type("no such kind");
  assert.equal(page.querySelector("[data-nothing]").hidden, false);
  press("ArrowDown");
  press("Enter");
  assert.deepEqual(taken, []);
});

test("Enter takes the chosen kind, but not while a word is composed", () => {
  type("program");
  press("Enter", { isComposing: true });
  assert.deepEqual(taken, []);
  press("Enter");
  assert.deepEqual(taken, ["b"]);
});
