// Open what a field is folded into, scroll to it and focus its control.
const CONTROLS = "input:not([type=hidden]), textarea, select, button, summary";

export function reveal(field) {
  if (!field) return;
  for (let fold = field.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  for (const fold of field.querySelectorAll(":scope > details")) fold.open = true;
  field.classList.remove("is-quiet");
  const own = document.getElementById(`${field.id}-c`);
  const control = own && !own.matches("output") ? own : field.querySelector(CONTROLS);
  field.scrollIntoView({ block: "center" });
  control?.focus({ preventScroll: true });
}

export function revealAsked() {
  const asked = document.getElementById("editor")?.dataset.focus;
  const field = asked && document.getElementById(asked);
  if (field) reveal(field);
}
