// A folder as one ZIP file, made in the browser: forms send files without the folders that they stand in.
// Nothing is compressed; what the server passes over anyway is left out.
import { Zip, ZipPassThrough } from "fflate";

const LEFT_OUT = new Set([".git", "__MACOSX", "node_modules", "__pycache__"]);
const MAX_BYTES = 200_000_000;
const MAX_FILES = 65_534;
// 1 January 1980, the oldest day that the format can say: the same folder gives the same archive.
const DAY = new Date(1980, 0, 1);

/**
 * The archive of files by their paths.
 * @param {{path: string, file: File}[]} entries
 * @param {string} name of the archive
 * @returns {Promise<File>}
 * @throws {RangeError} where they are too large or too many
 */
export async function archiveOf(entries, name) {
  const kept = entries.filter(({ path }) => !path.split("/").some((part) => LEFT_OUT.has(part)));
  const size = kept.reduce((total, { file }) => total + file.size, 0);
  if (size > MAX_BYTES || kept.length > MAX_FILES) {
    throw new RangeError(`The folder holds ${kept.length} files of ${Math.round(size / 1e6)} MB, which is too much to pack here. Choose an archive of it.`);
  }
  /** @type {BlobPart[]} */
  const parts = [];
  const zip = new Zip((error, part) => {
    if (error) throw error;
    parts.push(/** @type {BlobPart} */ (part));
  });
  for (const { path, file } of kept) {
    const entry = new ZipPassThrough(path);
    entry.mtime = DAY;
    zip.add(entry);
    entry.push(new Uint8Array(await file.arrayBuffer()), true);
  }
  zip.end();
  return new File(parts, name, { type: "application/zip" });
}

// All files below the entry of a folder that was dropped.
async function below(entry, path) {
  if (entry.isFile) return [{ path, file: await new Promise((resolve, reject) => entry.file(resolve, reject)) }];
  const reader = entry.createReader();
  const found = [];
  // A reader gives a hundred entries at a time, and none when there are no more.
  for (let batch; (batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject))).length; ) {
    for (const child of batch) found.push(...(await below(child, path ? `${path}/${child.name}` : child.name)));
  }
  return found;
}

// What was dropped, with each folder among it as an archive of its own.
export async function packed(entries, files) {
  const shown = [];
  for (const [at, entry] of entries.entries()) {
    if (entry?.isDirectory) shown.push(await archiveOf(await below(entry, ""), `${entry.name}.zip`));
    else if (files[at]) shown.push(files[at]);
  }
  return shown;
}

// The archive of what an input for folders gives; paths begin with the name of the folder.
export function archiveOfChosen(files) {
  const root = files[0].webkitRelativePath.split("/")[0];
  const entries = [...files].map((file) => ({ path: file.webkitRelativePath.slice(root.length + 1), file }));
  return archiveOf(entries, `${root}.zip`);
}
