// Every changed field is posted by itself, one request at a time, so that no answer is older than what it answers.
import { reveal, revealAsked } from "./reveal.js";
import { say, spread } from "./answers.js";
import { renew } from "../shell/session.js";

const TYPING_MS = 400;
const RETRY_MS = 2000;
const waiting = new Map();
let timer;
let busy = null;
// What is on its way.
let sent = null;
// What was sent for a value whose answer is not known: it may be stored, and is no conflict with what comes after it.
const unanswered = new Map();
// What is drawn anew for its change is sent when its control is left.
let unsent = null;

const editor = () => document.getElementById("editor");
const wrapperOf = (element) => element.closest("[data-at]");

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
  data.set("seen", document.getElementById("seen").value);
  if (job.draw) data.set("draw", "1");
  if (job.press) data.set("do", job.press);
  if (job.confirm !== undefined) data.set("confirm", job.confirm);
  for (const [name, value] of unanswered.get(wrapper.dataset.at) ?? []) data.append(`before:${name}`, value);
  return data;
}

function enqueue(wrapper, job, delay) {
  const known = waiting.get(wrapper.dataset.at);
  waiting.set(wrapper.dataset.at, { ...known, ...job, draw: job.draw || known?.draw || false });
  say("Saving…");
  clearTimeout(timer);
  timer = setTimeout(flush, delay);
}

// A value inside another waiting value is saved with it.
function takeNext() {
  const [[at, job]] = waiting;
  waiting.delete(at);
  const wrapper = editor()?.querySelector(`[data-at="${CSS.escape(at)}"]`);
  return { at, job, wrapper };
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
  }
}

export function flush() {
  clearTimeout(timer);
  busy ??= work().finally(() => (busy = null));
  return busy;
}

// Whether what a control shows is still to be sent.
export function isUnsaved(control) {
  for (let at = wrapperOf(control); at; at = at.parentElement.closest("[data-at]")) {
    if (waiting.has(at.dataset.at) || at === unsent || at.dataset.at === sent?.at) return true;
  }
  return false;
}

// Folds stay as they were opened or closed.
const foldName = (fold) => `${wrapperOf(fold).dataset.at} ${fold.className}`;
const foldsOf = (wrapper) => new Map([...wrapper.querySelectorAll("details")].map((fold) => [foldName(fold), fold.open]));

function putBackFolds(at, folds) {
  const fresh = editor().querySelector(`[data-at="${CSS.escape(at)}"]`);
  for (const fold of fresh?.querySelectorAll("details") ?? []) fold.open = folds.get(foldName(fold)) ?? fold.open;
}

async function post(wrapper, job) {
  let status = 0;
  let folds = new Map();
  const values = pairsOf(wrapper, job);
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
  const heard = { "htmx:beforeSwap": swapping, "htmx:afterSwap": swapped, "htmx:afterRequest": finished };
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
    document.dispatchEvent(new CustomEvent("workbench:saved"));
  } else if (status !== 401 && status >= 400 && status < 500) {
    say("Not saved; what you typed is still here", true);
  }
  if (isAnswered(status)) unanswered.delete(values.get("at"));
  const isTaken = status === 200 && !document.querySelector("#savestate[data-trouble]");
  if (isTaken) editor().dispatchEvent(new CustomEvent("words:saved", { bubbles: true, detail: values }));
  return status;
}

// The mark of a saved change waits for those that are typed already.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  if (event.detail.target.id === "savestate" && waiting.size) event.preventDefault();
});

function changed(event, delay) {
  const control = event.target;
  if (!control.name || !editor()?.contains(control) || !wrapperOf(control) || "new" in control.dataset) return;
  const { wrapper, draw } = scopeOf(control);
  wrapperOf(control).classList.remove("is-quiet");
  unsent = draw && event.type === "input" ? wrapper : null;
  if (unsent) return;
  enqueue(wrapper, { draw }, delay);
}

document.addEventListener("input", (event) => changed(event, TYPING_MS));
document.addEventListener("change", (event) => changed(event, 0));
document.addEventListener("focusout", (event) => {
  const own = editor()?.contains(event.target) && wrapperOf(event.target);
  if (own) own.classList.remove("is-quiet");
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
  enqueue(wrapper, { draw: true, press: button.value }, 0);
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-confirm-loss]");
  if (!button) return;
  const at = button.dataset.confirmLoss;
  const wrapper = editor().querySelector(`[data-at="${CSS.escape(at)}"]`);
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

document.addEventListener("workbench:focus", (event) => reveal(document.getElementById(event.detail.id)));
document.addEventListener("DOMContentLoaded", revealAsked);
if (document.readyState !== "loading") revealAsked();

// What is not saved yet when the page goes away is sent at once, and once more by the browser itself.
window.addEventListener("beforeunload", () => flush());
window.addEventListener("pagehide", () => {
  if (unsent?.isConnected) waiting.set(unsent.dataset.at, { draw: true });
  // A browser may give up what is on its way, and to store a value twice does no harm.
  if (sent && !sent.job.press && !waiting.has(sent.at)) waiting.set(sent.at, sent.job);
  for (const [at, job] of waiting) {
    const wrapper = editor()?.querySelector(`[data-at="${CSS.escape(at)}"]`);
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
