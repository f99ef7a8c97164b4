import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packNpm } from "../npm/build.ts";

const root = join(import.meta.dirname, "../..");
const client = join(root, "packages/client");

/**
 * Writes the package of the client into `folder`, and returns its path: JavaScript with declarations, which needs no other
 * package. The types of the repository's own package.json lead to its sources.
 */
export function buildClientPackage(folder: string): string {
  const stage = mkdtempSync(join(tmpdir(), "clew-client-"));
  try {
    const dist = join(stage, "dist");
    mkdirSync(dist);
    const tsc = fileURLToPath(import.meta.resolve("typescript/package.json")).replace(
      "package.json",
      "bin/tsc",
    );
    execFileSync(process.execPath, [tsc, "-p", client, "--outDir", dist], { stdio: "inherit" });
    const manifest = {
      ...JSON.parse(readFileSync(join(client, "package.json"), "utf8")),
      exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
      files: ["dist"],
      sideEffects: false,
    };
    writeFileSync(join(stage, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    copyFileSync(join(client, "README.md"), join(stage, "README.md"));
    return packNpm(stage, folder);
  } finally {
    rmSync(stage, { recursive: true });
  }
}

if (import.meta.main) {
  const archive = buildClientPackage(process.argv[2] ?? join(root, "build"));
  console.log(`The package is ${archive}. Install it where it is used: npm install ${archive}`);
}
