import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type TestContext, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { unpackTar } from "modern-tar";
import { readConfig } from "../../packages/server/src/config/config.ts";
import { packagesOf, readDebianLock } from "./debian.ts";
import { withoutSymbols } from "./elf.ts";
import { type Descriptor, describeImage, environment } from "./image.ts";
import { digestOf, directory, type Entry, file, packLayer, readTree } from "./layer.ts";
import { layoutOf, packArchive } from "./layout.ts";

const root = join(import.meta.dirname, "../..");

const entries: readonly Entry[] = [
  file("usr/bin/node", "node", 0o755),
  { type: "symlink", path: "lib", mode: 0o777, target: "usr/lib" },
  directory("data", 0o1777),
  file(`app/${"deep/".repeat(60)}file`, "1"),
];

const source = { version: "1.2.3", revision: "abc", committed: 1_700_000_000 };

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "clew-image-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("OPS-10: the same files make the same layer in any order, and another file, mode or link makes another", async () => {
  const { diffId, blob } = await packLayer("", entries);
  const reversed = await packLayer("", entries.toReversed());
  assert.deepEqual([reversed.diffId, digestOf(reversed.blob)], [diffId, digestOf(blob)]);
  const [node, link, data, deep] = entries;
  assert(node && link && data && deep);
  for (const others of [
    [{ ...node, mode: 0o644 }, link, data, deep],
    [node, { ...link, target: "usr/lib64" }, data, deep],
    [node, link, directory("data"), deep],
    [node, link, data],
  ] as readonly Entry[][])
    assert.notEqual((await packLayer("", others)).diffId, diffId);
});

test("OPS-10: a layer has each file with its folders, of root, without times and setuid bits", async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "program"), "x");
  chmodSync(join(folder, "program"), 0o4755);
  symlinkSync("program", join(folder, "link"));
  const { blob } = await packLayer("", [...entries, ...readTree(folder, "opt")]);
  const found = await unpackTar(gunzipSync(blob));
  const described = found.map(({ header: { name, mode, linkname } }) => [name, mode?.toString(8), linkname]);
  const expected = [
    ["app/", "755", ""],
    ["data/", "1777", ""],
    ["lib", "777", "usr/lib"],
    ["opt/", "755", ""],
    ["opt/link", "777", "program"],
    ["opt/program", "755", ""],
    ["usr/", "755", ""],
    ["usr/bin/", "755", ""],
    ["usr/bin/node", "755", ""],
  ];
  assert.deepEqual(
    described.filter(([name]) => !name?.startsWith("app/deep")),
    expected,
  );
  assert.equal(found.find(({ header: { name } }) => name === entries[3]?.path)?.data?.length, 1);
  for (const { header } of found)
    assert.deepEqual([header.uid, header.gid, header.mtime?.getTime()], [0, 0, 0], header.name);
});

/** The blobs that a descriptor leads to, directly or not. Fails if one is missing or is not what its descriptor says. */
function follow(files: ReadonlyMap<string, Buffer>, { mediaType, digest, size }: Descriptor): number {
  const blob = files.get(`blobs/${digest.replace(":", "/")}`);
  assert(blob, `${digest} is missing`);
  assert.deepEqual([digestOf(blob), blob.length], [digest, size]);
  if (!mediaType.endsWith("+json") || mediaType.includes("config")) return 1;
  const { manifests = [], layers = [], config } = JSON.parse(blob.toString());
  const next: Descriptor[] = [...manifests, ...layers, ...(config ? [config] : [])];
  return next.reduce((sum, each) => sum + follow(files, each), 1);
}

const twoImages = async () => {
  const layers = [await packLayer("system", entries), await packLayer("Clew", [file("app/main.js", "1")])];
  return [describeImage("amd64", layers, source), describeImage("arm64", layers, source)] as const;
};

test("OPS-10: each descriptor of the layout names the digest and size of its blob, and the same source gives the same digest", async () => {
  const images = await twoImages();
  const { files, digest } = layoutOf(images, "1.2.3");
  const { manifests } = JSON.parse(files.get("index.json")?.toString() ?? "");
  assert.equal(manifests.length, 1);
  assert.equal(manifests[0].digest, digest);
  // The index, and of each image a manifest, a configuration and two layers.
  assert.equal(follow(files, manifests[0]), 9);
  assert.equal(layoutOf(await twoImages(), "1.2.3").digest, digest);
  for (const { config, layers } of images)
    assert.deepEqual(
      JSON.parse(config.toString()).rootfs.diff_ids,
      layers.map(({ blob }) => digestOf(gunzipSync(blob))),
    );
});

test("OPS-10: an archive of one image has what its lists for new and old engines name", async () => {
  const [image] = await twoImages();
  const found = await unpackTar(await packArchive(image, "1.2.3"));
  const files = new Map(found.map(({ header, data }) => [header.name, Buffer.from(data ?? "")]));
  const { manifests } = JSON.parse(files.get("index.json")?.toString() ?? "");
  assert.equal(follow(files, manifests[0]), 4);
  assert.equal(manifests[0].annotations["org.opencontainers.image.ref.name"], "clew:1.2.3");
  const [{ Config, Layers, RepoTags }] = JSON.parse(files.get("manifest.json")?.toString() ?? "");
  assert.deepEqual(RepoTags, ["clew:1.2.3"]);
  for (const path of [Config, ...Layers]) assert(files.has(path), path);
});

test("OPS-10: Clew starts with the settings of the image, as the demo on all addresses", () => {
  const config = readConfig(environment);
  assert.deepEqual([config.host, config.dataDir, config.provider.isDemo], ["0.0.0.0", "/data", true]);
  const [, threshold] =
    /MALLOC_MMAP_THRESHOLD_:-(\d+)/.exec(readFileSync(join(root, "bin/clew"), "utf8")) ?? [];
  assert.equal(environment.MALLOC_MMAP_THRESHOLD_, threshold, "bin/clew has another threshold");
});

test("OPS-10: the packages of both architectures are pinned, and of the same versions", () => {
  const lock = readDebianLock();
  for (const { name, version, architecture, path, sha256, sha1 } of lock.packages) {
    assert.equal(basename(path), `${name}_${version.replace(/^\d+:/, "")}_${architecture}.deb`);
    assert.match(path, /^debian(-security)?\/pool\//);
    assert.match(sha256, /^[0-9a-f]{64}$/);
    assert.match(sha1, /^[0-9a-f]{40}$/);
  }
  assert.equal(new Set(lock.packages.map(({ sha256 }) => sha256)).size, lock.packages.length);
  const versions = (architecture: "amd64" | "arm64") =>
    packagesOf(lock, architecture).map(({ name, version }) => `${name} ${version}`);
  assert.deepEqual(versions("amd64"), versions("arm64"));
  assert(versions("amd64").length >= 6);
});

test("OPS-10: a library works without its symbols and is smaller, whatever its architecture", (t) => {
  const read = (name: string) => readFileSync(join(root, "node_modules/better-sqlite3/prebuilds", name));
  for (const name of ["linux-x64.node", "linux-arm64.node"]) {
    const library = read(name);
    const smaller = withoutSymbols(library);
    assert(smaller.length < library.length * 0.98, name);
    assert(withoutSymbols(smaller).equals(smaller), name);
    if (name !== `${process.platform}-${process.arch}.node`) continue;
    const path = join(temporaryFolder(t), name);
    writeFileSync(path, smaller);
    const loaded = { exports: {} };
    process.dlopen(loaded, path);
    assert("Database" in loaded.exports);
  }
  assert.throws(() => withoutSymbols(read("darwin-arm64.node")), /no 64-bit little-endian ELF/);
});
