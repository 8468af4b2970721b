// Open what a field is folded into, scroll to it and focus its control.
const CONTROLS = [".input:not(.input--kind, .input--key), input[type=checkbox]", "input:not([type=hidden]), select", "button, summary"];

export function reveal(field) {
  if (!field) return;
  for (let fold = field.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  for (const fold of field.querySelectorAll(":scope > details")) fold.open = true;
  field.classList.remove("is-quiet");
  const own = document.getElementById(`${field.id}-c`);
  const inside = CONTROLS.map((kind) => field.querySelector(kind)).find(Boolean);
  const control = own && !own.matches("output, button") ? own : inside;
  field.scrollIntoView({ block: "center" });
  control?.focus({ preventScroll: true });
}

export function revealAsked() {
  const asked = document.getElementById("editor")?.dataset.focus;
  const field = asked && document.getElementById(asked);
  if (field) reveal(field);
}
