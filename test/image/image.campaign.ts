import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { buildImage, describeSizes } from "../../packaging/image/build.ts";
import { freePort } from "../support/clew-process.ts";
import { tourThrough } from "../support/tour.ts";
import {
  installed,
  runIn,
  startContainer,
  type UnpackedImage,
  unpackImage,
  waitUntilHealthy,
} from "./unpacked-image.ts";

/**
 * The container image: `npm run campaign image`. It is built twice, with the same digest, and run as UID 12345 with a
 * read-only root through the tour, on each architecture that this machine can run or emulate (qemu-user-static). Needs apt,
 * dpkg-deb and bubblewrap, and the registries at the first run. ONLY=amd64 tries one architecture. The exit code is 1 if
 * anything failed.
 */

const only = process.env.ONLY;

/** Bytes of a layer as it is fetched, and of files as they are unpacked. */
const limits = { compressed: 65e6, unpacked: 175e6 };

const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`;

const source = { version: "0.0.0", revision: "0000000", committed: 1_700_000_000 };
const folder = mkdtempSync(join(tmpdir(), "clew-image-"));
if (installed("bwrap") === null)
  throw new Error("bubblewrap is not installed: install the package bubblewrap");
try {
  const built = await buildImage(join(folder, "first"), source);
  const again = await buildImage(join(folder, "second"), source);
  assert.equal(again.digest, built.digest, "two builds have different digests");
  built.archives.forEach((archive, index) => {
    assert(readFileSync(archive).equals(readFileSync(again.archives[index] ?? "")), `${archive} differs`);
  });
  console.log(`built twice: ${built.digest}`);
  for (const image of built.images) {
    for (const line of describeSizes(image)) console.log(line);
    const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
    assert(sum(image.layers.map(({ blob }) => blob.length)) <= limits.compressed, "too large to fetch");
    assert(sum(image.layers.map(({ unpacked }) => unpacked)) <= limits.unpacked, "too large on the disk");
  }
  readByOthers(built.layout, built.archives);
  for (const { architecture } of built.images) {
    if (only !== undefined && only !== architecture) continue;
    const image = unpackImage(built.layout, architecture, folder);
    if (image === null) console.log(`${architecture}: built, and not tried: there is no qemu-user-static`);
    else await tryImage(architecture, image);
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** Has skopeo read everything, which checks digests, sizes and configurations. */
function readByOthers(layout: string, archives: readonly string[]): void {
  const skopeo = installed("skopeo");
  if (skopeo === null) {
    console.log("not read by another program: skopeo is not installed");
    return;
  }
  const copies = [
    ["--all", `oci:${layout}:${source.version}`],
    ...archives.flatMap((archive) => [[`docker-archive:${archive}`], [`oci-archive:${archive}`]]),
  ];
  copies.forEach((args, index) => {
    execFileSync(skopeo, ["copy", "--quiet", ...args, `dir:${join(folder, `copy-${index}`)}`]);
  });
  console.log("skopeo reads the layout and, as both formats, the archives");
}

async function tryImage(architecture: string, image: UnpackedImage): Promise<void> {
  assert.deepEqual(
    programsIn(image.root),
    ["clew", "ld-linux-*", "libc.so.6", "node"],
    "other programs are in it",
  );
  const start = performance.now();
  const port = await freePort();
  const options = { user: 12_345, port, settings: { PORT: String(port) } };
  const container = await startContainer(image, options);
  await waitUntilHealthy(image, container, options);
  const healthy = performance.now();
  await tourThrough(new URL(`http://localhost:${port}/`));
  const memory = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${container.pid}/status`, "utf8"))?.[1];
  assert.match(container.output(), /can read the sample that comes with Clew, as a demo, and nothing else/);
  const toured = performance.now();
  assert.equal(await container.terminate(), 0, container.output());
  console.log(
    `${architecture}${image.emulator === null ? "" : ", emulated"}: healthy after ${seconds(start, healthy)}, toured after ${seconds(start, toured)}, stopped in ${seconds(toured, performance.now())}, ${Math.round(Number(memory) / 1024)} MiB at most`,
  );
  refuseWhatIsNotDemo(image);
  useSystemCertificates(image);
}

/** The names of the files that can be run. Fails if one runs with the rights of another user. */
function programsIn(root: string): readonly string[] {
  const files = globSync("**", { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  for (const path of paths) assert.equal(statSync(path).mode & 0o6000, 0, `${path} has a setuid bit`);
  const runnable = paths.filter((path) => (statSync(path).mode & 0o111) !== 0);
  return runnable.map((path) => basename(path).replace(/^ld-linux-.*/, "ld-linux-*")).sort();
}

/** Clew in the image refuses a workspace that everyone could read, with exit code 2 and without a shell's words. */
function refuseWhatIsNotDemo(image: UnpackedImage): void {
  const serve = [...image.config.Entrypoint, ...image.config.Cmd];
  const { status, output } = runIn(image, serve, { user: 12_345, settings: { NOTION_TOKEN: "ntn_1" } });
  assert.equal(status, 2, output);
  assert.match(output, /HOST is not loopback: set ALLOWED_WORKSPACES or ALLOWED_EMAILS/);
}

function useSystemCertificates(image: UnpackedImage): void {
  const count = "console.log(require('node:tls').getCACertificates('system').length > 100)";
  const { output } = runIn(image, ["/usr/bin/node", "-e", count], { user: 12_345 });
  assert.equal(output, "true\n", "Node does not find the certificates of the system");
}
