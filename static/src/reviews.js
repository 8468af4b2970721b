// Number keys give scores: to what has the focus, else to the first thing without one; the focus then goes on, in the
// end to the button. `q` adds the passage that is selected in the answer to the passages of the review.
import "./reviews/ahead.js";
import { standsDown } from "./shell/commanding.js";

const isOpen = (aspect) => !aspect.querySelector(":checked");

document.addEventListener("keydown", (event) => {
  if (standsDown(event) || !/^\d$/.test(event.key)) return;
  const aspects = [...document.querySelectorAll("[data-review] fieldset")];
  const aspect = document.activeElement?.closest("[data-review] fieldset") ?? aspects.find(isOpen);
  const choice = aspect?.querySelector(`input[data-digit="${event.key}"]`);
  if (!choice) return;
  event.preventDefault();
  choice.checked = true;
  choice.dispatchEvent(new Event("input", { bubbles: true }));
  const next = aspects.slice(aspects.indexOf(aspect) + 1).find(isOpen) ?? aspects.find(isOpen);
  (next?.querySelector("input") ?? aspect.closest("form").querySelector("[type=submit]")).focus();
});

function addPassage(text) {
  const focused = document.activeElement?.closest("[data-passages]");
  const field = focused ?? document.querySelector("[data-review] [data-passages]");
  const passage = text.trim().replace(/\s+/g, " ");
  if (!field || !passage) return false;
  field.value = [field.value.trimEnd(), passage].filter(Boolean).join("\n");
  field.dispatchEvent(new Event("input", { bubbles: true }));
  return true;
}

document.addEventListener("keydown", (event) => {
  const selection = document.getSelection();
  const begin = selection?.anchorNode;
  const element = begin instanceof Element ? begin : begin?.parentElement;
  if (standsDown(event) || event.key !== "q" || !element?.closest("[data-answer]")) return;
  if (addPassage(selection?.toString() ?? "")) event.preventDefault();
});
