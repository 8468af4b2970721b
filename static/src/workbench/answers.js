// What stands below or beside the control that was changed: what can be created for it, and the preview of its text.
function renew(live, name, ending) {
  for (const fresh of live.querySelectorAll(`[data-${name}]`)) {
    const slot = document.getElementById(`${fresh.dataset[name]}-${ending}`);
    if (slot && slot.innerHTML.trim() !== fresh.innerHTML.trim()) slot.replaceChildren(...document.importNode(fresh, true).childNodes);
  }
}

// An answer of the server carries all findings of the node in #live; each goes to its field, the dot to the outline.
export function spread() {
  const live = document.getElementById("live");
  const form = document.getElementById("editor");
  if (!live || !form) return;
  for (const slot of form.querySelectorAll(".fld__findings")) slot.replaceChildren();
  for (const control of form.querySelectorAll('[aria-invalid="true"]')) control.removeAttribute("aria-invalid");
  for (const found of live.querySelectorAll("[data-for]")) {
    const slot = document.getElementById(`${found.dataset.for}-p`);
    if (!slot) continue;
    slot.replaceChildren(...found.cloneNode(true).childNodes);
    const isLoud = !slot.closest(".is-quiet") && slot.querySelector(".fld__finding--error");
    if (isLoud) document.getElementById(`${found.dataset.for}-c`)?.setAttribute("aria-invalid", "true");
  }
  renew(live, "create", "n");
  renew(live, "preview", "v");
  for (const part of live.querySelectorAll("[data-part]")) {
    const head = document.querySelector(`#${part.dataset.part} > .part > .part__head`);
    const said = document.importNode(part, true).childNodes;
    if (head && head.innerHTML.trim() !== part.innerHTML.trim()) head.replaceChildren(...said);
  }
  document.getElementById("undo")?.removeAttribute("aria-disabled");
  const name = live.querySelector("[data-name]")?.textContent;
  for (const shown of document.querySelectorAll(".bench__head h1, .outline__link[aria-current] > .truncate")) shown.textContent = name ?? shown.textContent;
  const dot = live.querySelector("[data-dot]");
  const shown = dot && document.getElementById(dot.dataset.dot);
  if (shown) {
    shown.className = dot.firstElementChild.className;
    shown.replaceChildren(...dot.firstElementChild.cloneNode(true).childNodes);
  }
  document.body.dispatchEvent(new Event("workbench:checked"));
}

export function say(text, isTrouble = false) {
  const state = document.getElementById("savestate");
  if (!state) return;
  state.textContent = text;
  state.classList.toggle("savestate--trouble", isTrouble);
}
