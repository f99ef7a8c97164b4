import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Artifact, describe, describeSize, findArtifacts, imageDigest } from "./artifacts.ts";
import { sectionOf } from "./changelog.ts";
import type { Sbom } from "./sbom.ts";
import { versionsTable } from "./versions.ts";

/** Inputs of a release besides the files of the checkout. */
interface ReleaseInput {
  /** The checkout. */
  readonly root: string;
  /** The folder of the artefacts, and of `release/`. */
  readonly build: string;
  /** The commit, in full. */
  readonly commit: string;
  readonly sbom: Sbom;
}

interface Manifest {
  readonly version: string;
  readonly private?: boolean;
  readonly license?: string;
}

const readManifest = (path: string) => JSON.parse(readFileSync(path, "utf8")) as Manifest;

export const versionOf = (root: string): string => readManifest(join(root, "package.json")).version;

/** Says why no release can be made of a checkout, a sentence each. `status` is what git says of it, and `tags` its tags. */
export function checkoutFaults(
  root: string,
  { status, tags }: { status: string; tags: readonly string[] },
): string[] {
  const version = versionOf(root);
  const faults: string[] = [];
  if (status.trim() !== "")
    faults.push(`The checkout has changes that are not committed:\n${status.trimEnd()}`);
  if (tags.includes(`v${version}`))
    faults.push(`Version ${version} is released: the tag v${version} exists.`);
  for (const path of globSync("packages/*/package.json", { cwd: root }).sort()) {
    const own = readManifest(join(root, path)).version;
    if (own !== version) faults.push(`${path} has version ${own}, and package.json ${version}.`);
  }
  try {
    sectionOf(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version);
  } catch (error) {
    faults.push(`${error instanceof Error ? error.message : error}.`);
  }
  return faults;
}

/** Says what is still to be decided or done before a version can be published, a sentence each. A dry run does not need it. */
export function publicationFaults(root: string, newestSchema: number): string[] {
  const { version, license, private: isPrivate } = readManifest(join(root, "package.json"));
  const faults: string[] = [];
  if (license === undefined || license === "UNLICENSED" || !existsSync(join(root, "LICENSE")))
    faults.push("No licence is chosen: package.json says UNLICENSED, or there is no file LICENSE.");
  if (isPrivate === true)
    faults.push("No names are chosen under which packages and image are published: package.json is private.");
  if (sectionOf(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version).date === null)
    faults.push(`CHANGELOG.md has no date for ${version}.`);
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  if (read("docs/openapi.json") !== read("docs/openapi-released.json"))
    faults.push("docs/openapi-released.json is not this version's document: run npm run docs:release.");
  for (const database of ["sqlite", "postgres"])
    if (!existsSync(join(root, `test/upgrade/fixtures/${database}-${newestSchema}.sql`)))
      faults.push(
        `No test opens a database of schema ${newestSchema}: make the fixture ${database}-${newestSchema} with test/upgrade/make-fixture.ts.`,
      );
  return faults;
}

/**
 * Writes the files of a release to `release/` in the folder of its artefacts: those, CHANGELOG.md, the list of packages, the notes,
 * and SHA256SUMS. Throws if an artefact is missing, or for another architecture than it says.
 */
export function writeRelease({ root, build, commit, sbom }: ReleaseInput): {
  readonly folder: string;
  readonly files: readonly Artifact[];
} {
  const version = versionOf(root);
  const { artifacts, faults } = findArtifacts(build, version);
  if (faults.length > 0) throw new Error(`The artefacts are not complete:\n${faults.join("\n")}`);
  const folder = join(build, "release");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { path, name } of artifacts) copyFileSync(path, join(folder, name));
  const section = sectionOf(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version);
  const write = (name: string, text: string, note: string): Artifact => {
    writeFileSync(join(folder, name), text);
    return describe(join(folder, name), note);
  };
  const files = [
    ...artifacts,
    write(
      `clew-${version}.cdx.json`,
      `${JSON.stringify(sbom, null, 2)}\n`,
      "packages that Clew contains (CycloneDX)",
    ),
    write("CHANGELOG.md", `# Clew ${version}\n\n${section.text}\n`, "changes"),
  ];
  const notes = write(
    "NOTES.md",
    notesOf({ version, commit, files, digest: imageDigest(build), changes: section.text }),
    "",
  );
  write("SHA256SUMS", [...files, notes].map(({ sha256, name }) => `${sha256}  ${name}\n`).join(""), "");
  return { folder, files };
}

interface Notes {
  readonly version: string;
  readonly commit: string;
  readonly files: readonly Artifact[];
  readonly digest: string;
  readonly changes: string;
}

function notesOf({ version, commit, files, digest, changes }: Notes): string {
  const rows = files.map(
    ({ name, bytes, sha256, note }) => `| \`${name}\` | ${note} | ${describeSize(bytes)} | \`${sha256}\` |`,
  );
  return `# Clew ${version}

Commit ${commit}. The image of both architectures has the digest \`${digest}\`.

| file | content | size | SHA-256 |
|---|---|---|---|
${rows.join("\n")}

Check the files with \`sha256sum --check SHA256SUMS\`. The image for arm64 is built, and not tried.

## What it opens

${versionsTable()}

Before an upgrade, \`clew upgrade --check\` says what will happen to your database. docs/upgrade.md has the steps, and the way back.

## Changes

${changes}
`;
}
