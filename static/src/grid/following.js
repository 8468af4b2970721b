// What others edit appears in the rows, beside what is typed into a cell and not saved yet.
import { Idiomorph } from "idiomorph";
import { ask } from "../shell/session.js";
import { saved } from "./cells.js";

const PARTS = ["savestate", "problem-count", "seen", "undo", "redo"];
const rows = () => document.getElementById("rows");
const revisionOf = (page) => Number(page.getElementById("rows")?.dataset.revision);
const isTyped = (node) => node.matches?.(".cell--edit");
let turn = Promise.resolve();

// A cell in use, ticks and the place of the focus stay; a case that somebody else removed stays while its cell is in use.
const callbacks = {
  beforeNodeMorphed: (node) => !isTyped(node) && !node.matches?.("input[name=case], #rows-scope"),
  beforeNodeRemoved: (node) => !isTyped(node) && !node.querySelector?.(".cell--edit"),
  beforeAttributeUpdated: (name) => name !== "tabindex",
};

// Fixes that were asked for rows which are drawn anew have no place any more.
function forgetFixes() {
  for (const asked of document.querySelectorAll(".rows__fixes")) window.htmx.trigger(asked, "htmx:abort");
}

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target.id === "rows") forgetFixes();
});

/** Show the rows as the draft is now. */
export async function showAnew() {
  const response = await ask(window.location.href);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.getElementById("rows");
  if (!response.ok || !fresh || revisionOf(page) < revisionOf(document)) return;
  for (const name of PARTS) {
    const [old, made] = [document.getElementById(name), page.getElementById(name)];
    if (old && made) old.replaceWith(document.adoptNode(made));
  }
  forgetFixes();
  Idiomorph.morph(rows(), fresh, { morphStyle: "outerHTML", callbacks });
  window.htmx.process(rows());
  document.dispatchEvent(new CustomEvent("rows:drawn"));
  document.dispatchEvent(new CustomEvent("workbench:drawn"));
}

async function follow(revision) {
  // Behind a dialog nothing changes; what is new is heard of again.
  if (document.querySelector("dialog[open]")) return;
  await saved();
  if (revision > revisionOf(document)) await showAnew();
}

document.addEventListener("workbench:heard", ({ detail }) => {
  turn = turn.then(() => follow(Number(detail.revision))).catch(() => {});
});

// A row shows its own saved cell already.
document.addEventListener("htmx:oobAfterSwap", (event) => {
  if (event.detail.target.id !== "seen") return;
  const revision = Number(document.getElementById("seen").value);
  if (revision === revisionOf(document) + 1) rows().dataset.revision = String(revision);
});
