// Ticks: all of a page at once, a row of them with Shift, and how many there are.
const ticks = () => [...document.querySelectorAll('#rows-table input[name="case"]')];
let latest = null;

// As if it had been clicked: an answer that is on its way leaves it so.
function set(tick, isChosen) {
  if (tick.checked === isChosen) return;
  tick.checked = isChosen;
  tick.dispatchEvent(new Event("input", { bubbles: true }));
}

function tell() {
  const all = document.getElementById("rows-all");
  const scope = document.getElementById("rows-scope");
  if (!scope) return;
  const ticked = ticks().filter((tick) => tick.checked).length;
  document.getElementById("rows-count").textContent = scope.value === "all" ? "" : `${ticked} ticked`;
  if (all) {
    all.checked = ticked > 0 && ticked === ticks().length;
    all.indeterminate = ticked > 0 && !all.checked;
  }
  const isIdle = scope.value !== "all" && !ticked;
  for (const button of document.querySelectorAll("#rows-bulk button[name=act]")) button.toggleAttribute("disabled", isIdle);
}

document.addEventListener("click", (event) => {
  if (!event.target.matches?.('#rows-table input[name="case"]')) return;
  const all = ticks();
  const [from, to] = [all.indexOf(latest), all.indexOf(event.target)].sort((a, b) => a - b);
  if (event.shiftKey && from >= 0) for (const tick of all.slice(from, to + 1)) set(tick, event.target.checked);
  latest = event.target;
  tell();
});

document.addEventListener("change", (event) => {
  if (event.target.id === "rows-all") for (const tick of ticks()) set(tick, event.target.checked);
  if (event.target.closest?.("#rows")) tell();
});

// Cases that are still shown stay ticked.
let chosen = [];
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.target.id === "rows") chosen = ticks().filter((tick) => tick.checked).map((tick) => tick.value);
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target.id !== "rows") return;
  for (const tick of ticks()) tick.checked ||= chosen.includes(tick.value);
  tell();
});
document.addEventListener("rows:drawn", tell);
window.addEventListener("pageshow", tell);
tell();

// Words are looked for while they are typed: leaving their field is no new question, and must not cross a pressed button.
document.getElementById("rows-words")?.addEventListener("change", (event) => event.stopPropagation());
