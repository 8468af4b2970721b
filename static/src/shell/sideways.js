// Parts wider than the screen: a table that scrolls can be focused, and is named then; the tab of this page is in sight.
const OWN = "data-sideways";

function nameOf(wrap) {
  const table = wrap.querySelector("table");
  const labelled = document.getElementById(table?.getAttribute("aria-labelledby") ?? "");
  return (table?.caption ?? labelled)?.textContent.trim() || "Table";
}

function mark(wrap) {
  if (wrap.hasAttribute("tabindex") && !wrap.hasAttribute(OWN)) return;
  if (wrap.scrollWidth > wrap.clientWidth + 1) {
    for (const [name, value] of [[OWN, ""], ["tabindex", "0"], ["role", "region"], ["aria-label", nameOf(wrap)]]) wrap.setAttribute(name, value);
  } else if (wrap.hasAttribute(OWN)) {
    for (const name of [OWN, "tabindex", "role", "aria-label"]) wrap.removeAttribute(name);
  }
}

const sizes = new ResizeObserver((entries) => entries.forEach(({ target }) => mark(target)));

function watch() {
  for (const wrap of document.querySelectorAll(".table-wrap")) {
    mark(wrap);
    sizes.observe(wrap);
  }
}

watch();
document.addEventListener("htmx:afterSwap", watch);
for (const tab of document.querySelectorAll(".tabs [aria-current]")) tab.parentElement.scrollLeft = tab.offsetLeft - tab.parentElement.offsetLeft - 48;
