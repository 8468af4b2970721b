// Draws the charts of a page from the tables beside them, and saves them as files.
import { drawing } from "./charts/drawings.js";
import { offer } from "./charts/saving.js";
import { read } from "./charts/table.js";

function draw(figure) {
  const place = figure.querySelector("[data-drawing]");
  const width = place.clientWidth;
  if (!width || figure.dataset.drawn === String(width)) return;
  const svg = drawing(figure.dataset.chart, read(figure.querySelector("table")), width);
  // Its rules are in charts.css: the page's policy allows no style elements.
  svg.querySelector("style")?.remove();
  // The picture has a name of its own; groups within it may have none.
  for (const part of svg.querySelectorAll("[aria-label]")) {
    part.dataset.mark = part.getAttribute("aria-label");
    part.removeAttribute("aria-label");
  }
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${figure.querySelector("h2").textContent}. The table below says the same.`);
  // Plot names the parts of a drawing; a name needs a role.
  for (const part of svg.querySelectorAll("g[aria-label]")) part.setAttribute("role", "group");
  place.replaceChildren(svg);
  if (!figure.dataset.drawn) figure.querySelector("details").open = false;
  figure.dataset.drawn = String(width);
  offer(figure);
}

const sizes = new ResizeObserver((entries) => entries.forEach(({ target }) => draw(target)));

function drawAll() {
  for (const figure of document.querySelectorAll("[data-chart]")) {
    draw(figure);
    sizes.observe(figure);
  }
}

drawAll();
document.addEventListener("htmx:afterSettle", drawAll);
