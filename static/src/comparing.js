// Runs that are ticked to be compared: kept in the tab while rows are drawn anew, filtered and turned over.
// x ticks the current row. Without a script the form sends the boxes of its page by itself.
const KEPT = "packwright-compare";
const form = document.getElementById("compare-runs");
const most = Number(form.dataset.most);
const chosen = new Set(read());

const boxes = () => [...document.querySelectorAll('#run-list input[name="ids"]')];

function read() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(kept) ? kept.filter((each) => /^\d+$/.test(each)) : [];
  } catch {
    return [];
  }
}

function tell() {
  for (const box of boxes()) {
    box.checked = chosen.has(box.value);
    box.disabled = chosen.size >= most && !box.checked;
  }
  form.toggleAttribute("data-some", chosen.size > 0);
  const words = chosen.size === 1 ? "1 selected; choose another" : `${chosen.size} selected`;
  form.querySelector("[data-count]").textContent = chosen.size >= most ? `${words}, which is the most` : words;
  form.querySelector("[type=submit]").toggleAttribute("disabled", chosen.size < 2);
  try {
    sessionStorage.setItem(KEPT, JSON.stringify([...chosen]));
  } catch {
    // Storage may be full or forbidden; then the choice lasts as long as the page.
  }
}

document.addEventListener("change", ({ target }) => {
  if (!target.matches?.('#run-list input[name="ids"]')) return;
  if (target.checked) chosen.add(target.value);
  else chosen.delete(target.value);
  tell();
});

form.querySelector("[data-clear]").addEventListener("click", () => {
  const first = boxes().find((box) => box.checked) ?? boxes()[0];
  chosen.clear();
  tell();
  first?.focus();
});

// The earliest run stands first and is the base.
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const ids = [...chosen].sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
  location.assign(`${form.action}?ids=${ids.join(",")}`);
});

document.addEventListener("focusin", ({ target }) => {
  const box = target.closest?.("#run-list [data-row]")?.querySelector('input[name="ids"]');
  if (!box) return;
  for (const other of boxes()) delete other.dataset.key;
  box.dataset.key = "x";
});

document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target.id === "run-list") tell();
});
window.addEventListener("pageshow", tell);
tell();
