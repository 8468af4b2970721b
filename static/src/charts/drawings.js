// What the kinds of charts look like. Data come as `read` of table.js gives them.
import { areaY, axisX, axisY, barX, dodgeY, dot, gridX, gridY, line, link, plot, rectY, ruleX, ruleY, text } from "@observablehq/plot";
import { brief, day, spaced, span } from "./axes.js";
import { placed } from "./labels.js";

const LABEL = 13;
// About how wide a letter of a label is.
const LETTER = 6.6;
// Between a name and its row.
const BESIDE = 16;
const MOST_LETTERS = 28;
const WORDED = ["bytes", "wait"];
const DRAWINGS = { intervals, bins, kinds, tradeoff, trend, items, gaps };
const PLAIN = { className: "plot", style: { fontSize: "12px" } };
const percent = (value) => `${Math.round(value * 100)} %`;
const cut = (name, most) => (name.length > most ? `${name.slice(0, most - 1)}…` : name);
const short = (name) => cut(name, MOST_LETTERS);
const whole = (value) => (Number.isInteger(value) ? brief(value) : "");

/** The SVG element of a chart of a kind, so many pixels wide. */
export function drawing(kind, data, width) {
  return DRAWINGS[kind](data, width);
}

/** Room for names at the left, at most a third of the width. */
function margin(names, width) {
  return Math.min(width / 3, BESIDE + LETTER * Math.max(0, ...names.map((name) => short(name).length)));
}

/** How names are written that have so much room. */
function fitted(room) {
  const letters = Math.min(MOST_LETTERS, Math.round((room - BESIDE) / LETTER));
  return (name) => cut(name, letters);
}

