// Number keys give scores: to what has the focus, else to the first thing without one; the focus then goes on.
const TYPING = "textarea, select, input:not([type=radio], [type=checkbox])";

function standsDown(event) {
  return (
    event.defaultPrevented || event.isComposing || event.altKey || event.ctrlKey || event.metaKey ||
    event.target.closest?.(TYPING) || document.querySelector("dialog[open]")
  );
}

const isOpen = (aspect) => !aspect.querySelector(":checked");

document.addEventListener("keydown", (event) => {
  if (standsDown(event) || !/^\d$/.test(event.key)) return;
  const aspects = [...document.querySelectorAll("[data-review] fieldset")];
  const aspect = document.activeElement?.closest("[data-review] fieldset") ?? aspects.find(isOpen);
  const choice = aspect?.querySelector(`input[value="${event.key}"]`);
  if (!choice) return;
  event.preventDefault();
  choice.checked = true;
  choice.dispatchEvent(new Event("input", { bubbles: true }));
  const next = aspects.slice(aspects.indexOf(aspect) + 1).find(isOpen) ?? aspects.find(isOpen);
  (next?.querySelector("input") ?? aspect.closest("form").querySelector("[type=submit]")).focus();
});
