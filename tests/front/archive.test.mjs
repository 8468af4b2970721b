import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { archiveOf, archiveOfChosen, packed } from "../../static/src/shell/archive.js";

const LIST = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    bad = archive.testzip()
    print(json.dumps([bad, {each.filename: archive.read(each).decode() for each in archive.infolist()}]))
`;

// What another program reads in the archive: the first damaged file, and texts by path.
async function readBack(archive) {
  const place = mkdtempSync(join(tmpdir(), "archive-"));
  try {
    writeFileSync(join(place, archive.name), Buffer.from(await archive.arrayBuffer()));
    return JSON.parse(execFileSync("python3", ["-c", LIST, join(place, archive.name)], { encoding: "utf8" }));
  } finally {
    rmSync(place, { recursive: true });
  }
}

const entry = (path, text = path) => ({ path, file: new File([text], path.split("/").at(-1)) });

test("an archive holds every file under its path, whatever its name", async () => {
  const paths = ["pack.yaml", "assets/größe 量.txt", "__proto__", "a/empty"];
  const archive = await archiveOf(paths.map((path) => entry(path, path === "a/empty" ? "" : `in ${path}`)), "desk.zip");
  assert.equal(archive.name, "desk.zip");
  assert.equal(archive.type, "application/zip");
  const expected = Object.fromEntries(paths.map((path) => [path, path === "a/empty" ? "" : `in ${path}`]));
  const [bad, texts] = await readBack(archive);
  assert.equal(bad, null);
  assert.deepEqual(Object.entries(texts), Object.entries(expected));
});

test("the same folder gives the same archive", async () => {
  const [one, other] = await Promise.all([archiveOf([entry("a")], "a.zip"), archiveOf([entry("a")], "a.zip")]);
  assert.deepEqual(new Uint8Array(await one.arrayBuffer()), new Uint8Array(await other.arrayBuffer()));
});

test("what the server passes over is left out", async () => {
  const found = [entry("pack.yaml"), entry(".git/config"), entry("a/node_modules/b.js"), entry("__MACOSX/._pack.yaml")];
  const [, texts] = await readBack(await archiveOf(found, "a.zip"));
  assert.deepEqual(Object.keys(texts), ["pack.yaml"]);
});

test("a folder with too many files or bytes is refused", async () => {
  const many = Array.from({ length: 65_535 }, (_, number) => entry(`${number}`));
  await assert.rejects(archiveOf(many, "a.zip"), { name: "RangeError", message: /holds 65535 files/ });
  const large = { path: "large", file: { size: 200_000_001 } };
  await assert.rejects(archiveOf([large], "a.zip"), { name: "RangeError", message: /200 MB/ });
});

test("paths of a chosen folder begin below it", async () => {
  const files = ["desk/pack.yaml", "desk/assets/a.txt"].map((path) => Object.assign(new File(["x"], "x"), { webkitRelativePath: path }));
  const archive = await archiveOfChosen(files);
  assert.equal(archive.name, "desk.zip");
  assert.deepEqual(Object.keys((await readBack(archive))[1]), ["pack.yaml", "assets/a.txt"]);
});

// A folder as browsers give it: its reader gives entries in batches, and none at the end.
function folder(name, batches) {
  const rest = [...batches, []];
  return { name, isDirectory: true, createReader: () => ({ readEntries: (resolve) => resolve(rest.shift()) }) };
}
const leaf = (name) => ({ name, isFile: true, file: (resolve) => resolve(new File([name], name)) });

test("a dropped folder becomes an archive of all its batches, and files stay files", async () => {
  const dropped = [folder("desk", [[leaf("a"), leaf("b")], [folder("deep", [[leaf("c")]])]]), { isFile: true }];
  const single = new File(["x"], "single.yaml");
  const [archive, file] = await packed(dropped, [undefined, single]);
  assert.equal(archive.name, "desk.zip");
  assert.deepEqual(Object.keys((await readBack(archive))[1]), ["a", "b", "deep/c"]);
  assert.equal(file, single);
});
