// The map of a run: all of its cells at once, a line an agent. A click goes to the page of the cases there.
import { offerDrawn } from "./charts/saving.js";
import { LETTERS, blend } from "./charts/shades.js";

const LINE = 12;
const GAP = 1;
/** What the map in the page shows; fetched again when its address or the progress of its run is another. */
let known = { url: "", progress: "", data: { agents: [], shades: [""], page_cases: 1 } };

const box = () => document.getElementById("run-map");

/** The colours of the shades and of cells without one, as the theme has them now. */
function colours(part) {
  const sample = document.createElement("span");
  part.append(sample);
  const found = {};
  for (const [place, letter] of [...LETTERS, "-"].entries()) {
    sample.className = letter === "-" ? "heat" : `heat heat--${place}`;
    found[letter] = getComputedStyle(sample).backgroundColor;
  }
  sample.remove();
  return found;
}

function draw() {
  const part = box();
  if (!part) return;
  part.hidden = false;
  const canvas = part.querySelector("canvas");
  const { shades } = known.data;
  const cases = shades[0]?.length ?? 0;
  const scale = window.devicePixelRatio || 1;
  const width = Math.floor(canvas.clientWidth * scale);
  canvas.width = width;
  canvas.height = (shades.length * (LINE + GAP) - GAP) * scale;
  const pen = canvas.getContext("2d");
  const shown = colours(part);
  const columns = Math.min(cases, width);
  for (const [line, letters] of shades.entries()) {
    for (let column = 0; column < columns; column += 1) {
      const from = Math.floor((column * cases) / columns);
      const letter = blend(letters.slice(from, Math.max(from + 1, Math.floor(((column + 1) * cases) / columns))));
      if (letter === " ") continue;
      const left = Math.floor((column * width) / columns);
      pen.fillStyle = shown[letter];
      pen.fillRect(left, line * (LINE + GAP) * scale, Math.ceil(((column + 1) * width) / columns) - left, LINE * scale);
    }
  }
  const { page_cases: size } = known.data;
  const left = ((Number(part.dataset.page) - 1) * size * width) / cases;
  pen.strokeStyle = getComputedStyle(part).color;
  pen.lineWidth = 2 * scale;
  pen.strokeRect(left, 0, Math.max(4, (size * width) / cases), canvas.height);
}

/** The buttons that save the grid; a page that comes anew has lost them. */
function offerAll() {
  document.querySelectorAll("[data-save][data-svg]").forEach(offerDrawn);
}

async function show() {
  const part = box();
  if (!part) return;
  const { url, progress } = part.dataset;
  if (url !== known.url || progress !== known.progress) {
    const answer = await fetch(url, { headers: { Accept: "application/json" } });
    if (!answer.ok) return;
    known = { url, progress, data: await answer.json() };
  }
  draw();
}

document.addEventListener("click", (event) => {
  const canvas = event.target.closest("#run-map canvas");
  if (!canvas) return;
  const cases = known.data.shades[0].length;
  const place = Math.min(cases - 1, Math.floor((event.offsetX / canvas.clientWidth) * cases));
  const address = new URL(location.href);
  address.searchParams.set("page", String(Math.floor(place / known.data.page_cases) + 1));
  address.hash = "run-map";
  location.assign(address);
});

// While a run is at work its page comes anew all the time, without the drawing; the cells are fetched every few seconds.
let timer = 0;
document.addEventListener("htmx:afterSettle", () => {
  offerAll();
  if (box()?.dataset.url !== known.url) {
    show();
    return;
  }
  draw();
  timer ||= window.setTimeout(() => {
    timer = 0;
    show();
  }, 3000);
});
window.addEventListener("resize", draw);
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
offerAll();
show();
