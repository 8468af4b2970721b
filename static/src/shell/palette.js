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

if (dialog) {
  dialog.addEventListener("keydown", (event) => {
    const all = options();
    const at = all.findIndex((option) => option.getAttribute("aria-selected") === "true");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && all.length) {
      event.preventDefault();
      choose(all[(at + step + all.length) % all.length]);
    } else if (event.key === "Enter" && all[at] && !event.isComposing) {
      event.preventDefault();
      if (event.metaKey || event.ctrlKey) window.open(all[at].href, "_blank", "noopener");
      else all[at].click();
    }
  });
  dialog.addEventListener("htmx:afterSwap", () => choose(options()[0]));
}

document.addEventListener("click", (event) => {
  if (event.button || event.metaKey || event.ctrlKey || !event.target.closest("[data-palette]")) return;
  if (openPalette()) event.preventDefault();
});
