import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import * as controls from "../../static/src/shell/unsaved/controls.js";
import { open } from "./page.mjs";

const drawn = () => open(`
    <form method="post" action="/save/" id="editor">
      <input type="hidden" name="at" value="/title">
      <input name="title" value="Old" aria-label=" The
        title ">
      <textarea name="text">one\ntwo</textarea>
      <input type="checkbox" name="tags" value="a" checked><input type="checkbox" name="tags" value="b">
      <fieldset><legend>Score</legend>
        <input type="radio" name="score" value="1" checked><input type="radio" name="score" value="2">
      </fieldset>
      <select name="set"><option value="x">X</option><option value="y" selected>Y</option></select>
      <select name="many" multiple><option selected>p</option><option>q</option></select>
      <input type="password" name="secret"><input name="action" value="a control of this name">
    </form>`).querySelector("form");
let form;

beforeEach(() => (form = drawn()));

const control = (name, nth = 0) => form.querySelectorAll(`[name=${name}]`)[nth];

test("a form is known by its address, its id and the field that it is about", () => {
  assert.equal(controls.placeOf(form), "/save/ editor /title");
  assert.equal(controls.formAt("/save/ editor /title"), form);
  form.removeAttribute("action");
  assert.equal(controls.actionOf(form), "/packs/?q=a");
});

test("what is kept is typed into a form that posts, and no secret", () => {
  const names = [...form.elements].filter(controls.isKept).map((each) => each.name);
  assert.deepEqual([...new Set(names)], ["title", "text", "tags", "score", "set", "many", "action"]);
  form.dataset.unkept = "";
  assert.equal(controls.isKept(control("title")), false);
});

// Each control with what somebody does to it, and what it is back to afterwards.
const CHANGES = [
  ["title", 0, (each) => (each.value = "New"), "New"],
  ["text", 0, (each) => (each.value = "other"), "other"],
  ["tags", 1, (each) => (each.checked = true), true],
  ["score", 1, (each) => (each.checked = true), "2"],
  ["set", 0, (each) => (each.value = "x"), "x"],
  ["many", 0, (each) => (each.options[1].selected = true), '["p","q"]'],
];

for (const [name, nth, change, value] of CHANGES) {
  test(`a change of ${name} is found, described, put back and marked as stored`, () => {
    const changed = control(name, nth);
    assert.equal(controls.isStored(changed), true);
    change(changed);
    assert.equal(controls.isStored(changed), false);
    const word = controls.wordOf(changed);
    assert.equal(word.value, value);
    form = drawn();
    assert.equal(controls.shows(form, word), false);
    assert.equal(controls.put(controls.controlOf(form, word), value), true);
    assert.equal(controls.shows(form, word), true);
    assert.equal(controls.isStored(control(name, nth)), false);
    controls.markStored(control(name, nth), word);
    assert.equal(controls.isStored(control(name, nth)), true);
  });
}

test("line ends are no change", () => {
  control("text").defaultValue = "one\r\ntwo";
  control("text").value = "one\ntwo";
  assert.equal(controls.isStored(control("text")), true);
});

test("a control is called by its label, legend or name", () => {
  assert.equal(controls.wordOf(control("title")).label, "The title");
  assert.equal(controls.wordOf(control("score", 1)).label, "Score");
  assert.equal(controls.wordOf(control("set")).label, "set");
});

test("of boxes with one name each is a word of its own, of radio buttons all are one", () => {
  assert.notEqual(controls.keyOf(controls.wordOf(control("tags", 0))), controls.keyOf(controls.wordOf(control("tags", 1))));
  assert.equal(controls.keyOf(controls.wordOf(control("score", 0))), controls.keyOf(controls.wordOf(control("score", 1))));
});

test("a choice that is gone cannot be put", () => {
  const word = { ...controls.wordOf(control("set")), value: "gone" };
  assert.equal(controls.put(control("set"), word.value), false);
});

test("a word is in what was sent where its value is, and a box also where it was left empty", () => {
  const sent = new FormData(form);
  assert.equal(controls.isIn(sent, controls.wordOf(control("title"))), true);
  assert.equal(controls.isIn(sent, { ...controls.wordOf(control("title")), value: "New" }), false);
  assert.equal(controls.isIn(sent, controls.wordOf(control("tags", 1))), true);
  assert.equal(controls.isIn(sent, { ...controls.wordOf(control("tags", 1)), value: true }), false);
});
