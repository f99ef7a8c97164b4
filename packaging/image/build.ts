import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { architectures, platforms } from "../stage/dependencies.ts";
import { layersOf } from "./contents.ts";
import { describeImage, type Image, type Source } from "./image.ts";
import { layoutOf, packArchive, writeLayout } from "./layout.ts";

const root = join(import.meta.dirname, "../..");

/** An image as it was built. */
interface BuiltImage {
  /** The digest of the index of both architectures, by which a registry knows the image. */
  readonly digest: string;
  /** The folder of the layout. */
  readonly layout: string;
  /** The paths of the archives, one for each architecture. */
  readonly archives: readonly string[];
  readonly images: readonly Image[];
}

/** Builds the image for both architectures and writes it into a folder: `image/`, and an archive for each. */
export async function buildImage(folder: string, source: Source): Promise<BuiltImage> {
  const { version } = source;
  const images: Image[] = [];
  // One after the other: each holds its files in memory.
  for (const platform of platforms)
    images.push(describeImage(architectures[platform], await layersOf(platform), source));
  const { files, digest } = layoutOf(images, version);
  const layout = join(folder, "image");
  writeLayout(layout, files);
  const archives: string[] = [];
  for (const image of images) {
    const archive = join(folder, `clew-${version}-image-${image.architecture}.tar`);
    writeFileSync(archive, await packArchive(image, version));
    archives.push(archive);
  }
  return { digest, layout, archives, images };
}

/** Describes the sizes of an image, a line for each layer. */
export function describeSizes({ architecture, layers }: Image): readonly string[] {
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1).padStart(6)} MB`;
  const line = (title: string, compressed: number, unpacked: number) =>
    `  ${megabytes(compressed)} compressed  ${megabytes(unpacked)} unpacked  ${title}`;
  const sum = (of: (layer: (typeof layers)[number]) => number) =>
    layers.reduce((total, layer) => total + of(layer), 0);
  return [
    `${architecture}:`,
    ...layers.map(({ title, blob, unpacked }) => line(title, blob.length, unpacked)),
    line(
      "together",
      sum(({ blob }) => blob.length),
      sum(({ unpacked }) => unpacked),
    ),
  ];
}

/** The version and the commit of this checkout. Files that are not committed are said in the revision. */
function readSource(): Source {
  const git = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly version: string;
  };
  const suffix = git("status", "--porcelain") === "" ? "" : "-modified";
  return {
    version,
    revision: `${git("rev-parse", "HEAD")}${suffix}`,
    committed: Number(git("log", "-1", "--format=%ct")),
  };
}

if (import.meta.main) {
  const { digest, layout, archives, images } = await buildImage(
    process.argv[2] ?? join(root, "build"),
    readSource(),
  );
  for (const line of images.flatMap(describeSizes)) console.log(line);
  console.log(`The image is in ${layout}, with the digest ${digest}.`);
  for (const archive of archives) console.log(`For one architecture: docker load --input ${archive}`);
}
