// Offers what an earlier visit left unsaved: beside the page it belongs to, with what is stored there by now; and from
// any page by the sign in the bar.
import { ask } from "../session.js";
import { controlOf, formAt, put, shows, storedValueOf } from "./controls.js";
import { all, forget, idOf, person, write } from "./store.js";
import { judge } from "./leaving.js";
import { adopt, answer, holds, keepNow, leaveBehind, visit } from "./typed.js";

const ASKED = "packwright:asked";
const ANSWER_MS = 200;
const LONG = 160;
const offered = new Map();
// Records of pages that are open elsewhere: their words are not lost.
const alive = new Set();
const isSettled = (record) => holds(record.id) || alive.has(record.id);
const stray = () => all().filter((record) => !isSettled(record));
const isHere = (record) => record.page.split("?")[0] === window.location.pathname;

// Parts of a page that open only when they are used are asked for by the code that knows them.
async function askPage(name, record) {
  const detail = { record, form: null };
  document.dispatchEvent(new CustomEvent(name, { detail }));
  return (await detail.form) ?? null;
}

// Text that is written otherwise may mean what is stored.
async function meansTheSame(form, word, { seen }) {
  if (!form.dataset.lint || word.name !== "text") return false;
  const data = new FormData(form);
  data.set("text", word.value);
  data.set("compare", "1");
  data.set("seen", seen);
  const response = await ask(form.dataset.lint, { method: "POST", body: data });
  return response.ok && (await response.json()).is_stored === true;
}

async function openWords(form, record) {
  const open = [];
  for (const word of record.words) {
    const control = form && controlOf(form, word);
    if (control && (storedValueOf(control) === word.value || (await meansTheSame(form, word, record)))) continue;
    open.push({ ...word, now: control ? storedValueOf(control) : undefined });
  }
  return open;
}

const shown = (value) => (value === true ? "on" : value === false ? "off" : value || "(empty)");

function shownWord(word) {
  const part = document.getElementById("unsaved-word").content.firstElementChild.cloneNode(true);
  part.querySelector("[data-label]").textContent = word.label;
  part.querySelector("[data-mine]").textContent = shown(word.value);
  const isNewer = word.now !== undefined && word.now !== word.stored;
  part.querySelector("[data-newer]").hidden = !isNewer;
  if (isNewer) part.querySelector("[data-now]").textContent = shown(word.now);
  part.querySelector("details").open = String(word.value).length <= LONG && !String(word.value).includes("\n");
  return part;
}

function remove(record) {
  const notice = offered.get(record.id);
  offered.delete(record.id);
  if (!notice) return;
  const hadFocus = notice.contains(document.activeElement);
  notice.remove();
  if (hadFocus) (document.querySelector("#unsaved [data-restore]:not([hidden])") ?? document.getElementById("main")).focus();
}

function discard(record) {
  forget(record.id);
  remove(record);
  list();
}

async function restore(record, words) {
  const form = formAt(record.place) ?? (await askPage("words:open", record));
  const left = [];
  // Own words come back upon the state that they were typed on: what others changed since stays, or is disputed.
  const seen = form?.id === "editor" ? null : form?.querySelector("input[type=hidden][name=seen]");
  if (seen && record.seen) {
    seen.value = record.seen;
    for (const later of form.querySelectorAll("[data-since-seen]")) later.value = "";
  }
  let last = null;
  for (const word of words) {
    const control = form && controlOf(form, word);
    if (!control || !put(control, word.value)) left.push(word);
    else for (const name of ["input", "change"]) (last = control).dispatchEvent(new Event(name, { bubbles: true }));
  }
  if (left.length < words.length) {
    if (left.length) write({ ...record, words: left });
    else forget(record.id);
    keepNow();
    remove(record);
    for (let fold = last.closest("details:not([open])"); fold; fold = fold.parentElement.closest("details:not([open])")) fold.open = true;
    last.focus();
  } else {
    tellGone(offered.get(record.id));
  }
  offer();
}

