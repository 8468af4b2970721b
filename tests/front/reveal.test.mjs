import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { open } from "./page.mjs";

const HERE = "https://studio.test/packs/team/parcels/edit/cases/7/";
const BODY = `
  <form id="editor" action="${HERE}">
    <div class="fld" data-at="" id="whole">
      <details><div class="fld" data-at="/inputs" id="inputs">
        <div class="fld" data-at="/inputs/0" id="first"><input class="input" name="t:/inputs/0/value"></div>
        <div class="fld" data-at="/inputs/0/a%20b" id="named"><input class="input" id="named-c"></div>
      </div></details>
    </div>
  </form>`;

let page;
before(async () => {
  open(BODY);
  await import("../../static/src/workbench/reveal.js");
});
// The script listens at the document that was there when it was loaded.
beforeEach(() => {
  page = document;
  page.body.innerHTML = BODY;
  for (const field of page.querySelectorAll(".fld")) field.scrollIntoView = () => {};
});

function follow(address, keys = {}) {
  const link = page.createElement("a");
  link.href = address;
  page.body.append(link);
  const click = new window.MouseEvent("click", { bubbles: true, cancelable: true, ...keys });
  // The browser would leave the page.
  window.addEventListener("click", (event) => event.preventDefault(), { once: true });
  link.dispatchEvent(click);
}

test("a link to a field of the node that is shown leads there at once", () => {
  follow(`${HERE}?at=/inputs/0/a+b`);
  assert.equal(page.activeElement.id, "named-c");
  assert.equal(page.querySelector("details").open, true);
});

test("what the form does not show is found at the innermost field around it", () => {
  follow(`${HERE}?at=/inputs/0/value/deeper`);
  assert.equal(page.activeElement.name, "t:/inputs/0/value");
});

for (const [what, address, keys] of [
  ["of another node", HERE.replace("7", "8") + "?at=/inputs/0", {}],
  ["of another section", `${HERE}?section=version&at=/inputs/0`, {}],
  ["that the form has no part of", `${HERE}?at=/elsewhere`, {}],
  ["that is to open in a new tab", `${HERE}?at=/inputs/0`, { ctrlKey: true }],
]) {
  test(`a link to a field ${what} is the browser's`, () => {
    follow(address, keys);
    assert.equal(page.activeElement, page.body);
  });
}
