// The lens pane: it follows saved changes; its YAML is a code editor whose changes are saved as they are typed.
import { ask, send } from "../shell/session.js";
import { say } from "./answers.js";
import { flush } from "./fields.js";
import { takeOver } from "./page.js";

const FOLLOW_MS = 120;
const SAVE_MS = 200;
// While somebody types, a text is often broken for a moment.
const PATIENCE_MS = 500;
const RETRY_MS = 2000;
let editor = null;
let mounting = null;
let following;
let follows = 0;
let known = 0;
let saving;
let saves = Promise.resolve();
// How the state of saving read before a text was refused.
let untroubled = null;

const form = () => document.getElementById("yaml-form");
const state = (text) => {
  const place = document.getElementById("yaml-state");
  if (place) place.textContent = text;
};

// Where the caret is, in words.
export const wordsAtCaret = () => editor?.place() ?? "";

/** Bring what others changed into a text that is applied by hand; false where that is not possible. */
export const takeIn = (text) => Boolean(editor?.follow(text));

async function lint(text) {
  const data = new FormData(form());
  data.set("text", text);
  const response = await ask(form().dataset.lint, { method: "POST", body: data });
  return response.ok ? (await response.json()).findings : [];
}

function refuse(status, text) {
  if (status !== 422) {
    mark(false);
    explain(status);
  } else if (editor.text() === text) {
    // Otherwise a newer text waits to be saved.
    mark(true);
    clearTimeout(saving);
    saving = setTimeout(explain, PATIENCE_MS, status);
  }
}

function explain(status) {
  untroubled ??= document.getElementById("savestate")?.cloneNode(true);
  if (status === 422) {
    state("Not saved: the text has an error. What is stored is unchanged; this browser keeps your text.");
    say("Not saved", true);
  } else if (status === 401 || status >= 500) {
    again(status);
  } else {
    state("Not saved. Your text is still here, and this browser keeps it.");
    say("Not saved; what you typed is still here", true);
  }
}

function again(status) {
  const words = status === 401 ? "Not saved; you are signed out" : "Not saved; trying again";
  state(words);
  say(words, true);
  clearTimeout(saving);
  saving = setTimeout(save, RETRY_MS);
}

// One after the other: each text begins with the revision that the one before it led to.
async function saveNow() {
  await flush();
  const yaml = form();
  if (!yaml || !editor?.isDirty()) return;
  const [current, text, data] = [editor, editor.text(), new FormData(yaml)];
  state("Saving…");
  const { response, page } = await send(yaml);
  const { ok, status } = response;
  if (!ok && status !== 409) {
    if (current === editor) refuse(status, text);
    return;
  }
  const fresh = brought(page);
  takeOver(page);
  mark(false);
  untroubled = null;
  state(ok ? "Saved" : "Somebody else changed the same place; see the form.");
  if (current === editor) refresh(yaml, text, fresh, ok);
  if (ok) yaml.dispatchEvent(new CustomEvent("words:saved", { bubbles: true, detail: data }));
}

// A text that lacks what others changed meanwhile would take their changes back when it is saved the next time.
function refresh(yaml, text, fresh, isTaken) {
  const { seen, own, before } = yaml.elements;
  const isSame = editor.text() === text;
  // What is typed since goes on from this text, also where it is typed back to an older one.
  if (isTaken || isSame) editor.markClean(text);
  const isAlone = fresh.revision === Number(seen.value) + Number(fresh.isOwn);
  if (isSame && !isAlone) editor.replace(fresh.text);
  if (isSame || isAlone) upTo(yaml, fresh);
  else {
    // The next save says what this one did, so that it neither disputes nor keeps it.
    if (fresh.isOwn) own.value = [own.value, fresh.revision].filter(Boolean).join();
    if (isTaken) before.value = text;
  }
  if (!isSame) typed();
}

// The text shows the draft at a revision, but for what is typed and not saved.
function upTo({ elements }, fresh) {
  elements.seen.value = fresh.revision;
  elements.own.value = elements.before.value = "";
}

// The text that an answer brings, with the revision that it shows. It is taken once: it grows old.
function brought(page) {
  const found = page?.querySelector("[data-yaml]");
  if (!found) return null;
  if (found.closest("#live")) found.remove();
  const isOwn = "own" in (page.getElementById?.("seen")?.dataset ?? {});
  return { text: found.value, revision: Number(found.dataset.yaml), isOwn };
}

function show(fresh) {
  // An answer may come after that to a save.
  if (!fresh || !form() || !editor || editor.isDirty() || fresh.revision < Number(form().elements.seen.value)) return false;
  editor.replace(fresh.text);
  upTo(form(), fresh);
  return true;
}

