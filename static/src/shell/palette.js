// The command palette: a dialog around the server's search. The input keeps the focus; arrows choose.
import { openDialog } from "./dialogs.js";

const dialog = document.getElementById("palette");
const options = () => [...dialog.querySelectorAll('[role="option"]')];

function choose(option) {
  for (const other of options()) other.setAttribute("aria-selected", String(other === option));
  const input = dialog.querySelector("input");
  if (option) {
    input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  } else {
    input.removeAttribute("aria-activedescendant");
  }
}

export function openPalette() {
  if (!dialog) return false;
  openDialog(dialog);
  const input = dialog.querySelector("input");
  input.select();
  window.htmx.trigger(input, "refresh");
  return true;
}

// What the results shown are the answer to, the result that was moved to, and whether Enter waits for newer ones.
let answered = null;
let wanted = null;
let isEntered = false;

function open(option, isBeside) {
  if (isBeside) window.open(option.href, "_blank", "noopener");
  else option.click();
}

function move(step) {
  const all = options();
  if (!all.length) return;
  const at = all.findIndex((option) => option.getAttribute("aria-selected") === "true");
  const option = all[(at + step + all.length) % all.length];
  wanted = option.href;
  choose(option);
}

function enter(event) {
  const option = options().find((each) => each.getAttribute("aria-selected") === "true");
  isEntered = dialog.querySelector("input").value !== answered;
  if (option && !isEntered) open(option, event.metaKey || event.ctrlKey);
}

if (dialog) {
  const input = dialog.querySelector("input");
  dialog.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isEnter = event.key === "Enter" && event.target === input && !event.isComposing;
    if (!step && !isEnter) return;
    event.preventDefault();
    if (step) move(step);
    else enter(event);
  });
  input.addEventListener("input", () => {
    wanted = null;
    isEntered = false;
  });
  dialog.addEventListener("close", () => (isEntered = false));
  dialog.addEventListener("htmx:afterSwap", (event) => {
    answered = event.detail.requestConfig.formData.get("q");
    const all = options();
    choose(all.find((option) => option.href === wanted) ?? all[0]);
    if (!isEntered || answered !== input.value) return;
    isEntered = false;
    if (all[0]) open(all[0], false);
  });
}

document.addEventListener("click", (event) => {
  if (event.button || event.metaKey || event.ctrlKey || !event.target.closest("[data-palette]")) return;
  if (openPalette()) event.preventDefault();
});
