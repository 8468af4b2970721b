// Take over parts of a page that the server sent, keeping focus, caret and scroll.
import { Idiomorph } from "idiomorph";
import { spread } from "./answers.js";
import { placeDisputes } from "./disputes.js";
import { caughtUp, isSaving, isUnsaved } from "./fields.js";

const PARTS = [".bench__bar", ".bench__outline", ".bench__editor"];
// What there is of them in the answer to a saved text.
const ANSWERED = ["#savestate", "#problem-count", "#seen", "#disputes", "#live"];
const FOLDS_KEPT = ".bench__outline";

function partsOf(page) {
  if (page.getElementById("bench")) return PARTS;
  const whole = document.querySelector(".bench__fields > .fld");
  return whole ? [`.fld[data-at="${CSS.escape(whole.dataset.at)}"]`, ...ANSWERED] : ANSWERED;
}

/**
 * @param {Document} page
 * @param {{ foldsKept?: string, placeOf?: (name: string) => string }} how where folds stay as they are, and the name
 *   that a control has in the new page
 */
export function takeOver(page, { foldsKept = FOLDS_KEPT, placeOf = (name) => name } = {}) {
  const controls = [...document.querySelectorAll("#editor [name]")];
  const unsaved = controls.filter(isUnsaved).map(note);
  const inUse = controls.includes(document.activeElement) ? note(document.activeElement) : null;
  // Who is here is asked for apart; the server does not know what is on its way to it, nor what is folded away.
  const callbacks = {
    beforeNodeMorphed: (node) => node.id !== "presence" && !(node.id === "savestate" && isSaving()),
    beforeAttributeUpdated: (name, node) => name !== "open" || !node.closest(foldsKept),
  };
  for (const selector of partsOf(page)) {
    const old = document.querySelector(selector);
    const fresh = page.querySelector(selector);
    if (!old || !fresh) continue;
    Idiomorph.morph(old, fresh, { morphStyle: "outerHTML", ignoreActiveValue: false, callbacks });
    for (const control of document.querySelectorAll(`${selector} :is(input, textarea, select)`)) reset(control);
    window.htmx.process(document.querySelector(selector));
  }
  if (page.querySelector("#live > *")) spread();
  for (const noted of unsaved) putBack(noted, placeOf(noted.name));
  if (inUse) useAgain(inUse, placeOf(inUse.name));
  placeDisputes();
  caughtUp(Number(document.getElementById("seen")?.value));
  document.dispatchEvent(new CustomEvent("workbench:drawn"));
  for (const toast of page.querySelectorAll("#toasts > *")) document.getElementById("toasts").append(document.adoptNode(toast));
}

// What was typed while the page was on its way is newer than the page.
function note(control) {
  const { name, value, checked, selectionStart: start, selectionEnd: end } = control;
  return { name, value, checked, start, end, top: control.getBoundingClientRect().top };
}

const controlNamed = (name) => document.querySelector(`#editor [name="${CSS.escape(name)}"]:not([type=hidden])`);

function putBack({ value, checked }, name) {
  const control = controlNamed(name);
  if (!control) return;
  control.checked = checked;
  control.value = value;
}

// The control in use keeps its focus, its caret and its place on the screen, also where it is another one by now.
function useAgain({ value, start, end, top }, name) {
  const control = controlNamed(name);
  if (!control) return;
  if (document.activeElement !== control) control.focus({ preventScroll: true });
  if (start !== null) control.setSelectionRange?.(caretIn(control.value, value, start), caretIn(control.value, value, end));
  const pane = control.closest(".bench__editor");
  if (pane) pane.scrollTop += control.getBoundingClientRect().top - top;
}

/** Where a caret goes when others changed the text around it: it stays between the same letters. */
export function caretIn(text, before, caret) {
  if (text.slice(0, caret) === before.slice(0, caret)) return caret;
  const behind = before.slice(caret);
  if (text.endsWith(behind)) return text.length - behind.length;
  return Math.min(caret, text.length);
}

// Morphing changes attributes; what a control shows follows only if it is told to.
function reset(control) {
  if (control.type === "checkbox") control.checked = control.defaultChecked;
  else if (control.tagName === "SELECT") {
    const chosen = [...control.options].find((option) => option.hasAttribute("selected"));
    if (chosen) control.value = chosen.value;
  } else if (control.type !== "hidden" && control.type !== "file" && control.value !== control.defaultValue) control.value = control.defaultValue;
}
