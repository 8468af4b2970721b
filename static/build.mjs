// Bundle every entry of static/src (each .js and .css directly in that folder) and the icon sprite into static/dist.
import { copyFileSync, readdirSync, readFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, context } from "esbuild";

const root = dirname(fileURLToPath(import.meta.url));
const source = join(root, "src");
const target = join(root, "dist");
const icons = join(root, "..", "node_modules", "lucide-static", "icons");

function writeSprite() {
  const names = readFileSync(join(source, "icons.txt"), "utf8").split("\n").filter(Boolean);
  const symbols = names.map((name) => {
    const svg = readFileSync(join(icons, `${name}.svg`), "utf8");
    const body = svg.slice(svg.indexOf(">", svg.indexOf("<svg")) + 1, svg.lastIndexOf("</svg>"));
    return `<symbol id="${name}" viewBox="0 0 24 24">${body.replace(/\s*\n\s*/g, "")}</symbol>`;
  });
  writeFileSync(
    join(target, "icons.svg"),
    `<!-- Lucide icons, ISC licence, https://lucide.dev -->\n<svg xmlns="http://www.w3.org/2000/svg">${symbols.join("")}</svg>\n`,
  );
}

/** Name, version and licence of every package that is part of the bundles, beside them: `manage.py licences` lists them. */
function writePackages(metafile) {
  const files = [...Object.keys(metafile.inputs), "node_modules/lucide-static/icons"];
  const names = files.filter((file) => file.includes("node_modules/")).map(packageOf);
  const packages = [...new Set(names)].sort().map((name) => {
    const { version, license } = JSON.parse(readFileSync(join(root, "..", "node_modules", name, "package.json"), "utf8"));
    return { name, version, licence: license };
  });
  writeFileSync(join(target, "packages.json"), `${JSON.stringify(packages, null, 1)}\n`);
}

function packageOf(file) {
  const parts = file.split("node_modules/").at(-1).split("/");
  return parts.slice(0, parts[0].startsWith("@") ? 2 : 1).join("/");
}

const options = {
  entryPoints: readdirSync(source).filter((name) => /\.(js|css)$/.test(name)).map((name) => join(source, name)),
  outdir: target,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  sourcemap: false,
  metafile: true,
  legalComments: "linked",
  loader: { ".woff2": "file" },
  assetNames: "fonts/[name]",
  logLevel: "warning",
};

mkdirSync(target, { recursive: true });
writeSprite();
copyFileSync(join(source, "favicon.svg"), join(target, "favicon.svg"));
if (process.argv.includes("--watch")) {
  await (await context(options)).watch();
} else {
  writePackages((await build(options)).metafile);
}
