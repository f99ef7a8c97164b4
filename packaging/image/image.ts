import type { Architecture } from "../stage/dependencies.ts";
import { certificates, mainModule, user } from "./contents.ts";
import { digestOf, type Layer } from "./layer.ts";

/** The source that an image is made of. */
export interface Source {
  readonly version: string;
  /** The commit. */
  readonly revision: string;
  /** Seconds since 1970: when the commit was made. */
  readonly committed: number;
}

/** An image for one architecture. */
export interface Image {
  readonly architecture: Architecture;
  readonly layers: readonly Layer[];
  readonly config: Buffer;
  readonly manifest: Buffer;
}

/** A reference to a blob (OCI image specification, descriptor). */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/**
 * Settings of Clew and of what runs it. Without others, the image shows the sample alone (OPS-10). bin/clew says what the
 * threshold does.
 */
export const environment = {
  PATH: "/usr/bin",
  HOST: "0.0.0.0",
  DATA_DIR: "/data",
  OPEN_SAMPLE: "1",
  // SQLite sorts large results in a file of its own, and may find no other folder that can be written.
  SQLITE_TMPDIR: "/data",
  MALLOC_MMAP_THRESHOLD_: "73728",
  // The certificates of the system, which Node adds to its own with NODE_USE_SYSTEM_CA=1.
  SSL_CERT_FILE: certificates,
};

const port = 8420;

/** A health check as Docker's image format has it, in nanoseconds. The OCI format has none, and other engines ignore it. */
const healthCheck = {
  Test: ["CMD", "/usr/bin/clew", "health"],
  Interval: 30e9,
  Timeout: 10e9,
  StartPeriod: 60e9,
  StartInterval: 2e9,
  Retries: 3,
};

/** Describes an image (OCI image specification 1.1). The same layers and source give the same bytes. */
export function describeImage(architecture: Architecture, layers: readonly Layer[], source: Source): Image {
  const { version, revision } = source;
  const created = new Date(source.committed * 1000).toISOString().replace(".000", "");
  const labels = {
    title: "Clew",
    description: "A self-hosted graph service over workspace pages",
    version,
    revision,
    created,
  };
  const config = json({
    created,
    ...platformOf(architecture),
    config: {
      User: `${user}:${user}`,
      ExposedPorts: { [`${port}/tcp`]: {} },
      Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      Entrypoint: ["/usr/bin/node", mainModule],
      Cmd: ["serve"],
      // A root that is read-only then needs no further option: engines mount a volume of their own.
      Volumes: { "/data": {} },
      // Not /data: Clew reads settings from a file `.env` in its working directory.
      WorkingDir: "/app",
      Labels: Object.fromEntries(
        Object.entries(labels).map(([name, value]) => [`org.opencontainers.image.${name}`, value]),
      ),
      StopSignal: "SIGTERM",
      Healthcheck: healthCheck,
    },
    rootfs: { type: "layers", diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ title }) => ({ created, created_by: title })),
  });
  const manifest = json({
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    config: describe(mediaTypes.config, config),
    layers: layers.map(({ blob }) => describe(mediaTypes.layer, blob)),
  });
  return { architecture, layers, config, manifest };
}

export const mediaTypes = {
  index: "application/vnd.oci.image.index.v1+json",
  manifest: "application/vnd.oci.image.manifest.v1+json",
  config: "application/vnd.oci.image.config.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar+gzip",
};

/** The platform of an image. Engines know 64-bit ARM by its variant too. */
export const platformOf = (architecture: Architecture) => ({
  os: "linux",
  architecture,
  ...(architecture === "arm64" && { variant: "v8" }),
});

export const describe = (mediaType: string, content: Buffer): Descriptor => ({
  mediaType,
  digest: digestOf(content),
  size: content.length,
});

export const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));
