import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packTar } from "modern-tar";
import { type Descriptor, describe, type Image, json, mediaTypes, platformOf } from "./image.ts";
import { digestOf } from "./layer.ts";

/** The files of an OCI image layout (OCI image specification 1.1, image layout), by their paths. */
type Files = ReadonlyMap<string, Buffer>;

/** Lays out images of several architectures as one: engines and registries choose the one that fits. */
export function layoutOf(
  images: readonly Image[],
  version: string,
): { readonly files: Files; readonly digest: string } {
  const index = json({
    schemaVersion: 2,
    mediaType: mediaTypes.index,
    manifests: images.map(({ architecture, manifest }) => ({
      ...describe(mediaTypes.manifest, manifest),
      platform: platformOf(architecture),
    })),
  });
  const blobs = [...images.flatMap(blobsOf), index];
  const files = layout(blobs, describe(mediaTypes.index, index), { [refName]: version });
  return { files, digest: digestOf(index) };
}

/** Writes the files of a layout into a folder, which has no others afterwards. */
export function writeLayout(folder: string, files: Files): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/**
 * Packs one image into an archive that `docker load`, `podman load` and `skopeo` take: an OCI layout, with the list that
 * versions of Docker read which do not know layouts.
 */
export async function packArchive(image: Image, version: string): Promise<Uint8Array> {
  const { config, layers, manifest } = image;
  const name = `clew:${version}`;
  const path = (content: Buffer) => blobPath(digestOf(content));
  const list = json([
    { Config: path(config), RepoTags: [name], Layers: layers.map(({ blob }) => path(blob)) },
  ]);
  const described = { ...describe(mediaTypes.manifest, manifest), platform: platformOf(image.architecture) };
  // Podman reads the first name, containerd the second.
  const names = { [refName]: name, "io.containerd.image.name": `docker.io/library/${name}` };
  const files = [...layout(blobsOf(image), described, names), ["manifest.json", list] as const];
  const sorted = files.sort(([one], [other]) => (one < other ? -1 : 1));
  return packTar(
    sorted.map(([entry, body]) => ({
      header: { name: entry, size: body.length, mode: 0o644, uid: 0, gid: 0, mtime: new Date(0) },
      body,
    })),
  );
}

const refName = "org.opencontainers.image.ref.name";

function layout(
  blobs: readonly Buffer[],
  described: Descriptor,
  annotations: Readonly<Record<string, string>>,
): Files {
  const index = { schemaVersion: 2, mediaType: mediaTypes.index, manifests: [{ ...described, annotations }] };
  return new Map([
    ["oci-layout", json({ imageLayoutVersion: "1.0.0" })],
    ["index.json", json(index)],
    ...blobs.map((blob) => [blobPath(digestOf(blob)), blob] as const),
  ]);
}

const blobsOf = ({ layers, config, manifest }: Image) => [
  ...layers.map(({ blob }) => blob),
  config,
  manifest,
];

const blobPath = (digest: string) => `blobs/${digest.replace(":", "/")}`;
