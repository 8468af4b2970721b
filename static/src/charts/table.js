// The data of a chart: the table that stands beside it.

/**
 * Columns and rows of a table. A column has key, kind and title; a row has its values by the keys of the columns:
 * numbers, or null where there is none, texts in columns of
 * text, and moments as ISO 8601. Beside them stands, row by row, how the table words them.
 */
export function read(table) {
  const columns = [...table.tHead.rows[0].cells].map((cell) => ({
    key: cell.dataset.column,
    kind: cell.dataset.kind,
    title: cell.textContent.trim(),
  }));
  const rows = [...table.tBodies[0].rows].map((row) =>
    Object.fromEntries(columns.map(({ key, kind }, place) => [key, valueOf(row.cells[place], kind)])),
  );
  const words = [...table.tBodies[0].rows].map((row) =>
    Object.fromEntries(columns.map(({ key }, place) => [key, row.cells[place].textContent.trim()])),
  );
  return { columns, rows, words };
}

function valueOf(cell, kind) {
  if (kind === "text") return cell.textContent.trim();
  if (!cell.dataset.value) return null;
  return kind === "time" ? cell.dataset.value : Number(cell.dataset.value);
}

const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
// What spreadsheets take for formulas: also behind characters that have no width, and with wide or small signs.
const isFormula = (text) =>
  /^[\s\p{Cc}\p{Cf}]*[=+\-@\u2212]/u.test(text.normalize("NFKC")) && Number.isNaN(Number(text));
const written = (value) => (value === null ? "" : quoted(isFormula(String(value)) ? `'${value}` : String(value)));

/** The rows as CSV (RFC 4180), with numbers as they are and not as the table rounds them. */
export function csv({ columns, rows }) {
  const lines = [columns.map(({ title }) => written(title)), ...rows.map((row) => columns.map(({ key }) => written(row[key])))];
  return lines.map((line) => `${line.join(",")}\r\n`).join("");
}
