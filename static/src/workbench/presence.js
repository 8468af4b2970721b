// Who else has the draft open, and at which field. The page asks about once a second while it can be seen; mostly the
// answer is that nothing is new, and costs the server next to nothing. Each sort of page says with `attend` what is in
// use on it, and where others stand.
import { ask } from "../shell/session.js";

const EVERY_MS = 1000;
const AFTER_FAILURE_MS = 5000;
const SETTLED_MS = 150;
const place = document.getElementById("presence");
// A page names itself; this need be no secret.
const visit = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 12)}`;
let timer;
let quiet = "";
let said = "";
let isGone = false;
/** @type {{ inUse: () => Record<string, string>, spotOf: (person: DOMStringMap) => Element | null | undefined }} */
let view = { inUse: () => ({}), spotOf: () => null };

function address(more = {}) {
  const { url, section } = place.dataset;
  return `${url}?${new URLSearchParams({ visit, section, ...more })}`;
}

async function poll() {
  const at = view.inUse();
  const now = JSON.stringify(at);
  const response = await ask(address({ ...at, ...(quiet && now === said && { quiet }) }));
  if (response.status === 204) return;
  if (!response.ok) throw new Error(`Refused: ${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const heard = page.querySelector("[data-heard]");
  if (!heard) throw new Error("No answer");
  said = now;
  ({ quiet } = heard.dataset);
  isGone = "gone" in heard.dataset;
  if (place.innerHTML !== heard.innerHTML) {
    place.replaceChildren(...heard.childNodes);
    mark();
  }
  document.dispatchEvent(new CustomEvent("workbench:heard", { detail: heard.dataset }));
}

async function again() {
  clearTimeout(timer);
  if (document.hidden || isGone) return;
  let next = EVERY_MS;
  try {
    await poll();
  } catch {
    quiet = "";
    next = AFTER_FAILURE_MS;
  }
  clearTimeout(timer);
  timer = setTimeout(again, next);
}

function badge(person, text) {
  const made = document.createElement("span");
  made.className = `here ${person.className}`;
  made.title = person.dataset.name;
  made.textContent = text;
  return made;
}

// Places in the page and lines of the outline say who is there.
function mark() {
  for (const old of document.querySelectorAll(".here")) old.remove();
  for (const person of place.querySelectorAll(".person")) {
    const { name, dot } = person.dataset;
    view.spotOf(person.dataset)?.append(badge(person, name));
    document.getElementById(dot)?.before(badge(person, person.querySelector(".person__sign").textContent));
  }
}

function leave() {
  clearTimeout(timer);
  quiet = "";
  fetch(address({ leaves: "1" }), { keepalive: true, headers: { "X-Requested-With": "fetch" } }).catch(() => {});
}

// Where somebody goes on to another place, others see it at once.
function soon() {
  if (!place || JSON.stringify(view.inUse()) === said) return;
  clearTimeout(timer);
  timer = setTimeout(again, SETTLED_MS);
}

/** Begin to say where the user of this page is, and to show others. */
export function attend(wanted) {
  view = wanted;
  if (!place) return;
  // A hidden page asks nothing, and nobody is in front of it.
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : again()));
  window.addEventListener("pagehide", leave);
  window.addEventListener("pageshow", (event) => event.persisted && again());
  document.addEventListener("focusin", soon);
  for (const name of ["workbench:drawn", "workbench:saved"]) document.addEventListener(name, mark);
  again();
}
