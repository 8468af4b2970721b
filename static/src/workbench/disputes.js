// A conflict stands at its field, with both values and their authors, until somebody chooses one of them.
import { ask } from "../shell/session.js";
import { say } from "./answers.js";

// By the place of the value: the notice, and what would be sent to insist on one's own value.
const disputes = new Map();

const editor = () => document.getElementById("editor");
const fieldAt = (at) => editor()?.querySelector(`[data-at="${CSS.escape(at)}"]:not(.dispute)`);

// Whether a field still shows what its user typed, and others' value stands in the draft.
export const isDisputed = (at) => Boolean(disputes.get(at)?.isHeld);

function homeOf(at) {
  for (let place = at; place; place = place.slice(0, place.lastIndexOf("/"))) {
    const found = fieldAt(place);
    if (found) return found;
  }
  return null;
}

// Inside of the form of the node, the form of a notice would be sent along with it.
function taken(notice) {
  const form = notice.querySelector("form");
  const sends = new FormData(form);
  const row = document.createElement("div");
  row.className = form.className;
  row.append(...form.querySelectorAll("button, a"));
  for (const button of row.querySelectorAll("button")) button.type = "button";
  form.replaceWith(row);
  const field = fieldAt(notice.dataset.at);
  return { notice, sends, isHeld: Boolean(field && !("container" in field.dataset)) };
}

// Each to its field, again after the page was drawn anew.
export function placeDisputes() {
  for (const notice of document.querySelectorAll("#disputes .dispute")) {
    if (!homeOf(notice.dataset.at)) continue;
    disputes.get(notice.dataset.at)?.notice.remove();
    disputes.set(notice.dataset.at, taken(notice));
  }
  for (const [at, { notice }] of disputes) {
    const home = homeOf(at);
    if (home && notice.parentElement !== home) home.append(notice);
  }
  if (disputes.size) say("Not saved", true);
}

function end(at) {
  const ended = disputes.get(at);
  disputes.delete(at);
  ended.notice.remove();
  return ended;
}

async function insist(at) {
  const { sends, isHeld } = end(at);
  const wrapper = fieldAt(at);
  if (isHeld && wrapper) {
    document.dispatchEvent(new CustomEvent("workbench:insist", { detail: { wrapper, seen: Number(sends.get("seen")) } }));
    return;
  }
  await ask(editor().dataset.fieldUrl, { method: "POST", body: sends });
  document.dispatchEvent(new CustomEvent("workbench:behind"));
}

document.addEventListener("click", (event) => {
  const notice = event.target.closest("#editor .dispute");
  const choice = event.target.closest("button, a");
  if (!notice || !choice) return;
  event.preventDefault();
  const { at } = notice.dataset;
  if (choice.matches("button")) {
    insist(at).catch(() => {});
    return;
  }
  end(at);
  document.dispatchEvent(new CustomEvent("workbench:behind"));
});
