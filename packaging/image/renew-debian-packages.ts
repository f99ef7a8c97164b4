import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { architectures as named } from "../stage/dependencies.ts";
import { type DebianPackage, digest, fetchDebianPackage, lockFile } from "./debian.ts";

/** Debian's stable release, with security updates until August 2028. */
const release = "trixie";

const architectures = Object.values(named);

/** The libraries that Node and better-sqlite3 load, with their licences (gcc-14-base), and the system's name. */
const ofArchitecture = ["base-files", "gcc-14-base", "libc6", "libgcc-s1", "libstdc++6"];

const ofAll = ["ca-certificates"];

/**
 * Writes debian-packages.json with the latest versions of the release, and returns a line for each package. apt checks the
 * signatures of Debian's lists, by the keys of the package debian-archive-keyring.
 */
function renewDebianPackages(): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "clew-apt-"));
  try {
    const apt = aptIn(folder);
    apt("update");
    const wanted = architectures.flatMap((each) => ofArchitecture.map((name) => `${name}:${each}`));
    const found = parseUris(apt("download", "--print-uris", ...ofAll, ...wanted));
    const packages = found.map((each) => ({ ...each, sha1: digest("sha1", fetchDebianPackage(each)) }));
    writeFileSync(lockFile, `${JSON.stringify({ release, packages }, null, 2)}\n`);
    return packages.map(({ name, version, architecture }) => `${name} ${version} ${architecture}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A function that runs apt-get with lists of its own in a folder, and returns its output. */
function aptIn(folder: string): (...args: readonly string[]) => string {
  for (const each of ["lists/partial", "cache/archives/partial"])
    mkdirSync(join(folder, each), { recursive: true });
  const sources = [
    { archive: "debian", suites: `${release} ${release}-updates` },
    { archive: "debian-security", suites: `${release}-security` },
  ];
  const stanzas = sources.map(({ archive, suites }) =>
    [
      "Types: deb",
      `URIs: https://deb.debian.org/${archive}`,
      `Suites: ${suites}`,
      "Components: main",
      `Architectures: ${architectures.join(" ")}`,
      "Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg",
    ].join("\n"),
  );
  writeFileSync(join(folder, "debian.sources"), `${stanzas.join("\n\n")}\n`);
  writeFileSync(join(folder, "status"), "");
  const options = [
    `Dir::State=${folder}`,
    `Dir::State::status=${join(folder, "status")}`,
    `Dir::Cache=${join(folder, "cache")}`,
    `Dir::Etc::sourcelist=${join(folder, "debian.sources")}`,
    "Dir::Etc::sourceparts=-",
    `APT::Architecture=${architectures[0]}`,
    `APT::Architectures=${architectures.join(",")}`,
    "APT::Sandbox::User=",
  ].flatMap((option) => ["-o", option]);
  return (...args) => execFileSync("apt-get", [...options, ...args], { cwd: folder, encoding: "utf8" });
}

/** Parses the lines of `apt-get download --print-uris`. */
function parseUris(output: string): DebianPackage[] {
  const lines = output.split("\n").filter((line) => line.startsWith("'"));
  const found = lines.map((line) => {
    const [, address = "", file = "", sha256 = ""] =
      /^'https:\/\/deb\.debian\.org\/(\S+)' (\S+) \d+ SHA256:([0-9a-f]{64})$/.exec(line) ?? [];
    const [, name = "", version = "", architecture = ""] =
      /^([^_]+)_([^_]+)_(amd64|arm64|all)\.deb$/.exec(file) ?? [];
    if (!isArchitecture(architecture)) throw new Error(`apt-get wrote an unknown line: ${line}`);
    const path = decodeURIComponent(address);
    return { name, version: decodeURIComponent(version), architecture, path, sha256 };
  });
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}

const isArchitecture = (text: string): text is DebianPackage["architecture"] =>
  [...architectures, "all"].includes(text);

for (const line of renewDebianPackages()) console.log(line);
