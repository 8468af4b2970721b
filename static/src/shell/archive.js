// A folder as one ZIP file, made in the browser: forms send files without the folders that they stand in.
// Nothing is compressed; what the server passes over anyway is left out.
const LEFT_OUT = new Set([".git", "__MACOSX", "node_modules", "__pycache__"]);
const MAX_BYTES = 200_000_000;
const UTF8 = 0x0800;
// 1 January 1980, the oldest day that the format can tell.
const DAY = 0x21;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

function checksum(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = TABLE[(value ^ byte) & 0xff] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

function record(signature, fields) {
  const size = fields.reduce((total, [bytes]) => total + bytes, 4);
  const view = new DataView(new ArrayBuffer(size));
  view.setUint32(0, signature, true);
  let at = 4;
  for (const [bytes, value] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

// What both records of a file say of it: version, flags, method, time, day, checksum, sizes, length of the name.
function facts(entry) {
  return [
    [2, 20], [2, UTF8], [2, 0], [2, 0], [2, DAY], [4, entry.sum],
    [4, entry.bytes.length], [4, entry.bytes.length], [2, entry.name.length], [2, 0],
  ];
}

// The archive of entries `{path, file}`; throws a RangeError where they are too large or too many.
export async function archiveOf(entries, name) {
  const kept = entries.filter(({ path }) => !path.split("/").some((part) => LEFT_OUT.has(part)));
  const size = kept.reduce((total, { file }) => total + file.size, 0);
  if (size > MAX_BYTES || kept.length > 0xfffe) {
    throw new RangeError(`The folder holds ${kept.length} files of ${Math.round(size / 1e6)} MB; that is too much to be packed here. Choose an archive of it.`);
  }
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const { path, file } of kept) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const entry = { name: new TextEncoder().encode(path), bytes, sum: checksum(bytes) };
    const head = record(0x04034b50, facts(entry));
    const place = [[2, 0], [2, 0], [2, 0], [4, 0], [4, offset]];
    directory.push(record(0x02014b50, [[2, 20], ...facts(entry), ...place]), entry.name);
    parts.push(head, entry.name, bytes);
    offset += head.length + entry.name.length + bytes.length;
  }
  const length = directory.reduce((total, part) => total + part.length, 0);
  const count = [2, kept.length];
  const end = record(0x06054b50, [[2, 0], [2, 0], count, count, [4, length], [4, offset], [2, 0]]);
  return new File([...parts, ...directory, end], name, { type: "application/zip" });
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
