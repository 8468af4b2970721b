// Loads suites with AgentV's own loader: `node load.mjs ANSWER`, with {path: root} as JSON on standard input, where a
// root is the folder up to which a suite looks for files. ANSWER gets {path: {tests} or {refused}}.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const dist = path.join(path.dirname(fileURLToPath(import.meta.url)), "node_modules", "agentv", "dist");
const core = await import(path.join(dist, readdirSync(dist).find((name) => /^dist-.*\.js$/.test(name))));
const found = {};
for (const [suite, root] of Object.entries(JSON.parse(readFileSync(0, "utf8")))) {
  try {
    found[suite] = { tests: (await core.loadTestSuite(suite, root)).tests };
  } catch (error) {
    found[suite] = { refused: String(error.message ?? error) };
  }
}
writeFileSync(process.argv[2], JSON.stringify(found));
