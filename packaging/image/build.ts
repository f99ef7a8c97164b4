import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Architecture } from "./debian.ts";
import { describeImage, type Image, type Source } from "./image.ts";
import { layersOf } from "./layers.ts";
import { layoutOf, packArchive, writeLayout } from "./layout.ts";

const architectures: readonly Architecture[] = ["amd64", "arm64"];

/** An image as it was built. */
interface BuiltImage {
  /** The digest of the index of both architectures, by which a registry knows the image. */
  readonly digest: string;
  /** The folder of the layout. */
  readonly layout: string;
  readonly images: readonly Image[];
}

/** Builds the image for both architectures and writes it into a folder: `image/`, and an archive for each. */
export async function buildImage(folder: string, source: Source): Promise<BuiltImage> {
  const { version } = source;
  const images: Image[] = [];
  // One after the other: each holds its files in memory.
  for (const architecture of architectures)
    images.push(describeImage(architecture, await layersOf(architecture), source));
  const { files, digest } = layoutOf(images, version);
  const layout = join(folder, "image");
  writeLayout(layout, files);
  mkdirSync(folder, { recursive: true });
  for (const image of images)
    writeFileSync(join(folder, `clew-${version}-image-${image.architecture}.tar`), await packArchive(image, version));
  return { digest, layout, images };
}

/** Describes the sizes of an image, a line for each layer. */
export function describeSizes({ architecture, layers }: Image): readonly string[] {
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1).padStart(6)} MB`;
  const line = (title: string, compressed: number, unpacked: number) =>
    `  ${megabytes(compressed)} compressed  ${megabytes(unpacked)} unpacked  ${title}`;
  const sum = (of: (layer: (typeof layers)[number]) => number) => layers.reduce((total, layer) => total + of(layer), 0);
  return [
    `${architecture}:`,
    ...layers.map(({ title, blob, unpacked }) => line(title, blob.length, unpacked)),
    line("together", sum(({ blob }) => blob.length), sum(({ unpacked }) => unpacked)),
  ];
}
