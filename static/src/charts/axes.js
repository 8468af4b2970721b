// What stands at axes, also where values are few, equal, very small or very large.
// An axis of time is at least so long, in milliseconds: a single moment has no length, and its ticks would be fractions of a second.
const SHORTEST = 3600e3;
// Between the names of two lines there are at least so many pixels.
const APART = 30;
const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });

/** A number in few letters: 0.25, 1,500, 12.5K, 3M, 2e-7. */
export function brief(value) {
  const size = Math.abs(value);
  if (size >= 10_000) return COMPACT.format(value);
  if (size && size < 0.0001) return Number(value.toPrecision(3)).toExponential();
  return value.toLocaleString("en", size >= 1000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });
}

/** From when to when an axis goes that shows these moments. */
export function span(moments) {
  const times = moments.map((at) => at.getTime());
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const room = Math.max(0, SHORTEST - (last - first)) / 2;
  return [new Date(first - room), new Date(last + room)];
}

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** The day of a short axis of time, whose ticks say hours alone; null for a longer one, whose ticks say days.
 * @param {Date[]} ends */
export function day(ends) {
  const [first, last] = ends;
  return last.getTime() - first.getTime() < 2 * 86_400e3 ? `${DAY.format(last)}, UTC` : null;
}

/** Those of things, the last first, whose names do not lie on each other; `pixel` says where one stands. */
export function spaced(things, pixel) {
  const kept = [];
  for (const thing of [...things].reverse()) if (kept.every((other) => Math.abs(pixel(other) - pixel(thing)) >= APART)) kept.push(thing);
  return kept;
}