function save() {
  clearTimeout(saving);
  if (form() && "manual" in form().dataset) form().requestSubmit();
  else saves = saves.then(saveNow).catch(again);
  return saves;
}

// When everything is saved that was typed into the text and can be.
export const settled = () => (editor?.isDirty() && !("manual" in form().dataset) ? save() : saves);

// What is typed back to what is stored is no trouble any more.
function calm() {
  clearTimeout(saving);
  state("");
  mark(false);
  if (untroubled) document.querySelector("#savestate.savestate--trouble")?.replaceWith(untroubled);
  untroubled = null;
}

// A text that cannot be saved is not given up without a question.
function mark(isBroken) {
  for (const tab of document.querySelectorAll("#lens > nav a")) {
    if (isBroken) tab.setAttribute("hx-confirm", "The text has an error and was not saved. Leave it?");
    else tab.removeAttribute("hx-confirm");
  }
}

function typed() {
  if (!editor.isDirty()) {
    calm();
    return;
  }
  if ("manual" in form().dataset) {
    state("Not saved yet");
    return;
  }
  state("Editing…");
  clearTimeout(saving);
  saving = setTimeout(save, SAVE_MS);
}

async function mount() {
  const area = document.getElementById("yaml");
  editor?.destroy();
  editor = null;
  mounting = area;
  if (!area) return;
  const { mountYaml } = await import(document.getElementById("codemirror").href);
  if (mounting !== area) return;
  mounting = null;
  const nonce = document.querySelector('meta[name="csp-nonce"]').content;
  editor = mountYaml(area, { nonce, lint, typed, save });
  typed();
}

async function follow() {
  const lens = document.getElementById("lens");
  // What is typed under "Try" is no view of the draft, and stays.
  if (!lens || lens.dataset.lens === "try" || editor?.isDirty()) return;
  if (lens.dataset.lens === "proof") {
    const proof = lens.querySelector("#proof[data-refresh]");
    if (proof && !isTouched(proof) && !proof.querySelector(".htmx-request")) await window.htmx.ajax("GET", proof.dataset.refresh, { source: proof, target: proof, swap: "outerHTML" });
    return;
  }
  if (lens.dataset.lens !== "yaml") {
    await window.htmx.ajax("GET", lens.dataset.refresh, { source: lens, target: lens, swap: "morph:outerHTML" });
    return;
  }
  follows += 1;
  const turn = follows;
  const response = await ask(lens.dataset.refresh);
  const text = await response.text();
  // Another answer may be newer by now, and so may be what is typed.
  if (response.ok && turn === follows && lens.isConnected) show(brought(new DOMParser().parseFromString(text, "text/html")));
}

// Whether something was typed in the forms of a part, or was handed back with them.
function isTouched(part) {
  const fields = [...part.querySelectorAll("input, textarea")];
  return "typed" in part.dataset || fields.some((each) => each.value !== each.defaultValue || each.checked !== each.defaultChecked);
}

function followLater() {
  clearTimeout(following);
  // What is on its way already is older.
  follows += 1;
  if (show(brought(document.getElementById("live")))) return;
  following = setTimeout(() => follow().catch(() => {}), FOLLOW_MS);
}

for (const name of ["workbench:saved", "workbench:followed"]) document.addEventListener(name, followLater);

// What is typed is saved before another lens takes its place.
document.addEventListener("htmx:confirm", (event) => {
  const { target, question, issueRequest } = event.detail;
  if (target.id !== "lens" || question || !editor?.isDirty() || "manual" in form().dataset) return;
  event.preventDefault();
  save().then(() => {
    if (!editor?.isDirty()) issueRequest(true);
  });
});

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.target.id === "lens") known = follows;
});

document.addEventListener("htmx:afterSettle", async (event) => {
  if (event.target.id !== "lens" || document.querySelector("#lens .cm-editor")) return;
  await mount();
  // A lens that was asked for before the last change was saved shows less than that.
  if (known !== follows) await follow();
});

// What is not saved yet when the page goes away is sent at once, and once more by the browser itself.
window.addEventListener("beforeunload", () => settled());
window.addEventListener("pagehide", () => {
  const yaml = form();
  if (editor?.isDirty() && !("manual" in yaml.dataset)) navigator.sendBeacon(yaml.action, new FormData(yaml));
});

// Where others changed the same place, and their value is kept, the text goes as well.
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-gives-up]") && editor && !editor.isDirty()) form().dispatchEvent(new CustomEvent("words:given-up", { bubbles: true }));
});

document.addEventListener("submit", (event) => {
  if (event.target !== form() || "manual" in form().dataset) return;
  event.preventDefault();
  save();
});

mount();
