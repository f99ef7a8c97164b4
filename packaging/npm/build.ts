import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stageApp } from "../stage/app.ts";
import { type Platform, stageDependencies } from "../stage/dependencies.ts";

const root = join(import.meta.dirname, "../..");

/**
 * Writes the npm package into `folder`, and returns its path. It bundles Clew's packages and the third-party ones as the other
 * packagings have them, so that npm fetches the platform's Node alone (docs/decisions/0072-stage-and-npm-package.md). With a
 * platform it has no binaries of others, and is built in half of the time.
 */
export function buildNpmPackage(folder: string, platform: Platform | null = null): string {
  const stage = mkdtempSync(join(tmpdir(), "clew-npm-"));
  try {
    stageApp(stage);
    stageDependencies(stage, platform);
    for (const file of ["clew.cjs", "README.md"])
      copyFileSync(join(import.meta.dirname, file), join(stage, file));
    const { name, version, description, license, optionalDependencies } = JSON.parse(
      readFileSync(join(root, "package.json"), "utf8"),
    );
    const manifest = {
      name,
      version,
      private: true,
      description,
      license,
      type: "module",
      bin: { clew: "clew.cjs" },
      dependencies: { "@clew/server": version },
      bundleDependencies: ["@clew/server"],
      optionalDependencies,
    };
    writeFileSync(join(stage, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    return packNpm(stage, folder);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Packs the npm package in `source` into `folder`, and returns the path of the archive. */
export function packNpm(source: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const args = ["pack", source, "--pack-destination", folder, "--json", "--ignore-scripts"];
  const output = execFileSync("npm", args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  const [packed] = JSON.parse(output) as readonly { readonly filename: string }[];
  if (packed === undefined) throw new Error("npm packed nothing");
  return join(folder, packed.filename);
}

if (import.meta.main) {
  const archive = buildNpmPackage(process.argv[2] ?? join(root, "build"));
  console.log(`The package is ${archive}. Install it: npm install --global ${archive}`);
}
