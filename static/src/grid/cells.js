// One cell has the focus. Enter edits it, Enter saves, Escape leaves it as it was, Tab saves and goes on to the next.
const table = () => document.getElementById("rows-table");
const cellsOf = (row) => [...row.querySelectorAll(".rows__cell > .cell")];
const STEPS = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1], Home: [0, -1e6], End: [0, 1e6] };
let leaving = null;

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
  if (!table()?.hasAttribute("data-editable") || cell.matches(".cell--edit")) return;
  await show(cell, true);
}

// What the server refused or disputed counts as changed: it has no value that it began with.
const isChanged = (control) => control.value !== control.dataset.original;

// What a cell becomes when it is left: saved where something was typed.
async function leave(cell, keep) {
  const place = placeOf(cell);
  const control = cell.querySelector("[data-cell-control]");
  leaving = cell;
  if (keep && isChanged(control)) {
    const form = cell.querySelector("form");
    const done = new Promise((resolve) => form.addEventListener("htmx:afterRequest", (event) => event.target === form && resolve(), { once: false }));
    form.requestSubmit();
    await done;
  } else {
    await show(cell, false);
  }
  leaving = null;
  return cellAt(place);
}

document.addEventListener("dblclick", (event) => {
  const cell = event.target.closest("#rows-table .rows__cell > .cell");
  if (cell) edit(cell);
});

document.addEventListener("click", (event) => {
  const cell = event.target.closest("#rows-table .rows__cell")?.querySelector(":scope > .cell:not(.cell--edit)");
  if (cell) focus(cell);
});

document.addEventListener("focusout", (event) => {
  const cell = event.target.closest?.(".cell--edit");
  if (!cell || cell === leaving || cell.contains(event.relatedTarget)) return;
  // Leaving the window is not leaving the cell.
  if (!document.hasFocus()) return;
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
    if (!left.matches(".cell--edit")) focus(left);
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

document.addEventListener("htmx:afterSettle", arm);
arm();
