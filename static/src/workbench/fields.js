// Every changed field is posted by itself, one request at a time, so that no answer is older than what it answers.
import { reveal, revealAsked } from "./reveal.js";
import { say, spread } from "./answers.js";
import { renew } from "../shell/session.js";
import { isDisputed, placeDisputes } from "./disputes.js";

const TYPING_MS = 200;
const RETRY_MS = 2000;
const waiting = new Map();
let timer;
let busy = null;
// What is on its way.
let sent = null;
// What was sent for a value and is not known to be stored: it may be, and is no conflict with what comes after it.
const unanswered = new Map();
// What is drawn anew for its change is sent when its control is left.
let unsent = null;
let unsentSeen;
// Values that were saved upon a draft that others had edited meanwhile, with the revision that this led to.
const savedAt = new Map();
let isBehind = false;
// The button of the form that was pressed last, and where the focus goes when it has moved an item.
let pressed = "";
const WAYS = { up: ["up", "down"], down: ["down", "up"] };
let catchUp = async () => {};

const editor = () => document.getElementById("editor");
const wrapperOf = (element) => element.closest("[data-at]");
const wrapperAt = (at) => editor()?.querySelector(`[data-at="${CSS.escape(at)}"]`);
// The revision that all of the page shows.
const shownRevision = () => Number(document.getElementById("seen").value);
// The revision that the page shows of one value.
const seenOf = (at) => Math.max(shownRevision(), savedAt.get(at) ?? 0);

// What shows the page anew when others have edited the draft.
export function onBehind(act) {
  catchUp = act;
}

// What has to be posted for a changed control: its field, or the container around it when its siblings depend on it.
function scopeOf(control) {
  const own = wrapperOf(control);
  const around = own.parentElement.closest("[data-at]") || own;
  if (control.name.startsWith("r:")) return { wrapper: around, draw: true };
  if ("governs" in own.dataset) return { wrapper: around, draw: true };
  return { wrapper: own, draw: "reshapes" in control.dataset };
}

function pairsOf(wrapper, job) {
  const data = new FormData();
  for (const control of wrapper.querySelectorAll("[name]")) {
    if (control.name === "do" || control.type === "submit") continue;
    if (control.type === "checkbox" && !control.checked) continue;
    data.append(control.name, control.value);
  }
  data.set("at", wrapper.dataset.at);
  data.set("seen", job.seen ?? seenOf(wrapper.dataset.at));
  if (job.draw) data.set("draw", "1");
  if (document.querySelector("#lens[data-lens=yaml]")) data.set("lens", "yaml");
  if (job.press) data.set("do", job.press);
  if (job.confirm !== undefined) data.set("confirm", job.confirm);
  for (const [name, value] of unanswered.get(wrapper.dataset.at) ?? []) data.append(`before:${name}`, value);
  return data;
}

function enqueue(wrapper, job, delay) {
  const at = wrapper.dataset.at;
  const known = waiting.get(at);
  // What is typed goes on from what the page showed when it was begun, whatever comes in between.
  const seen = known?.seen ?? job.seen ?? seenOf(at);
  waiting.set(at, { ...known, ...job, seen, draw: job.draw || known?.draw || false });
  say("Saving…");
  clearTimeout(timer);
  timer = setTimeout(flush, delay);
}

// A value inside another waiting value is saved with it.
function takeNext() {
  const [[at, job]] = waiting;
  waiting.delete(at);
  return { at, job, wrapper: wrapperAt(at) };
}

const isAnswered = (status) => status > 0 && status < 500 && status !== 401;
const renewed = () => renew().catch(() => false);

async function work() {
  while (waiting.size) {
    const { at, job, wrapper } = takeNext();
    if (!wrapper) continue;
    sent = { at, job };
    let status = await post(wrapper, job);
    if (status === 403 && (await renewed())) status = await post(wrapper, job);
    sent = null;
    if (!isAnswered(status)) {
      // What was typed meanwhile goes with it.
      enqueue(wrapper, { ...job, draw: job.draw || waiting.get(at)?.draw }, RETRY_MS);
      say(status === 401 ? "Not saved; you are signed out" : "Not saved; trying again", true);
      return;
    }
    if (isBehind) await catchUp().catch(() => {});
  }
}

export function flush() {
  clearTimeout(timer);
  busy ??= work().finally(() => (busy = null));
  return busy;
}

// Whether something waits to be sent, or is on its way.
export const isSaving = () => waiting.size > 0 || sent !== null;

// Whether what a control shows is still to be sent.
export function isUnsaved(control) {
  for (let at = wrapperOf(control); at; at = at.parentElement.closest("[data-at]")) {
    if (waiting.has(at.dataset.at) || at === unsent || at.dataset.at === sent?.at || isDisputed(at.dataset.at)) return true;
  }
  return false;
}

