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

// The field of a pointer, else the innermost that holds it; none where that is the whole form.
function fieldAt(form, pointer) {
  const holds = (field) => `${pointer}/`.startsWith(`${decodeURIComponent(field.dataset.at)}/`);
  return [...form.querySelectorAll(".fld .fld[data-at]")].filter(holds).at(-1);
}

// Where a link leads to a field of the form that is shown.
function fieldOf(link) {
  const form = document.getElementById("editor");
  if (!form) return undefined;
  const [wanted, shown] = [new URL(link.href), new URL(form.action)];
  const isHere = ["origin", "pathname"].every((part) => wanted[part] === shown[part]);
  const isSection = wanted.searchParams.get("section") === shown.searchParams.get("section");
  const pointer = wanted.searchParams.get("at");
  return isHere && isSection && pointer ? fieldAt(form, pointer) : undefined;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href*='at=']");
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const field = fieldOf(link);
  if (!field) return;
  event.preventDefault();
  reveal(field);
});
