// The gallery of checks: typing filters, arrows choose, Enter adds. Without this script it is a page of its own.
import { openDialog } from "../shell/dialogs.js";
import { say } from "./answers.js";
import { flush } from "./fields.js";
import { send, takeOver } from "./page.js";
import { revealAsked } from "./reveal.js";
import { settled } from "./yaml.js";

const dialog = document.getElementById("gallery");
const input = dialog?.querySelector("input");
const kinds = () => [...dialog.querySelectorAll('[role="option"]')];
const shown = () => kinds().filter((kind) => !kind.hidden);
const chosen = () => kinds().find((kind) => kind.getAttribute("aria-selected") === "true");

function choose(kind) {
  for (const other of kinds()) other.setAttribute("aria-selected", String(other === kind));
  input.setAttribute("aria-activedescendant", kind?.id ?? "");
  kind?.scrollIntoView({ block: "nearest" });
}

function filter() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const kind of kinds()) {
    const text = `${kind.textContent} ${kind.dataset.words}`.toLowerCase();
    kind.hidden = !words.every((word) => text.includes(word));
  }
  for (const group of dialog.querySelectorAll('[role="group"]')) group.hidden = !group.querySelector('[role="option"]:not([hidden])');
  dialog.querySelector("[data-nothing]").hidden = shown().length > 0;
  choose(shown()[0]);
}

async function open(url) {
  await window.htmx.ajax("GET", url, { source: dialog, target: "#gallery-body" });
  for (const kind of kinds()) kind.tabIndex = -1;
  input.value = "";
  filter();
  openDialog(dialog);
}

async function add(form, submitter) {
  await flush();
  await settled();
  const { response, page } = await send(form, submitter);
  if (response.status >= 400) throw new Error(`Refused: ${response.status}`);
  dialog.close();
  const target = new URL(response.url);
  const isHere = target.pathname === window.location.pathname && page.querySelector(".bench__head h1")?.textContent === document.querySelector(".bench__head h1")?.textContent;
  if (!isHere) {
    window.location.assign(response.url);
    return;
  }
  takeOver(page);
  document.dispatchEvent(new CustomEvent("workbench:saved"));
  revealAsked();
}

document.addEventListener("click", (event) => {
  const opener = dialog && event.target.closest("[data-gallery]");
  if (!opener) return;
  event.preventDefault();
  open(opener.dataset.gallery).catch(() => say("The gallery could not be opened; try again", true));
});

if (dialog) {
  input.addEventListener("input", filter);
  dialog.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      const all = shown();
      choose(all[(all.indexOf(chosen()) + step + all.length) % all.length]);
    } else if (event.key === "Enter" && event.target === input && !event.isComposing) chosen()?.click();
    else return;
    event.preventDefault();
  });
  dialog.addEventListener("submit", (event) => {
    event.preventDefault();
    add(event.target, event.submitter).catch(() => say("Not added; try again", true));
  });
}