// The page shows the draft as it was at a revision, wholly.
export function caughtUp(revision) {
  isBehind = false;
  for (const [at, saved] of savedAt) if (saved <= revision) savedAt.delete(at);
}

// A value is at another place by now, in a page that shows a revision; there nobody else changed it.
export function moved(from, to, revision) {
  for (const [at, job] of [...waiting]) {
    if (at !== from && !at.startsWith(`${from}/`)) continue;
    waiting.delete(at);
    waiting.set(to + at.slice(from.length), { ...job, seen: revision });
  }
}

// Values that wait and have no place in the page any more.
export function takeHomeless() {
  const gone = [...waiting.keys()].filter((at) => !wrapperAt(at));
  for (const at of gone) waiting.delete(at);
  return gone;
}

// An answer says at which revision the draft is; the page shows all of it only where nobody else edited in between.
function noteSaved(at, revision, isOwn) {
  const before = shownRevision();
  const isAlone = isOwn && revision === before + 1;
  if (isOwn) {
    for (const [place, job] of waiting) if (place === at || (isAlone && job.seen === before)) job.seen = revision;
    if (revision > before + 1) savedAt.set(at, revision);
  }
  isBehind ||= revision > before && !isAlone;
  return isAlone;
}

// Folds stay as they were opened or closed.
const foldName = (fold) => `${wrapperOf(fold).dataset.at} ${fold.className}`;
const foldsOf = (wrapper) => new Map([...wrapper.querySelectorAll("details")].map((fold) => [foldName(fold), fold.open]));

function putBackFolds(at, folds) {
  const fresh = wrapperAt(at);
  for (const fold of fresh?.querySelectorAll("details") ?? []) fold.open = folds.get(foldName(fold)) ?? fold.open;
}

async function post(wrapper, job) {
  let status = 0;
  // Whether a job makes the edit, some time after the answer.
  let isLater = false;
  let folds = new Map();
  const values = pairsOf(wrapper, job);
  const at = values.get("at");
  if (!job.press) unanswered.set(wrapper.dataset.at, [...values].filter(([name]) => !name.startsWith("before:")));
  const url = editor().dataset.fieldUrl;
  const isOurs = (event) => event.detail.pathInfo?.requestPath === url;
  const swapping = (event) => {
    if (isOurs(event)) folds = foldsOf(wrapper);
  };
  // At once, in the task of the swap: a little later the user may have folded something anew.
  const swapped = (event) => {
    if (isOurs(event) && job.draw) putBackFolds(wrapper.dataset.at, folds);
  };
  const finished = (event) => {
    if (isOurs(event)) status = event.detail.xhr.status;
  };
  const numbered = (event) => {
    if (event.detail.target.id !== "seen") return;
    const fresh = event.detail.fragment.firstElementChild;
    isLater = "later" in fresh.dataset;
    if (!noteSaved(at, Number(fresh.value), "own" in fresh.dataset)) event.preventDefault();
  };
  const heard = {
    "htmx:oobBeforeSwap": numbered, 
    "htmx:beforeSwap": swapping,
    "htmx:afterSwap": swapped,
    "htmx:afterRequest": finished,
  };
  for (const [name, listener] of Object.entries(heard)) document.body.addEventListener(name, listener);
  try {
    await window.htmx.ajax("POST", url, {
      // Requests of one element wait for each other: this one is nobody else's.
      source: editor().parentElement,
      target: wrapper,
      swap: job.draw ? "outerHTML" : "none",
      values,
    });
  } catch {
    status = 0;
  } finally {
    for (const [name, listener] of Object.entries(heard)) document.body.removeEventListener(name, listener);
  }
  if (status === 200 || status === 409 || status === 422) {
    spread();
    placeDisputes();
    document.dispatchEvent(new CustomEvent("workbench:saved"));
  } else if (status !== 401 && status >= 400 && status < 500) {
    say("Not saved; what you typed is still here", true);
  }
  if (isAnswered(status) && !isLater) unanswered.delete(at);
  const isTaken = status === 200 && !document.querySelector("#savestate[data-trouble]");
  if (isTaken) editor().dispatchEvent(new CustomEvent("words:saved", { bubbles: true, detail: values }));
  return status;
}

// The mark of a saved change waits for those that are typed already.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  if (event.detail.target.id === "savestate" && (waiting.size || document.querySelector("#editor .dispute"))) event.preventDefault();
});

function changed(event, delay) {
  const control = event.target;
  if (!control.name || !editor()?.contains(control) || !wrapperOf(control) || "new" in control.dataset) return;
  const { wrapper, draw } = scopeOf(control);
  wrapperOf(control).classList.remove("is-quiet");
  // Where others have changed the same, somebody has to choose first.
  if (isDisputed(wrapperOf(control).dataset.at)) return;
  if (unsent !== wrapper) unsentSeen = seenOf(wrapper.dataset.at);
  unsent = draw && event.type === "input" ? wrapper : null;
  if (unsent) return;
  enqueue(wrapper, { draw, seen: unsentSeen }, delay);
}

