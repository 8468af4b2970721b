// Rows of metadata: values are suggested by the key that is typed, and long types get a field of several lines.

const LONG = new Set(["list", "yaml"]);

function suggest(row) {
  const key = row.querySelector("[name^='key-']").value.trim();
  const value = row.querySelector("input[name^='text-']");
  const list = [...document.querySelectorAll("datalist[data-key-of]")].find((each) => each.dataset.keyOf === key);
  if (!value) return;
  if (list) value.setAttribute("list", list.id);
  else value.removeAttribute("list");
}

function grow(row) {
  const value = row.querySelector("input[name^='text-']");
  if (!value || !LONG.has(row.querySelector("select").value)) return;
  const area = document.createElement("textarea");
  area.className = "input input--mono";
  area.name = value.name;
  area.rows = 3;
  area.spellcheck = false;
  area.value = value.value;
  value.replaceWith(area);
}

document.addEventListener("change", (event) => {
  const row = event.target.closest("[data-meta-row]");
  if (!row) return;
  if (event.target.matches("select")) grow(row);
  suggest(row);
});
