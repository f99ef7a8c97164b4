import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const client = join(import.meta.dirname, "../../packages/client");

/**
 * Writes the client into a folder as npm publishes it: JavaScript with declarations, which needs no other package. The types
 * of the repository's own package.json lead to its sources.
 */
export function buildClient(folder: string): void {
  const dist = join(folder, "dist");
  mkdirSync(dist, { recursive: true });
  const tsc = fileURLToPath(import.meta.resolve("typescript/package.json")).replace(
    "package.json",
    "bin/tsc",
  );
  execFileSync(process.execPath, [tsc, "-p", client, "--outDir", dist], { stdio: "inherit" });
  const { private: _, ...manifest } = JSON.parse(readFileSync(join(client, "package.json"), "utf8"));
  const published = {
    ...manifest,
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
    files: ["dist"],
    sideEffects: false,
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  copyFileSync(join(client, "README.md"), join(folder, "README.md"));
}

if (import.meta.main) {
  const folder = process.argv[2] ?? join(client, "build");
  buildClient(folder);
  process.stdout.write(`The package is in ${folder}: npm publish ${folder}\n`);
}
