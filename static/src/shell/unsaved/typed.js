// Notes what is typed, ticked and chosen in forms, and keeps it until the server has it. Forms that save themselves say
// what was saved: "words:saved" at the form, with the FormData that was sent or nothing for all of it. Editors that
// write into a control say "words:typed" at it; "words:given-up" at a form drops its words.
import { arrival } from "../arrival.js";
import { controlOf, formAt, isIn, isKept, isStored, keyOf, markStored, placeOf, put, wordOf } from "./controls.js";
import { forget, person, read, write } from "./store.js";

const KEEP_MS = 250;
// Each visit of a page has records of its own, so that none replaces what an earlier one left.
export const visit = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
const places = new Map();
const changed = new Set();
let timer;
let isOver = false;
let left = 0;

const titleOf = () => document.title.trim().replace(/\s+/g, " ").replace(/^Error: | · Packwright$/g, "");
const seenBy = (form) => form.querySelector("input[type=hidden][name=seen]")?.value;
const pageOf = () => window.location.pathname + window.location.search;

function begun(form) {
  const place = placeOf(form);
  const about = { page: pageOf(), title: titleOf(), seen: seenBy(form), keepsAll: "keepsAll" in form.dataset };
  const fresh = { id: `${visit} ${place}`, place, ...about, words: new Map() };
  if (!places.has(place)) places.set(place, fresh);
  return places.get(place);
}

// Ticks and choices by themselves are no work to bring back, except where a form says so.
const isWork = ({ words, keepsAll }) => words.size > 0 && (keepsAll || [...words.values()].some((word) => word.isTyped));

function later(known) {
  changed.add(known);
  timer ??= setTimeout(keepNow, KEEP_MS);
}

export function keepNow() {
  clearTimeout(timer);
  timer = undefined;
  if (isOver) return;
  for (const known of changed) {
    if (isWork(known)) known.isKept = write({ ...known, words: [...known.words.values()], at: Date.now() });
    else forget(known.id);
  }
  changed.clear();
}

function note(control) {
  if (isOver || !person() || !isKept(control)) return;
  const word = wordOf(control);
  const known = begun(control.form);
  const first = known.words.get(keyOf(word));
  word.stored = first ? first.stored : word.stored;
  known.isSent = false;
  if (word.value === word.stored) known.words.delete(keyOf(word));
  else known.words.set(keyOf(word), word);
  settleDown(known);
}

function settleDown(known) {
  if (!known.words.size) places.delete(known.place);
  later(known);
}

function saved(form, data) {
  const known = places.get(placeOf(form));
  if (!known) return;
  for (const [key, word] of known.words) {
    if (data && !isIn(data, word)) continue;
    known.words.delete(key);
    const control = controlOf(form, word);
    if (control && wordOf(control).value === word.value) markStored(control, word);
  }
  // What is left was typed upon what was saved.
  known.seen = seenBy(form) ?? known.seen;
  settleDown(known);
  keepNow();
}

// A record goes on in this visit: what it holds stands in its form, and the server does not have it.
export function adopt(record) {
  const known = { ...record, id: `${visit} ${record.place}`, words: new Map(record.words.map((word) => [keyOf(word), word])) };
  places.set(record.place, known);
  forget(record.id);
  later(known);
  keepNow();
}

// Forms that are gone from the page leave their words to be offered.
export function leaveBehind() {
  for (const known of [...places.values()]) {
    if (formAt(known.place)) continue;
    places.delete(known.place);
    if (!isWork(known)) continue;
    forget(known.id);
    known.id = `${visit}-${(left += 1)} ${known.place}`;
    later(known);
    keepNow();
  }
}

// Somebody chose to do without the words of a form; where they say the place of a value, without those of that value.
function giveUp(form, at) {
  const known = places.get(placeOf(form));
  if (!known) return;
  for (const [key, word] of known.words) {
    if (at && !`${word.name}/`.includes(`:${at}/`)) continue;
    known.words.delete(key);
    const control = controlOf(form, word);
    // A browser tells as changed what is left with other words in it.
    if (control) put(control, word.stored);
  }
  settleDown(known);
  keepNow();
}

// A form is on its way as a page: the next page tells what became of it.
export function sent(form) {
  const known = places.get(placeOf(form));
  if (!known || !isWork(known)) return null;
  known.isSent = true;
  later(known);
  keepNow();
  return known;
}

// Nothing is kept any more in this visit.
export function end() {
  isOver = true;
  places.clear();
}

export const holds = (id) => [...places.values()].some((known) => known.id === id);
// What leaving would lose: nobody has it but this page.
export const isAtRisk = () => [...places.values()].some((known) => isWork(known) && !known.isKept && !known.isSent);
// Tells the visit that asks which of these records this one still has.
export function answer(ids, asker) {
  for (const known of places.values()) {
    if (!ids.includes(known.id)) continue;
    known.answers = asker;
    later(known);
  }
  keepNow();
}

for (const name of ["input", "change", "words:typed"]) document.addEventListener(name, (event) => note(event.target), true);
document.addEventListener("words:saved", (event) => saved(event.target, event.detail));
document.addEventListener("words:given-up", (event) => giveUp(event.target, event.detail));
for (const name of ["pagehide", "visibilitychange"]) window.addEventListener(name, keepNow, true);

// What was typed before this script was there; where a page is gone back to, the browser fills in what stood there.
if (arrival()?.type === "navigate") {
  for (const control of document.querySelectorAll("form[method=post] [name]")) if (isKept(control) && !isStored(control)) note(control);
}

// An answer to a form that htmx sent for its button. What a form asks for while it is filled in saves nothing.
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const { elt, xhr, requestConfig } = detail;
  const isTaken = xhr.status >= 200 && xhr.status < 300 && !("savesNothing" in (requestConfig.triggeringEvent?.submitter?.dataset ?? {}));
  if (isTaken && elt.matches("form") && requestConfig.triggeringEvent?.type === "submit") saved(formAt(placeOf(elt)) ?? elt, requestConfig.formData);
});

// Gone back to: what the server took from the page meanwhile is not kept anew.
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  for (const known of places.values()) if (known.isSent && !read(known.id)) places.delete(known.place);
});
