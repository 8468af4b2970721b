// A picture as a file: SVG with its colours in it, PNG at twice its size, or what it shows as CSV. A chart is drawn in
// the page and read from its table; of what the studio draws, `data-svg` and `data-csv` are the addresses.
import { csv, read } from "./table.js";

const KINDS = { SVG: "image/svg+xml", PNG: "image/png", CSV: "text/csv" };
const COLOURS = ["fill", "stroke", "color", "font-family", "font-size"];
const SHARPNESS = 2;

/** Buttons that save the chart of a figure. */
export function offer(figure) {
  const chart = {
    name: figure.id,
    title: figure.querySelector("h2").textContent,
    svg: () => standing(figure.querySelector("svg")),
    csv: () => csv(read(figure.querySelector("table"))),
  };
  fill(figure.querySelector("[data-save]"), chart);
}

/** Buttons that save what the studio draws. */
export function offerDrawn(place) {
  const { name, title, svg, csv: rows } = place.dataset;
  fill(place, { name, title, svg: async () => sized(await textAt(svg)), csv: () => textAt(rows) });
}

function fill(place, picture) {
  if (!place.hidden) return;
  place.replaceChildren(...Object.keys(KINDS).map((kind) => button(picture, kind)));
  place.hidden = false;
}

async function textAt(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.text();
}

/** A drawn picture with its size. */
function sized(text) {
  const drawn = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return { text, width: Number(drawn.getAttribute("width")), height: Number(drawn.getAttribute("height")) };
}

function button(picture, kind) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button button--quiet button--small";
  made.textContent = kind;
  made.setAttribute("aria-label", `Download ${picture.title} as ${kind}`);
  made.addEventListener("click", async () => save(await bytes(picture, kind), `${picture.name}.${kind.toLowerCase()}`));
  return made;
}

async function bytes(picture, kind) {
  if (kind === "CSV") return new Blob([await picture.csv()], { type: KINDS.CSV });
  const svg = await picture.svg();
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
