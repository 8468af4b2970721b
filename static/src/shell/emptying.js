// A part that was opened beside a list closes by its button or Escape; the focus returns to the link that opened it.
const CLOSES = "[data-empties]";
/** @type {HTMLElement | null} */
let from = null;

function close(button) {
  const part = document.querySelector(button.dataset.empties);
  if (!part?.contains(button)) return false;
  part.replaceChildren();
  from?.focus();
  return true;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest(CLOSES);
  if (button && close(button)) event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  const button = document.querySelector(CLOSES);
  if (event.key === "Escape" && button && !document.querySelector("dialog[open]")) close(button);
});

document.addEventListener("htmx:afterSwap", ({ detail: { requestConfig, target } }) => {
  if (target.querySelector?.(CLOSES)) from = requestConfig.elt;
});
