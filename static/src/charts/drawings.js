// What the kinds of charts look like. Data come as `read` of table.js gives them.
import { axisX, axisY, dot, gridX, gridY, line, link, plot, rectY, text } from "@observablehq/plot";

const LABEL = 13;
// About how wide a letter of a label is.
const LETTER = 6.6;
const MOST_LETTERS = 28;
const DRAWINGS = { intervals, bins, tradeoff };
const PLAIN = { className: "plot", style: { fontSize: "12px" } };
const percent = (value) => `${Math.round(value * 100)} %`;
const short = (name) => (name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS - 1)}…` : name);

/** The SVG element of a chart of a kind, so many pixels wide. */
export function drawing(kind, data, width) {
  return DRAWINGS[kind](data, width);
}

/** Room for names at the left, at most a third of the width. */
function margin(names, width) {
  return Math.min(width / 3, 16 + LETTER * Math.max(0, ...names.map((name) => short(name).length)));
}

/** Values with their intervals: a dot and a line for each row. */
function intervals({ rows }, width) {
  const names = rows.map(({ label }) => label);
  const described = (row) => `${row.label}: ${percent(row.value)}${row.low === null ? "" : `, ${percent(row.low)} to ${percent(row.high)}`}`;
  return plot({
    ...PLAIN,
    width,
    marginTop: 8,
    height: 38 + 30 * rows.length,
    marginLeft: margin(names, width),
    marginRight: 56,
    x: { domain: [0, 1], label: null },
    y: { domain: names, label: null },
    marks: [
      gridX({ ticks: 5 }),
      axisX({ ticks: 5, tickFormat: percent }),
      axisY({ tickSize: 0, tickFormat: short, fontSize: LABEL }),
      link(rows.filter(({ low }) => low !== null), { x1: "low", x2: "high", y1: "label", y2: "label", stroke: "var(--accent)", strokeWidth: 2.5 }),
      dot(rows, { x: "value", y: "label", r: 5, fill: "var(--accent)", title: described }),
      text(rows, { x: 1, y: "label", text: ({ value }) => percent(value), textAnchor: "start", dx: 10, fill: "var(--text)", fontSize: LABEL }),
    ],
  });
}

/** How many rows lie in each range: a histogram for each series, one above the other on the same axis. */
function bins({ columns, rows }, width) {
  const series = columns.slice(2);
  const unit = columns[0].title.match(/\((.*)\)/)?.[1];
  const bars = series.flatMap(({ key, title }) => rows.map((row) => ({ from: row.from, to: row.to, count: row[key], title })));
  const names = series.map(({ title }) => title);
  return plot({
    ...PLAIN,
    width,
    height: 50 + 76 * series.length,
    marginLeft: 46,
    marginRight: 16,
    x: { label: unit ?? null, zero: true },
    y: { label: null },
    fy: { domain: names, label: null, axis: null, padding: 0.18 },
    marks: [
      gridY({ ticks: 2 }),
      axisX({ ticks: Math.max(3, Math.round(width / 90)) }),
      axisY({ ticks: 2 }),
      rectY(bars, {
        fy: "title", x1: "from", x2: "to", y: "count", fill: "var(--accent)", insetLeft: 0.5, insetRight: 0.5,
        title: (bar) => `${bar.title}: ${bar.count} from ${bar.from} to ${bar.to}`,
      }),
      text(names, { fy: (name) => name, text: short, frameAnchor: "top-right", dy: -4, fill: "var(--text)", fontSize: LABEL }),
    ],
  });
}

/** Cost against quality: a dot a row, and a line through those that are efficient. */
function tradeoff({ columns, rows }, width) {
  const most = Math.max(...rows.map(({ cost }) => cost));
  const front = rows.filter((row) => row.front === "yes").sort((one, other) => one.cost - other.cost);
  return plot({
    ...PLAIN,
    width,
    height: 300,
    marginLeft: 52,
    marginRight: 24,
    marginTop: 28,
    marginBottom: 40,
    x: { domain: [0, most * 1.15 || 1], label: columns[1].title },
    y: { domain: [0, 1], label: columns[2].title },
    marks: [
      gridX(),
      gridY({ ticks: 5 }),
      axisX({ ticks: Math.max(3, Math.round(width / 110)) }),
      axisY({ ticks: 5, tickFormat: percent }),
      line(front, { x: "cost", y: "quality", stroke: "var(--accent)", strokeDasharray: "4 3" }),
      dot(rows, {
        x: "cost", y: "quality", r: 6, stroke: "var(--accent)", strokeWidth: 2,
        fill: ({ front: is }) => (is === "yes" ? "var(--accent)" : "var(--surface)"),
        title: (row) => `${row.label}: ${percent(row.quality)} at ${row.cost}`,
      }),
      text(rows, {
        x: "cost", y: "quality", text: ({ label }) => short(label), fill: "var(--text)", stroke: "var(--surface)", strokeWidth: 4,
        dy: -14, fontSize: LABEL,
      }),
    ],
  });
}

