// A gallery of kinds: inside [data-kinds], typing filters its options, arrows choose, Enter takes the chosen one.
const optionsOf = (root) => [...root.querySelectorAll('[role="option"]')];
const shownIn = (root) => optionsOf(root).filter((option) => !option.hidden);
const chosenIn = (root) => optionsOf(root).find((option) => option.getAttribute("aria-selected") === "true");
const inputOf = (root) => root.querySelector('[role="combobox"]');

function choose(root, option) {
  for (const other of optionsOf(root)) other.setAttribute("aria-selected", String(other === option));
  inputOf(root).setAttribute("aria-activedescendant", option?.id ?? "");
  option?.scrollIntoView({ block: "nearest" });
}

/** Shows the options that have all words of the input, by their text and their `data-words`, and chooses the first. */
export function filterKinds(root) {
  const words = inputOf(root).value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const option of optionsOf(root)) {
    const text = `${option.textContent} ${option.dataset.words}`.toLowerCase();
    option.hidden = !words.every((word) => text.includes(word));
  }
  for (const group of root.querySelectorAll('[role="group"]')) group.hidden = !group.querySelector('[role="option"]:not([hidden])');
  root.querySelector("[data-nothing]").hidden = shownIn(root).length > 0;
  choose(root, shownIn(root)[0]);
}

/** Moves the choice by a step, from the last option to the first. */
export function moveChoice(root, step) {
  const all = shownIn(root);
  if (all.length) choose(root, all[(all.indexOf(chosenIn(root)) + step + all.length) % all.length]);
}

/** Options are reached by the arrows, not by Tab. */
export function prepareKinds(root) {
  for (const option of optionsOf(root)) option.tabIndex = -1;
  filterKinds(root);
}

/** Lets a gallery be used by keys. */
export function listenForKinds(root) {
  root.addEventListener("input", () => filterKinds(root));
  root.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) moveChoice(root, step);
    else if (event.key === "Enter" && event.target === inputOf(root) && !event.isComposing) chosenIn(root)?.click();
    else return;
    event.preventDefault();
  });
}
