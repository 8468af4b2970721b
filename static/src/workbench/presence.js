// Who else has the draft open, and at which field. The page asks about once a second while it can be seen; mostly the
// answer is that nothing is new, and costs the server next to nothing.
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

const fieldInUse = () => document.activeElement?.closest("#editor [data-at]")?.dataset.at ?? "";

function address(more = {}) {
  const { url, section } = place.dataset;
  return `${url}?${new URLSearchParams({ visit, section, ...more })}`;
}

async function poll() {
  const at = fieldInUse();
  const response = await ask(address({ at, ...(quiet && at === said && { quiet }) }));
  if (response.status === 204) return;
  if (!response.ok) throw new Error(`Refused: ${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const heard = page.querySelector("[data-heard]");
  if (!heard) throw new Error("No answer");
  said = at;
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

// Fields and lines of the outline say who is there.
function mark() {
  for (const old of document.querySelectorAll(".here")) old.remove();
  for (const person of place.querySelectorAll(".person")) {
    const { name, dot, place: at } = person.dataset;
    const field = at ? document.querySelector(`#editor [data-at="${CSS.escape(at)}"]`) : null;
    (field?.querySelector(":scope > .fld__head, :scope > .part > summary, :scope > details > summary") ?? field)?.append(badge(person, name));
    document.getElementById(dot)?.before(badge(person, person.querySelector(".person__sign").textContent));
  }
}

function leave() {
  clearTimeout(timer);
  quiet = "";
  fetch(address({ leaves: "1" }), { keepalive: true, headers: { "X-Requested-With": "fetch" } }).catch(() => {});
}

if (place) {
  // A hidden page asks nothing, and nobody is in front of it.
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : again()));
  window.addEventListener("pagehide", leave);
  window.addEventListener("pageshow", (event) => event.persisted && again());
  // Where somebody goes on to another field, others see it at once.
  document.addEventListener("focusin", () => {
    if (fieldInUse() === said) return;
    clearTimeout(timer);
    timer = setTimeout(again, SETTLED_MS);
  });
  for (const name of ["workbench:drawn", "workbench:saved"]) document.addEventListener(name, mark);
  again();
}
