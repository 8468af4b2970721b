// A chart as a file: SVG with its colours in it, PNG at twice its size, or the rows of its table as CSV.
import { csv, read } from "./table.js";

const KINDS = { SVG: "image/svg+xml", PNG: "image/png", CSV: "text/csv" };
const COLOURS = ["fill", "stroke", "color", "font-family", "font-size"];
const SHARPNESS = 2;

/** Buttons that save the chart of a figure. */
export function offer(figure) {
  const place = figure.querySelector("[data-save]");
  if (!place.hidden) return;
  const title = figure.querySelector("h2").textContent;
  place.append(...Object.keys(KINDS).map((kind) => button(figure, kind, title)));
  place.hidden = false;
}

function button(figure, kind, title) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button button--quiet button--small";
  made.textContent = kind;
  made.setAttribute("aria-label", `Download ${title} as ${kind}`);
  made.addEventListener("click", async () => save(await bytes(figure, kind), `${figure.id}.${kind.toLowerCase()}`));
  return made;
}

async function bytes(figure, kind) {
  if (kind === "CSV") return new Blob([csv(read(figure.querySelector("table")))], { type: KINDS.CSV });
  const svg = standing(figure.querySelector("svg"));
  const file = new Blob([svg.text], { type: KINDS.SVG });
  return kind === "SVG" ? file : painted(svg);
}

/** An SVG that looks the same elsewhere: what style sheets give its parts is written into them. */
function standing(svg) {
  const copy = svg.cloneNode(true);
  const parts = [svg, ...svg.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((part, place) => {
    const given = getComputedStyle(parts[place]);
    for (const name of COLOURS) part.setAttribute(name, given.getPropertyValue(name));
  });
  const { width, height } = svg.getBoundingClientRect();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const back = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  back.setAttribute("width", "100%");
  back.setAttribute("height", "100%");
  back.setAttribute("fill", getComputedStyle(svg.closest("figure")).backgroundColor);
  copy.prepend(back);
  return { text: new XMLSerializer().serializeToString(copy), width, height };
}

async function painted({ text, width, height }) {
  const image = new Image();
  image.src = `data:${KINDS.SVG};charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * SHARPNESS;
  canvas.height = height * SHARPNESS;
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")).drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, KINDS.PNG));
}

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
