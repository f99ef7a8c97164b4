import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { lockedPackages, type Platform } from "./dependencies.ts";

const root = join(import.meta.dirname, "../..");

/** The files of a platform's Node. */
interface NodeFiles {
  readonly binary: string;
  readonly license: string;
}

/**
 * Finds the Node of a platform: where this machine has it installed, otherwise as npm gets it from its cache or the registry.
 * A fetched package is kept for the next time. Throws if its digest is not the one in package-lock.json.
 */
export function nodeOf(platform: Platform): NodeFiles {
  const name = `node-${platform}`;
  const installed = join(root, "node_modules", name);
  const folder = existsSync(join(installed, "bin/node")) ? installed : fetchedPackage(name);
  return { binary: join(folder, "bin/node"), license: join(folder, "LICENSE") };
}

function fetchedPackage(name: string): string {
  const { version, integrity } = lockedPackages()[`node_modules/${name}`] ?? {};
  if (version === undefined) throw new Error(`package-lock.json has no ${name}`);
  const folder = join(root, "node_modules/.cache/node", `${name}-${version}`);
  if (existsSync(folder)) return folder;
  const scratch = mkdtempSync(join(tmpdir(), "clew-node-"));
  try {
    const pack = ["pack", `${name}@${version}`, "--prefer-offline", "--pack-destination", scratch];
    execFileSync("npm", pack, { stdio: ["ignore", "ignore", "inherit"] });
    const archive = join(scratch, `${name}-${version}.tgz`);
    const digest = createHash("sha512").update(readFileSync(archive)).digest("base64");
    if (`sha512-${digest}` !== integrity)
      throw new Error(`${name} ${version} is not the package that package-lock.json names`);
    mkdirSync(dirname(folder), { recursive: true });
    // Beside its place, so that renaming it is one step.
    const unpacked = mkdtempSync(`${folder}-`);
    const wanted = ["package/bin/node", "package/LICENSE"];
    execFileSync("tar", ["xzf", archive, "-C", unpacked, "--strip-components=1", ...wanted]);
    if (existsSync(folder)) rmSync(unpacked, { recursive: true });
    else renameSync(unpacked, folder);
    return folder;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
