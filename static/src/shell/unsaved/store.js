// Records of words that the server does not have yet, kept by this browser for one person. They stay until the words are
// saved or discarded, the person signs out, or a month has passed.
const ROOT = "packwright:unsaved:";
const MOST_CHARACTERS = 2_000_000;
const MOST_AGE_MS = 31 * 24 * 3600 * 1000;

// On pages without a session nothing is kept.
export const person = () => document.body.dataset.person;
const prefix = () => `${ROOT}${person()}:`;

/** @typedef {{id: string, at: number, place: string, [more: string]: any}} Kept what was typed, and where and when (ms) */

/**
 * Whether the record could be kept: it may be too long, or the browser's store full or switched off.
 * @param {Kept} record
 */
export function write(record) {
  const text = JSON.stringify(record);
  if (text.length > MOST_CHARACTERS) return false;
  try {
    localStorage.setItem(prefix() + record.id, text);
  } catch {
    return false;
  }
  return true;
}

function readKey(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** @type {(id: string) => Kept | null} */
export const read = (id) => readKey(prefix() + id);
/** @type {(key: string | null) => string | null} */
export const idOf = (key) => (key?.startsWith(prefix()) ? key.slice(prefix().length) : null);

/** @param {string} id */
export function forget(id) {
  try {
    localStorage.removeItem(prefix() + id);
  } catch {
    // Where nothing can be kept, nothing was.
  }
}

/**
 * All that is kept, the newest first.
 * @returns {Kept[]}
 */
export function all() {
  let keys = [];
  try {
    keys = Object.keys(localStorage).filter((key) => idOf(key));
  } catch {
    // The store may be switched off.
  }
  const records = keys.map(readKey).filter((record) => record?.id);
  for (const record of records) if (Date.now() - record.at > MOST_AGE_MS) forget(record.id);
  return records.filter((record) => Date.now() - record.at <= MOST_AGE_MS).sort((a, b) => b.at - a.at);
}
