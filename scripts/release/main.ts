import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { newestVersion } from "../../packages/server/src/store/migrate.ts";
import { shared } from "../../packages/server/src/store/migrations/shared.ts";
import { describeSize } from "./artifacts.ts";
import { checkoutFaults, publicationFaults, versionOf, writeRelease } from "./release.ts";
import { productionSbom } from "./sbom.ts";

/**
 * Makes the files of a release in build/release: `npm run release -- --dry-run`. Publishes nothing. Without `--dry-run` it refuses
 * while something is to be decided or done before the version can be published.
 */
const root = join(import.meta.dirname, "../..");
const build = join(root, "build");
const { values: options } = parseArgs({ options: { "dry-run": { type: "boolean" } } });

const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" });

function refuse(faults: readonly string[]): never {
  for (const fault of faults) console.error(fault);
  console.error("Nothing was released.");
  process.exit(1);
}

/** The forms in which Clew is released, by their names for `npm run package`. */
const forms = ["npm", "client", "image", "debian"];

function buildArtifacts(): void {
  for (const form of forms) {
    console.log(`npm run package ${form}`);
    const args = [join(root, "scripts/run-program.ts"), "package", form];
    const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
    if (status !== 0) refuse([`npm run package ${form} failed.`]);
  }
}

const tags = git("tag", "--list").split("\n");
const faults = checkoutFaults(root, { status: git("status", "--porcelain"), tags });
if (faults.length > 0) refuse(faults);
const open = publicationFaults(root, newestVersion(shared));
if (options["dry-run"] !== true && open.length > 0) refuse(open);
buildArtifacts();
const commit = git("rev-parse", "HEAD").trim();
const { folder, files } = writeRelease({ root, build, commit, sbom: productionSbom(root) });
for (const { name, bytes } of files) console.log(`${describeSize(bytes).padStart(9)}  ${name}`);
console.log(`Clew ${versionOf(root)} is in ${folder}, with NOTES.md and SHA256SUMS.`);
if (open.length > 0)
  console.log(`It cannot be published yet:\n${open.map((each) => `- ${each}`).join("\n")}`);
