// One cell has the focus. Enter edits it, Enter saves, Escape leaves it as it was, Tab saves and goes on to the next.
import { renew } from "../shell/session.js";

const RETRY_MS = 2000;
const table = () => document.getElementById("rows-table");
const cellsOf = (row) => [...row.querySelectorAll(".rows__cell > .cell")];
const STEPS = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1], Home: [0, -1e6], End: [0, 1e6] };
// Cells that are being left, each with the promise of what it becomes.
const leaving = new Map();
// A cell that is being opened, with what is typed before its control is there.
let opening = null;

function focus(cell) {
  if (!cell) return;
  for (const other of table().querySelectorAll('.cell[tabindex="0"]')) other.tabIndex = -1;
  cell.tabIndex = 0;
  cell.focus({ preventScroll: true });
  cell.closest("td").scrollIntoView({ block: "nearest", inline: "nearest" });
}

function at(row, column) {
  return cellsOf(row)[column];
}

function beside(cell, down, right) {
  const row = cell.closest("tr");
  const rows = [...table().tBodies[0].rows];
  const column = cellsOf(row).indexOf(cell) + right;
  const line = rows[Math.min(Math.max(rows.indexOf(row) + down, 0), rows.length - 1)];
  const last = cellsOf(line).length - 1;
  return at(line, Math.min(Math.max(column, 0), last));
}

const placeOf = (cell) => ({ row: cell.closest("tr").id, column: cellsOf(cell.closest("tr")).indexOf(cell) });
const cellAt = ({ row, column }) => at(document.getElementById(row), column);

async function show(cell, editing) {
  const place = placeOf(cell);
  const url = `${cell.closest("tr").dataset.case}?at=${encodeURIComponent(cell.dataset.at)}${editing ? "&edit=1" : ""}`;
  // Without a pause, or what is typed at once into the new control is neither checked nor saved.
  await window.htmx.ajax("GET", url, { source: cell, target: cell, swap: "outerHTML settle:0ms" });
  const fresh = cellAt(place);
  if (editing) {
    const control = fresh.querySelector("[data-cell-control]");
    if (control) control.dataset.original = control.value;
    control?.focus();
    control?.select?.();
  }
  return fresh;
}

export async function edit(cell) {
  if (!table()?.hasAttribute("data-editable") || cell.matches(".cell--edit") || opening) return;
  opening = { cell, text: "" };
  try {
    const fresh = await show(cell, true);
    const control = fresh?.querySelector("[data-cell-control]");
    if (!opening.text || control?.tagName !== "TEXTAREA") return;
    control.value = opening.text;
    control.dispatchEvent(new Event("input", { bubbles: true }));
  } finally {
    opening = null;
  }
}

// Typed into a cell that is about to open: text for its control, and no command.
function typeAhead(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key.length === 1) opening.text += event.key;
  else if (event.key === "Backspace") opening.text = opening.text.slice(0, -1);
  event.preventDefault();
  event.stopPropagation();
}

// What the server refused or disputed counts as changed: it has no value that it began with.
const isChanged = (control) => control.value !== control.dataset.original;

async function post(form) {
  const done = new Promise((resolve) => {
    const hear = (event) => {
      if (event.target !== form) return;
      form.removeEventListener("htmx:afterRequest", hear);
      resolve(event.detail.xhr.status);
    };
    form.addEventListener("htmx:afterRequest", hear);
  });
  form.requestSubmit();
  return done;
}

// Said in the cell; tried again as long as it reads as it was sent.
function again(cell, status) {
  const control = cell.querySelector("[data-cell-control]");
  const { value } = control;
  const said = document.createElement("p");
  said.className = "fld__finding fld__finding--error";
  said.textContent = { 401: "Not saved; you are signed out", 403: "Not saved; you may not do this", 404: "Not saved; somebody else removed this case" }[status] ?? "Not saved; trying again";
  cell.querySelector(".cell__findings").replaceChildren(said);
  if (status === 401 || !status || status >= 500) setTimeout(() => cell.isConnected && control.value === value && leave(cell, true), RETRY_MS);
}

