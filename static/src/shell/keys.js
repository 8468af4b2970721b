// Keys never fire while typing, in dialogs, with AltGr, or while composing. [data-key="e"] is clicked by its key;
// "g p" is a sequence, which takes as long as somebody needs (WCAG 2.1.1): its first key is shown until another key or a
// click. The list behind ? shows those of the page as they are labelled; studio/keys.py has the others.
import { standsDown } from "./commanding.js";
import { openDialog } from "./dialogs.js";
import { openPalette } from "./palette.js";
import { moveRow } from "./rows.js";

let begun = "";

function search() {
  const field = document.querySelector("[data-search]");
  if (!field) return openPalette();
  field.focus();
  field.select();
  return true;
}

const LISTED_ALWAYS = /^g |^[jkG]$/;

// Titles end with their key in brackets, which the list shows before them.
function labelOf(element) {
  const named = element.getAttribute("aria-label") || element.title;
  if (named) return named.replace(` (${element.dataset.key})`, "");
  const copy = element.cloneNode(true);
  for (const part of copy.querySelectorAll("kbd, .count, [aria-hidden=true]")) part.remove();
  return copy.textContent.trim().replace(/\s+/g, " ");
}

const offered = () => [...document.querySelectorAll("[data-key]")].filter(({ dataset, disabled }) => dataset.key && !disabled);

function listKeys() {
  const found = new Map();
  for (const element of offered()) {
    const { key } = element.dataset;
    if (!found.has(key) && !LISTED_ALWAYS.test(key)) found.set(key, labelOf(element));
  }
  const entries = [...found].sort(([one], [other]) => one.localeCompare(other)).flatMap(([key, label]) => {
    const [term, pressed, does] = ["dt", "kbd", "dd"].map((name) => document.createElement(name));
    pressed.textContent = key;
    term.append(pressed);
    does.textContent = label;
    term.dataset.listed = does.dataset.listed = "";
    return [term, does];
  });
  for (const old of document.querySelectorAll("#keys [data-listed]")) old.remove();
  document.querySelector("#keys .keys").append(...entries);
}

function openKeys() {
  listKeys();
  openDialog(document.getElementById("keys"));
  return true;
}

const ACTIONS = {
  "/": search,
  "?": openKeys,
  j: () => moveRow(1),
  k: () => moveRow(-1),
  G: () => moveRow(Number.MAX_SAFE_INTEGER),
  "g g": () => moveRow(-Number.MAX_SAFE_INTEGER),
};

function click(combo) {
  const target = document.querySelector(`[data-key="${CSS.escape(combo)}"]`);
  if (!target || target.disabled) return false;
  target.click();
  return true;
}

function run(combo) {
  return click(combo) || Boolean(ACTIONS[combo]?.());
}

function begin(first) {
  if (!first && !begun) return;
  const keys = [...offered().map(({ dataset }) => dataset.key), ...Object.keys(ACTIONS)];
  const seconds = keys.filter((key) => key.startsWith(`${first} `)).map((key) => key.slice(first.length + 1));
  begun = seconds.length ? first : "";
  const shown = document.getElementById("begun");
  if (!shown) return;
  shown.hidden = !begun;
  shown.querySelector("[data-first]").textContent = begun;
  shown.querySelector("[data-seconds]").textContent = [...new Set(seconds)].sort().join(" ");
}

// The line of a list is renamed by the key of its own link.
function rename(line) {
  const target = line.parentElement.querySelector(":scope > [data-renames]");
  target?.click();
  return Boolean(target);
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Shift") return undefined;
  const first = begun;
  begin("");
  if (event.key === "F2" && event.target.matches?.("[aria-keyshortcuts=F2]") && rename(event.target)) return event.preventDefault();
  const isPalette = event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey;
  if (isPalette && openPalette()) return event.preventDefault();
  if (standsDown(event) || event.key.length > 1) return undefined;
  if ((first && run(`${first} ${event.key}`)) || run(event.key)) event.preventDefault();
  else begin(event.key);
  return undefined;
});

document.addEventListener("pointerdown", () => begin(""));

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-dialog=keys]")) listKeys();
});
