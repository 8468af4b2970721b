// No answer takes back what was typed, ticked or chosen after it was asked for, and no poll what was typed at all. Where
// the choice that has the focus is no longer offered, keys go on at the one that is chosen now.
import { arrival } from "./arrival.js";

const CONTROLS = "input:not([type=file], [type=hidden]), textarea, select";
const typed = new Map();
const asked = new WeakMap();
const kept = new WeakMap();
const owed = new WeakSet();
let clock = 0;

function note(control) {
  const { value, checked, selectionStart: start, selectionEnd: end } = control;
  return { control, form: control.form, value, checked, start, end };
}

function namesake({ control, form }) {
  const drawn = form?.isConnected ? form : document.getElementById(form?.id);
  return drawn?.elements?.namedItem(control.name);
}

// The same control in what was drawn: itself where it was morphed, else what bears its id, else its name in its form.
function counterpart(known) {
  const { control } = known;
  if (control.isConnected) return control;
  /** @type {any} */
  const fresh = control.id ? document.getElementById(control.id) : namesake(known);
  return fresh?.tagName === control.tagName && fresh.type === control.type ? fresh : null;
}

function putBack(known) {
  const control = counterpart(known);
  if (!control) return;
  control.checked = known.checked;
  if (control.value === known.value) return;
  if (control.options && ![...control.options].some((option) => option.value === known.value)) return;
  control.value = known.value;
  if (control === document.activeElement && known.start !== null) control.setSelectionRange?.(known.start, known.end);
  owed.add(control);
}

function goOn(inUse) {
  if (!inUse || inUse.control.isConnected || document.activeElement !== document.body) return;
  const choices = namesake(inUse);
  const chosen = choices instanceof RadioNodeList ? [...choices].find((choice) => choice.checked) : choices;
  chosen?.focus({ preventScroll: true });
}

document.addEventListener("input", (event) => {
  if (event.target.matches(CONTROLS)) typed.set(event.target, ++clock);
}, true);

document.addEventListener("htmx:beforeRequest", (event) => asked.set(event.detail.xhr, ++clock));

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const since = detail.requestConfig.elt.matches("[data-poll]") ? 0 : asked.get(detail.xhr);
  const newer = [];
  for (const [control, at] of typed) {
    if (!control.isConnected) typed.delete(control);
    else if (at > since) newer.push(note(control));
  }
  const inUse = document.activeElement?.matches("[type=radio]") ? note(document.activeElement) : null;
  kept.set(detail.xhr, { newer, inUse });
});

document.addEventListener("htmx:afterSwap", ({ detail }) => {
  const { newer = [], inUse = null } = kept.get(detail.xhr) ?? {};
  kept.delete(detail.xhr);
  for (const known of newer) putBack(known);
  goOn(inUse);
});

// A browser does not tell as changed what a script wrote, even where somebody had typed it before.
document.addEventListener("change", (event) => owed.delete(event.target), true);
document.addEventListener("focusout", (event) => {
  if (owed.delete(event.target)) event.target.dispatchEvent(new Event("change", { bubbles: true }));
}, true);

// What was typed, ticked or chosen before the scripts were there is told to them. Where a page is gone back to, the browser
// fills in what stood there.
const squeezed = (text) => text.replace(/[\r\n]/g, "");

function isTouched(control) {
  if (control.matches("[type=checkbox], [type=radio]")) return control.checked !== control.defaultChecked;
  if (control.matches("textarea, [type=text], [type=search]")) return squeezed(control.value) !== squeezed(control.defaultValue);
  const options = [...(control.options ?? [])];
  return options.some((option) => option.defaultSelected) && options.some((option) => option.selected !== option.defaultSelected);
}

document.addEventListener("DOMContentLoaded", () => {
  if (arrival()?.type !== "navigate") return;
  for (const control of document.querySelectorAll(":is(#editor, [hx-trigger]) :enabled[name], [hx-trigger][name]")) {
    if (!isTouched(control)) continue;
    for (const name of ["input", "change"]) control.dispatchEvent(new Event(name, { bubbles: true }));
  }
});