function tellGone(notice) {
  notice.querySelector("[data-restore]").hidden = true;
  notice.querySelector("[data-gone]").hidden = false;
  notice.querySelector("[data-there]").hidden = notice.querySelector("[data-there]").href === window.location.href.replace(/#.*/, "");
}

function draw(record, words, form) {
  const notice = document.getElementById("unsaved-offer").content.firstElementChild.cloneNode(true);
  const [time, there] = [notice.querySelector("time"), notice.querySelector("[data-there]")];
  const at = new Date(record.at);
  time.dateTime = at.toISOString();
  time.textContent = at.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  notice.querySelector("[data-words]").append(...words.map(shownWord));
  there.href = record.page;
  there.hidden = true;
  if (!form) tellGone(notice);
  notice.querySelector("[data-restore]").addEventListener("click", () => restore(record, words));
  notice.querySelector("[data-discard]").addEventListener("click", () => discard(record));
  notice.querySelector("[data-copy-text]").dataset.copyText = words.map((word) => shown(word.value)).join("\n\n");
  document.getElementById("unsaved").append(notice);
  offered.set(record.id, notice);
}

async function consider(record) {
  const form = formAt(record.place) ?? (isHere(record) ? await askPage("words:look", record) : null);
  if (!form && !isHere(record)) return;
  const words = await openWords(form, record).catch(() => record.words);
  if (offered.has(record.id) || isSettled(record)) return;
  if (!words.length) forget(record.id);
  // A browser may have filled in by itself what stood there.
  else if (form?.isConnected && words.every((word) => shows(form, word))) adopt(record);
  else draw(record, words, form);
}

function list() {
  const menu = document.getElementById("unsaved-menu");
  const pages = new Map(stray().map((record) => [record.page, record.title]));
  menu.hidden = !pages.size;
  menu.querySelector("[data-count]").textContent = pages.size;
  menu.querySelector("[data-list]").replaceChildren(...[...pages].map(([href, textContent]) => {
    return Object.assign(document.createElement("a"), { className: "menu__item", href, textContent });
  }));
}

async function offerAll() {
  for (const record of stray()) {
    const notice = offered.get(record.id);
    // A lens that was opened after its words were told of can take them.
    if (notice && !notice.querySelector("[data-gone]").hidden && formAt(record.place)) remove(record);
    if (!offered.has(record.id)) await consider(record);
  }
  list();
}

// Parts that open only when they are used answer for their words once all scripts of the page are there.
let turn = new Promise((done) => document.addEventListener("DOMContentLoaded", done, { once: true }));

export function offer() {
  turn = turn.then(offerAll).catch(() => {});
  return turn;
}

function heard(event) {
  if (event.key === ASKED && event.newValue) {
    const { ids, asker } = JSON.parse(event.newValue);
    answer(ids, asker);
  }
  const id = idOf(event.key);
  if (!id) return;
  if (offered.has(id)) remove({ id });
  if (event.newValue && !id.startsWith(visit) && !alive.has(id)) {
    // A browser may tell the next page late of what a page wrote while it was left: only an answer shows that it is open.
    if (JSON.parse(event.newValue).answers !== visit) {
      askForOwners([id]);
      return;
    }
    alive.add(id);
  }
  list();
}

// Other pages that are open write their records anew when they are asked; what nobody answers for was left.
function askForOwners(ids) {
  localStorage.setItem(ASKED, JSON.stringify({ ids, asker: visit, at: Date.now() }));
  setTimeout(offer, ANSWER_MS);
}

judge();
if (person()) {
  window.addEventListener("storage", heard);
  // Later, when the code that asked for the new part has heard what became of it.
  document.addEventListener("htmx:afterSettle", () => setTimeout(() => {
    leaveBehind();
    if (stray().length) offer();
  }));
  const ids = stray().map((record) => record.id);
  if (ids.length) askForOwners(ids);
}