// Somebody chose their own words, having seen those of others, at a revision.
document.addEventListener("workbench:insist", ({ detail }) => enqueue(detail.wrapper, { draw: true, seen: detail.seen }, 0));


document.addEventListener("input", (event) => changed(event, TYPING_MS));
document.addEventListener("change", (event) => changed(event, 0));
document.addEventListener("focusout", (event) => {
  const own = editor()?.contains(event.target) && wrapperOf(event.target);
  if (!own) return;
  own.classList.remove("is-quiet");
  unsent = null;
});

// Buttons of the form act on the list or object around them, which is then drawn anew.
document.addEventListener("submit", (event) => {
  if (event.target !== editor()) return;
  event.preventDefault();
  const button = event.submitter;
  if (button?.name !== "do") {
    flush();
    return;
  }
  const own = wrapperOf(button);
  const isAdd = button.value.startsWith("add:");
  const wrapper = isAdd ? own : own.parentElement.closest("[data-at]") || own;
  pressed = button.value;
  enqueue(wrapper, { draw: true, press: button.value }, 0);
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-confirm-loss]");
  if (!button) return;
  const at = button.dataset.confirmLoss;
  const wrapper = wrapperAt(at);
  const select = wrapper?.querySelector("[data-reshapes]");
  if (!select) return;
  select.value = button.dataset.choice;
  enqueue(wrapper, { draw: true, confirm: at }, 0);
});

// Somebody keeps what is stored, and does without what was typed.
document.addEventListener("click", (event) => {
  const choice = event.target.closest("[data-gives-up]");
  if (choice) editor().dispatchEvent(new CustomEvent("words:given-up", { bubbles: true, detail: choice.dataset.givesUp }));
});

document.addEventListener("workbench:focus", (event) => {
  const field = document.getElementById(event.detail.id);
  reveal(field);
  // An item that is moved by keys is often moved further.
  const ways = WAYS[pressed.split(":", 1)[0]] ?? [];
  const buttons = ways.map((way) => field?.querySelector(`[name=do][value="${CSS.escape(`${way}:${field.dataset.at}`)}"]`));
  buttons.find(Boolean)?.focus({ preventScroll: true });
});
document.addEventListener("DOMContentLoaded", revealAsked);
if (document.readyState !== "loading") revealAsked();

// What is not saved yet when the page goes away is sent at once, and once more by the browser itself.
window.addEventListener("beforeunload", () => flush());
window.addEventListener("pagehide", () => {
  if (unsent?.isConnected) waiting.set(unsent.dataset.at, { draw: true });
  // A browser may give up what is on its way, and to store a value twice does no harm.
  if (sent && !sent.job.press && !waiting.has(sent.at)) waiting.set(sent.at, sent.job);
  for (const [at, job] of waiting) {
    const wrapper = wrapperAt(at);
    if (!wrapper) continue;
    const data = pairsOf(wrapper, job);
    data.set("csrfmiddlewaretoken", editor().querySelector("[name=csrfmiddlewaretoken]").value);
    navigator.sendBeacon(editor().dataset.fieldUrl, data);
  }
});

// Enter goes to where writing begins, while nothing else has the focus.
document.addEventListener("keydown", (event) => {
  const isMine = event.key === "Enter" && event.target === document.body && !(event.ctrlKey || event.metaKey || event.altKey);
  if (!isMine || !editor()) return;
  event.preventDefault();
  reveal(document.getElementById(editor().dataset.entry));
});

// Escape leaves a field, so that single keys act on the page again.
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target.matches("input, textarea, select") && editor()?.contains(event.target)) event.target.blur();
});

// Enter in the name of something new presses the button beside it.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing || !event.target.matches("#editor [data-new]")) return;
  event.preventDefault();
  event.target.closest(".row").querySelector("button").click();
});

// Ctrl Enter saves and goes on to the next node; from the last case of a set to a new one.
document.addEventListener("keydown", async (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.altKey || !editor()?.contains(event.target)) return;
  event.preventDefault();
  event.target.dispatchEvent(new Event("change", { bubbles: true }));
  await flush();
  if (document.querySelector("#savestate:is([data-trouble], .savestate--trouble)")) return;
  (document.querySelector('[data-key="]"]') ?? document.querySelector('[data-key="n"]'))?.click();
});

document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
  event.preventDefault();
  document.activeElement?.dispatchEvent(new Event("change", { bubbles: true }));
  flush();
});

// The button "Comments" is about the field that was used last.
document.addEventListener("focusin", (event) => {
  const field = event.target.closest(".fld[data-at]"), link = document.querySelector("[data-comments]");
  if (field && link) link.search = new URLSearchParams({ at: field.dataset.at });
});
