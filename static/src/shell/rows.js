// Lists: inside [data-rows], j and k move over [data-row], Enter opens its [data-open], g g and G go to the ends.
const rows = () => [...document.querySelectorAll("[data-rows] [data-row]")].filter((row) => row.offsetParent);

export function moveRow(step) {
  const all = rows();
  if (!all.length) return false;
  const at = all.findIndex((row) => "current" in row.dataset);
  const next = at < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + step, 0), all.length - 1);
  if (at >= 0) delete all[at].dataset.current;
  all[next].dataset.current = "";
  all[next].querySelector("[data-open]")?.focus({ preventScroll: true });
  all[next].scrollIntoView({ block: "nearest" });
  return true;
}

// The current row follows the focus, so that Tab and j/k agree.
document.addEventListener("focusin", (event) => {
  const row = event.target.closest?.("[data-rows] [data-row]");
  if (!row || "current" in row.dataset) return;
  for (const other of rows()) delete other.dataset.current;
  row.dataset.current = "";
});
