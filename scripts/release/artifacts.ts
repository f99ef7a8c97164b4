import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { architectures as named, platforms } from "../../packaging/stage/dependencies.ts";

/** A file of a release. */
export interface Artifact {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
  /** More that a reader of the notes needs to know. */
  readonly note: string;
}

/** The artefacts of a version in the folder where `npm run package` writes them, and their faults. */
interface Found {
  readonly artifacts: readonly Artifact[];
  readonly faults: readonly string[];
}

/** Linux on both architectures, by the names of Node, Debian and OCI. */
const architectures = platforms.map((node) => ({ node, debian: named[node] }));

type Check = (path: string) => string | null;

/** Finds every artefact of a version, and checks that it is whole and for the architecture that its name says. */
export function findArtifacts(folder: string, version: string): Found {
  const expected: [string, Check, string][] = [
    [`clew-${version}.tgz`, (path) => npmFault(path, version), "npm package, for all platforms"],
    [`clew-client-${version}.tgz`, (path) => manifestFault(path, version), "client for programs"],
    ...architectures.flatMap(({ debian }): [string, Check, string][] => [
      [
        `clew_${version}_${debian}.deb`,
        (path) => debianFault(path, debian, version),
        `Debian package, ${debian}`,
      ],
      [
        `clew-${version}-image-${debian}.tar`,
        (path) => archiveFault(path, debian),
        `container image, ${debian}`,
      ],
    ]),
  ];
  const artifacts: Artifact[] = [];
  const faults: string[] = [];
  for (const [name, check, note] of expected) {
    const path = join(folder, name);
    const fault = existsSync(path) ? faultOf(() => check(path)) : "it is missing";
    if (fault === null) artifacts.push(describe(path, note));
    else faults.push(`${name}: ${fault}`);
  }
  const layout = join(folder, "image");
  const fault = existsSync(layout) ? faultOf(() => layoutFault(layout)) : "it is missing";
  if (fault !== null) faults.push(`image/: ${fault}`);
  return { artifacts, faults };
}

export function describe(path: string, note: string): Artifact {
  const content = readFileSync(path);
  return {
    path,
    name: basename(path),
    bytes: statSync(path).size,
    sha256: createHash("sha256").update(content).digest("hex"),
    note,
  };
}

/** Writes a size as people read it. */
export function describeSize(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function faultOf(check: () => string | null): string | null {
  try {
    return check();
  } catch (error) {
    return `it cannot be read (${error instanceof Error ? error.message.split("\n")[0] : error})`;
  }
}

const run = (command: string, ...args: readonly string[]) =>
  execFileSync(command, args, {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "pipe"],
  });

const json = (text: string) => JSON.parse(text) as Record<string, unknown>;

function manifestFault(path: string, version: string): string | null {
  const manifest = json(run("tar", "-xOzf", path, "package/package.json"));
  return manifest.version === version ? null : `its version is ${manifest.version}`;
}

/** The npm package has the binary of the database's driver, and names the Node, for both architectures. */
function npmFault(path: string, version: string): string | null {
  const { optionalDependencies = {} } = json(run("tar", "-xOzf", path, "package/package.json"));
  const files = run("tar", "-tzf", path).split("\n");
  for (const { node } of architectures) {
    if (!Object.hasOwn(optionalDependencies as object, `node-${node}`))
      return `it does not ask for node-${node}`;
    if (!files.some((file) => file.endsWith(`/better-sqlite3/prebuilds/${node}.node`)))
      return `it has no better-sqlite3 for ${node}`;
  }
  return manifestFault(path, version);
}

function debianFault(path: string, architecture: string, version: string): string | null {
  const [of, itsVersion] = ["Architecture", "Version"].map((field) =>
    run("dpkg-deb", "--field", path, field).trim(),
  );
  if (of !== architecture) return `it is for ${of}`;
  return itsVersion?.split(/[-~+]/)[0] === version.split(/[-~+]/)[0] ? null : `its version is ${itsVersion}`;
}

/** The parts of an OCI index that are read. https://github.com/opencontainers/image-spec/blob/main/image-index.md */
interface Index {
  readonly manifests?: readonly {
    readonly digest: string;
    readonly platform?: { readonly architecture: string };
  }[];
}

/** An archive has the image of one architecture. */
function archiveFault(path: string, architecture: string): string | null {
  const { manifests = [] } = JSON.parse(run("tar", "-xOf", path, "index.json")) as Index;
  const found = manifests.map(({ platform }) => platform?.architecture);
  return found.length === 1 && found[0] === architecture
    ? null
    : `it is for ${found.join(", ") || "nothing"}`;
}

/** The layout has an index of both architectures, and their manifests. */
function layoutFault(folder: string): string | null {
  const blob = (digest: string) => join(folder, "blobs", digest.replace(":", "/"));
  const images = readIndexes(readFileSync(join(folder, "index.json"), "utf8"));
  const found = images.map(({ architecture }) => architecture);
  const missing = architectures.filter(({ debian }) => !found.includes(debian)).map(({ debian }) => debian);
  if (missing.length > 0) return `it has no image for ${missing.join(" and ")}`;
  const lost = images.find(({ digest }) => !existsSync(blob(digest)));
  return lost === undefined ? null : `the manifest ${lost.digest} is missing`;

  function readIndexes(text: string): { readonly architecture: string; readonly digest: string }[] {
    const { manifests = [] } = JSON.parse(text) as Index;
    return manifests.flatMap(({ digest, platform }) =>
      platform === undefined
        ? readIndexes(readFileSync(blob(digest), "utf8"))
        : [{ architecture: platform.architecture, digest }],
    );
  }
}

/** The digest by which registries know the image of both architectures. */
export function imageDigest(folder: string): string {
  const { manifests = [] } = JSON.parse(readFileSync(join(folder, "image/index.json"), "utf8")) as Index;
  return manifests[0]?.digest ?? "";
}