/** Values with their intervals: a dot and a line for each row. */
function intervals({ rows }, width) {
  const names = rows.map(({ label }) => label);
  const left = margin(names, width);
  const described = (row) => `${row.label}: ${percent(row.value)}${row.low === null ? "" : `, ${percent(row.low)} to ${percent(row.high)}`}`;
  return plot({
    ...PLAIN,
    width,
    marginTop: 8,
    height: 38 + 30 * rows.length,
    marginLeft: left,
    marginRight: 56,
    x: { domain: [0, 1], label: null },
    y: { domain: names, label: null },
    marks: [
      gridX({ ticks: 5 }),
      axisX({ ticks: 5, tickFormat: percent }),
      axisY({ tickSize: 0, tickFormat: fitted(left), fontSize: LABEL }),
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
  const [begin, end] = [rows[0].from, rows.at(-1).to];
  return plot({
    ...PLAIN,
    width,
    height: 66 + 84 * series.length,
    marginTop: 26,
    marginBottom: 36,
    marginLeft: 46,
    marginRight: 16,
    x: { label: unit ?? null, zero: begin <= end - begin },
    y: { label: null },
    fy: { domain: names, label: null, axis: null, padding: 0.26 },
    marks: [
      gridY({ ticks: 2 }),
      axisX({ ticks: Math.max(3, Math.round(width / 90)), tickFormat: brief }),
      axisY({ ticks: 2, tickFormat: whole }),
      rectY(bars, {
        fy: "title", x1: "from", x2: "to", y: "count", fill: "var(--accent)", insetLeft: 0.5, insetRight: 0.5,
        title: (bar) => `${bar.title}: ${bar.count} from ${bar.from} to ${bar.to}`,
      }),
      text(names, { fy: (name) => name, text: short, frameAnchor: "top-left", dy: -13, fill: "var(--text)", fontSize: LABEL }),
    ],
  });
}

/** How much there is of each kind: a group of bars for each series. Bytes and waits read as in the table, without an axis. */
function kinds({ columns, rows, words }, width) {
  const series = columns.slice(1);
  const names = rows.map(({ label }) => label);
  const left = margin(names, width);
  const isCounted = series.every(({ kind }) => kind === "count");
  const isWorded = series.some(({ kind }) => WORDED.includes(kind));
  const bars = series.flatMap(({ key, title }) =>
    rows.map((row, at) => ({ label: row.label, count: row[key], title, words: isWorded ? words[at][key] : brief(row[key]) })),
  );
  return plot({
    ...PLAIN,
    width,
    height: 40 + series.length * (26 + 22 * rows.length),
    marginLeft: left,
    marginRight: isWorded ? 80 : 40,
    x: { label: null, domain: [0, Math.max(...bars.map(({ count }) => count)) || 1] },
    y: { domain: names, label: null },
    fy: { domain: series.map(({ title }) => title), label: null, axis: null, padding: 0.3 },
    marks: [
      ...(isWorded ? [axisX({ ticks: [] })] : [gridX({ ticks: 4 }), axisX({ ticks: 4, tickFormat: isCounted ? whole : brief })]),
      axisY({ tickSize: 0, tickFormat: fitted(left) }),
      barX(bars, { fy: "title", x: "count", y: "label", fill: "var(--accent)", insetTop: 2, insetBottom: 2, title: (bar) => `${bar.title}, ${bar.label}: ${bar.words}` }),
      text(bars, { fy: "title", x: "count", y: "label", text: "words", textAnchor: "start", dx: 6, fill: "var(--text)" }),
      text(series, { fy: "title", text: ({ title }) => short(title), frameAnchor: "top-right", dy: -12, fill: "var(--text)", fontSize: LABEL }),
    ],
  });
}

/** Cost against quality: a dot a row, and a line through those that are efficient. */
function tradeoff({ columns, rows }, width) {
  const most = Math.max(...rows.map(({ cost }) => cost)) * 1.15 || 1;
  const front = rows.filter((row) => row.front === "yes").sort((one, other) => one.cost - other.cost);
  const [height, left, right, top, bottom] = [316, 52, 24, 44, 40];
  const points = rows.map(({ label, cost, quality }) => ({
    x: left + (cost / most) * (width - left - right),
    y: top + (1 - quality) * (height - top - bottom),
    length: short(label).length * LETTER,
  }));
  // Above all names stands that of the axis.
  const names = placed(points.map((point) => ({ ...point, y: point.y - LABEL - 6 })), width, height - bottom + 15 - LABEL - 6);
  return plot({
    ...PLAIN,
    width,
    height,
    marginLeft: left,
    marginRight: right,
    marginTop: top,
    marginBottom: bottom,
    x: { domain: [0, most], label: columns[1].title },
    y: { domain: [0, 1], label: columns[2].title },
    marks: [
      gridX(),
      gridY({ ticks: 5 }),
      axisX({ ticks: Math.max(3, Math.round(width / 110)), tickFormat: brief }),
      axisY({ ticks: 5, tickFormat: percent }),
      line(front, { x: "cost", y: "quality", stroke: "var(--accent)", strokeDasharray: "4 3" }),
      dot(rows, {
        x: "cost", y: "quality", r: 6, stroke: "var(--accent)", strokeWidth: 2,
        fill: ({ front: is }) => (is === "yes" ? "var(--accent)" : "var(--surface)"),
        title: (row) => `${row.label}: ${percent(row.quality)} at ${row.cost}`,
      }),
      ...rows.map((row, at) => names[at] && text([row], {
        x: "cost", y: "quality", text: ({ label }) => short(label), fill: "var(--text)", stroke: "var(--surface)", strokeWidth: 4,
        ...names[at], fontSize: LABEL,
      })),
    ],
  });
}


/** A value over time: a panel for each label, one above the other, with its interval and a line where a version is new. */
function trend({ columns, rows }, width) {
  const { kind } = columns.find(({ key }) => key === "value");
  const points = rows.map((row) => ({ ...row, at: new Date(row.at), published: new Date(row.published) }));
  const names = [...new Set(points.map(({ label }) => label))];
  const [left, right] = [52, 56];
  const first = new Date(Math.min(...points.map(({ at }) => at.getTime())));
  const domain = span(points.map(({ at }) => at));
  const [begin, end] = domain.map((at) => at.getTime());
  const pixel = (at) => left + ((at.getTime() - begin) / (end - begin)) * (width - left - right);
  const releases = [...new Map(points.map(({ version, published }) => [version, published]))].map(([version, published]) => ({
    version,
    at: published < first ? first : published,
  }));
  const named = spaced(releases, ({ at }) => pixel(at));
  const lone = points.filter(({ label, low }) => typeof low === "number" && points.filter((other) => other.label === label).length === 1);
  const written = kind === "share" ? percent : brief;
  const most = Math.max(...points.map(({ value }) => value));
  const described = (row) => `${row.label}, ${row.run ? `run ${row.run}, ` : ""}version ${row.version}: ${written(row.value)}`;
  return plot({
    ...PLAIN,
    width,
    height: 94 + 96 * names.length,
    marginTop: 42,
    marginBottom: 42,
    marginLeft: left,
    marginRight: right,
    x: { type: "utc", label: null, domain },
    y: { domain: [0, kind === "share" ? 1 : most * 1.1 || 1], label: null },
    fy: { domain: names, label: null, axis: null, padding: 0.25 },
    marks: [
      gridY({ ticks: 2 }),
      axisX({ ticks: Math.max(2, Math.round(width / 160)), label: day(domain), labelArrow: "none" }),
      axisY({ ticks: 2, tickFormat: written }),
      ruleX(releases, { x: "at", stroke: "var(--line-strong)", strokeDasharray: "3 3" }),
      text(named, { x: "at", fy: () => names[0], text: ({ version }) => `v${version}`, frameAnchor: "top", dy: -32, fill: "var(--muted)" }),
      areaY(points.filter(({ low }) => typeof low === "number"), { fy: "label", x: "at", y1: "low", y2: "high", z: "label", fill: "var(--accent)", fillOpacity: 0.15 }),
      ruleX(lone, { fy: "label", x: "at", y1: "low", y2: "high", stroke: "var(--accent)", strokeWidth: 2.5 }),
      line(points, { fy: "label", x: "at", y: "value", z: "label", stroke: "var(--accent)", strokeWidth: 2 }),
      dot(points, { fy: "label", x: "at", y: "value", r: 4, fill: "var(--accent)", title: described }),
      text(names, { fy: (name) => name, text: short, frameAnchor: "top-left", dy: -13, fill: "var(--text)", fontSize: LABEL }),
      text(names.map((name) => points.findLast(({ label }) => label === name)), { fy: "label", x: "at", y: "value", text: ({ value }) => written(value), textAnchor: "start", dx: 9, fill: "var(--text)", fontSize: LABEL }),
    ],
  });
}

/** Difficulty against discrimination: a dot a case, hollow unless something is to be said of it. */
function items({ rows }, width) {
  const known = rows.filter(({ discrimination }) => discrimination !== null);
  if (known.length === 0) return difficulties(rows, width);
  const marks = { "weaker agents pass it more often": "times", flaky: "circle", "": "circle" };
  const described = (row) =>
    `${row.label}: mean pass rate ${percent(row.difficulty)}, correlation ${row.discrimination.toFixed(2)}${row.kind ? `, ${row.kind}` : ""}`;
  return plot({
    ...PLAIN,
    width,
    height: 340,
    marginLeft: 46,
    marginRight: 20,
    marginTop: 24,
    marginBottom: 40,
    symbol: { domain: ["circle", "times"], range: ["circle", "times"] },
    x: { domain: [0, 1], label: "Difficulty (mean pass rate)" },
    y: { domain: [-1, 1], label: "Discrimination" },
    marks: [
      gridX({ ticks: 5 }),
      gridY({ ticks: 5 }),
      axisX({ ticks: 5, tickFormat: percent }),
      axisY({ ticks: 5 }),
      ruleY([0], { stroke: "var(--line-strong)" }),
      link(known.filter(({ low }) => low !== null), { x1: "difficulty", x2: "difficulty", y1: "low", y2: "high", stroke: "var(--accent)", strokeOpacity: 0.18 }),
      dot(known, {
        x: "difficulty", y: "discrimination", r: 4, symbol: ({ kind }) => marks[kind] ?? "circle", stroke: "var(--accent)", strokeWidth: 1.5,
        fill: ({ kind }) => (kind ? "var(--accent)" : "var(--surface)"), title: described,
      }),
      text(rows.length > known.length ? [`${rows.length - known.length} without a correlation: see the table`] : [], {
        frameAnchor: "bottom-right", dy: -8, dx: -6, fill: "var(--muted)",
      }),
    ],
  });
}

/** How hard cases are, where no correlation is known of any: dots above the axis. */
function difficulties(rows, width) {
  return plot({
    ...PLAIN,
    width,
    height: 170,
    marginLeft: 20,
    marginRight: 20,
    marginTop: 34,
    marginBottom: 40,
    x: { domain: [0, 1], label: "Difficulty (mean pass rate)" },
    marks: [
      gridX({ ticks: 5 }),
      axisX({ ticks: 5, tickFormat: percent }),
      dot(rows, dodgeY({ x: "difficulty", r: 4, fill: "var(--accent)", title: (row) => `${row.label}: mean pass rate ${percent(row.difficulty)}` })),
      text(["No case has a correlation: that takes three agents whose results differ."], {
        // In ems.
        lineWidth: (width - 40) / 11,
        frameAnchor: "top-left",
        dy: -26,
        fill: "var(--muted)",
      }),
    ],
  });
}

/** Differences around 0: a bar for each row. */
function gaps({ columns, rows }, width) {
  const names = rows.map(({ label }) => label);
  const left = margin(names, width);
  return plot({
    ...PLAIN,
    width,
    height: 70 + 22 * rows.length,
    marginLeft: left,
    marginRight: 20,
    marginTop: 24,
    marginBottom: 40,
    x: { domain: [-1, 1], label: columns[1].title },
    y: { domain: names, label: null },
    marks: [
      gridX({ ticks: 5 }),
      axisX({ ticks: 5, tickFormat: (value) => `${Math.round(value * 100)}` }),
      axisY({ tickSize: 0, tickFormat: fitted(left) }),
      barX(rows, { x: "value", y: "label", fill: "var(--accent)", insetTop: 3, insetBottom: 3, title: (row) => `${row.label}: ${Math.round(row.value * 100)} points` }),
      ruleX([0], { stroke: "var(--line-strong)" }),
    ],
  });
}
