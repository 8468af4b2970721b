// Keys never fire while typing, in dialogs, with AltGr, or while composing. [data-key="e"] is clicked by its key;
// "g p" is a sequence. Pages list their keys in {% block keys %} for the cheatsheet.
import { openDialog } from "./dialogs.js";
import { openPalette } from "./palette.js";
import { moveRow } from "./rows.js";

const TYPING = "input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select, [contenteditable=true], .cm-editor";
const SEQUENCE_MS = 900;
let pending = "";
let pendingSince = 0;

function search() {
  const field = document.querySelector("[data-search]");
  if (!field) return openPalette();
  field.focus();
  field.select();
  return true;
}

const ACTIONS = {
  "/": search,
  "?": () => openDialog(document.getElementById("keys")) ?? true,
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

function standsDown(event) {
  return (
    event.defaultPrevented || event.isComposing || event.altKey || event.ctrlKey || event.metaKey ||
    event.getModifierState("AltGraph") || event.target.closest?.(TYPING) || document.querySelector("dialog[open]")
  );
}

document.addEventListener("keydown", (event) => {
  const isPalette = event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey;
  if (isPalette && openPalette()) return event.preventDefault();
  if (standsDown(event) || event.key.length > 1) return undefined;
  const sequence = event.timeStamp - pendingSince < SEQUENCE_MS ? `${pending} ${event.key}` : "";
  pending = event.key;
  pendingSince = event.timeStamp;
  if ((sequence && run(sequence)) || run(event.key)) event.preventDefault();
  return undefined;
});