async function save(cell) {
  const form = cell.querySelector("form");
  let status = await post(form);
  if (status === 403 && (await renew().catch(() => false))) status = await post(form);
  if (cell.isConnected && ![200, 409, 422].includes(status)) again(cell, status);
}

async function becoming(cell, keep) {
  const place = placeOf(cell);
  const control = cell.querySelector("[data-cell-control]");
  // What would be typed now would not be saved any more.
  control?.setAttribute("readonly", "");
  try {
    if (keep && isChanged(control)) {
      await save(cell);
    } else {
      cell.querySelector("form").dispatchEvent(new CustomEvent("words:given-up", { bubbles: true }));
      await show(cell, false);
    }
  } finally {
    control?.removeAttribute("readonly");
  }
  return cellAt(place);
}

// What a cell becomes when it is left: saved where something was typed.
function leave(cell, keep) {
  if (!leaving.has(cell)) leaving.set(cell, becoming(cell, keep).finally(() => leaving.delete(cell)));
  return leaving.get(cell);
}

// When everything is saved that was typed into cells.
export const saved = () => Promise.allSettled(leaving.values());

// What is not saved yet when the page goes away travels with it.
window.addEventListener("pagehide", () => {
  for (const form of document.querySelectorAll("#rows-table .cell--edit form")) {
    if (isChanged(form.querySelector("[data-cell-control]"))) navigator.sendBeacon(form.action, new FormData(form));
  }
});

document.addEventListener("dblclick", (event) => {
  const cell = event.target.closest("#rows-table .rows__cell > .cell");
  if (cell) edit(cell);
});

// Already when the button goes down: rows that move before it is up, as when fixes come, make of the two no click. A press
// beside the text of a cell would give the focus to the table then.
for (const name of ["mousedown", "click"]) {
  document.addEventListener(name, (event) => {
    const cell = event.target.closest("#rows-table .rows__cell")?.querySelector(":scope > .cell:not(.cell--edit)");
    if (cell) focus(cell);
  });
}

document.addEventListener("focusout", (event) => {
  const cell = event.target.closest?.(".cell--edit");
  if (!cell || leaving.has(cell) || cell.contains(event.relatedTarget)) return;
  // Leaving the window is not leaving the cell; where others' value stands, only keys decide.
  if (!document.hasFocus() || cell.querySelector("[data-disputed]")) return;
  leave(cell, true);
});

async function inEditor(event, cell) {
  const { key } = event;
  if (key === "Escape") {
    event.preventDefault();
    focus(await leave(cell, false));
  } else if (key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    const left = await leave(cell, true);
    if (left.matches(".cell--edit")) left.querySelector("[data-cell-control]")?.focus();
    else focus(left);
  } else if (key === "Tab") {
    event.preventDefault();
    const next = placeOf(beside(cell, 0, event.shiftKey ? -1 : 1));
    const left = await leave(cell, true);
    if (left.matches(".cell--edit")) return;
    focus(cellAt(next));
    if (cellAt(next) !== left) edit(cellAt(next));
  }
}

document.addEventListener("keydown", (event) => {
  if (opening?.cell.contains(event.target)) {
    typeAhead(event);
    return;
  }
  const cell = event.target.closest?.("#rows-table .rows__cell > .cell");
  if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
  if (cell.matches(".cell--edit")) {
    inEditor(event, cell);
    return;
  }
  const step = STEPS[event.key];
  const act = {
    Enter: () => edit(cell),
    F2: () => edit(cell),
    " ": () => cell.closest("tr").querySelector('input[name="case"]')?.click(),
    o: () => cell.closest("tr").querySelector(".rows__key a").click(),
  }[event.key];
  if (!step && !act) return;
  event.preventDefault();
  event.stopPropagation();
  if (step) focus(beside(cell, ...step));
  else act();
});

// Tab comes into the table at one cell.
function arm() {
  const first = table()?.querySelector(".rows__cell > .cell");
  if (first && !table().querySelector('.cell[tabindex="0"]')) first.tabIndex = 0;
}

for (const name of ["htmx:afterSettle", "rows:drawn"]) document.addEventListener(name, arm);
arm();
