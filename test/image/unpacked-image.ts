import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Architecture } from "../../packaging/stage/dependencies.ts";

/** The fields of an image's configuration that say how it is run. */
interface RunConfig {
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

/** An image whose layers are unpacked into a folder. */
export interface UnpackedImage {
  readonly root: string;
  readonly config: RunConfig;
  /** The emulator that this machine needs to run it; null if it needs none. */
  readonly emulator: string | null;
}

/** How a container is run. */
export interface ContainerOptions {
  /** The number of its user, which the image knows no name of. */
  readonly user: number;
  readonly settings?: Readonly<Record<string, string>>;
}

/** A container that runs. */
export interface Container {
  /** The process in it, as the host numbers it. */
  readonly pid: number;
  /** Everything that it has written. */
  output(): string;
  /** Sends SIGTERM to the process in it, and returns its exit code. */
  terminate(): Promise<number | null>;
}

/** Finds a program on the PATH; null if it is not installed. */
export const installed = (name: string): string | null =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path)) ?? null;

/**
 * Unpacks the image of an architecture from a layout, as engines do: layer upon layer. Null if this machine can neither run
 * nor emulate the architecture.
 */
export function unpackImage(
  layout: string,
  architecture: Architecture,
  folder: string,
): UnpackedImage | null {
  const isNative = architecture === (process.arch === "x64" ? "amd64" : process.arch);
  const emulator = isNative
    ? null
    : installed(`qemu-${architecture === "arm64" ? "aarch64" : "x86_64"}-static`);
  if (!isNative && emulator === null) return null;
  const blob = ({ digest }: { digest: string }) => join(layout, "blobs", digest.replace(":", "/"));
  const read = (path: string) => JSON.parse(readFileSync(path, "utf8"));
  const { manifests } = read(blob(read(join(layout, "index.json")).manifests[0]));
  const described = manifests.find(
    (each: { platform: { architecture: string } }) => each.platform.architecture === architecture,
  );
  const { layers, config } = read(blob(described));
  const root = join(folder, architecture);
  mkdirSync(root);
  for (const layer of layers) execFileSync("tar", ["xzpf", blob(layer), "-C", root]);
  return { root, config: read(blob(config)).config, emulator };
}

/**
 * The arguments with which bubblewrap runs a command in an image as engines do under the strictest options: the root is
 * read-only, `/data` alone can be written, and no capability and no other process is there. The network is the host's.
 */
function sandbox(
  { root, config, emulator }: UnpackedImage,
  command: readonly string[],
  { user, settings = {} }: ContainerOptions,
): string[] {
  const environment = Object.entries({
    ...Object.fromEntries(
      config.Env.map((each) => [each.slice(0, each.indexOf("=")), each.slice(each.indexOf("=") + 1)]),
    ),
    ...settings,
  });
  return [
    ...["--ro-bind", root, "/", "--tmpfs", "/data", "--proc", "/proc", "--dev", "/dev"],
    ...(emulator === null ? [] : ["--tmpfs", "/tmp", "--ro-bind", emulator, "/tmp/emulator"]),
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--cap-drop", "ALL"],
    ...["--uid", String(user), "--gid", String(user), "--die-with-parent", "--as-pid-1"],
    ...["--clearenv", ...environment.flatMap(([name, value]) => ["--setenv", name, value])],
    ...["--chdir", config.WorkingDir, "--"],
    ...(emulator === null ? command : ["/tmp/emulator", ...withInterpreter(root, command)]),
  ];
}

/** A command with the interpreter that its program's first line names: an emulator runs machine code alone. */
function withInterpreter(root: string, [program = "", ...args]: readonly string[]): readonly string[] {
  const [, interpreter] = /^#!(\S+)\n/.exec(readFileSync(join(root, program), "latin1").slice(0, 256)) ?? [];
  return interpreter === undefined ? [program, ...args] : [interpreter, program, ...args];
}

/** Runs a command in a container of its own, and returns its exit code and output. */
export function runIn(image: UnpackedImage, command: readonly string[], options: ContainerOptions) {
  const { status, stdout, stderr } = spawnSync("bwrap", sandbox(image, command, options), {
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
}

/** Starts the image by its entry point, as `docker run` does. */
export async function startContainer(image: UnpackedImage, options: ContainerOptions): Promise<Container> {
  const { Entrypoint, Cmd } = image.config;
  const args = ["--info-fd", "3", ...sandbox(image, [...Entrypoint, ...Cmd], options)];
  const child = spawn("bwrap", args, { stdio: ["ignore", "pipe", "pipe", "pipe"] });
  const [, stdout, stderr, information] = child.stdio;
  let written = "";
  for (const stream of [stdout, stderr]) stream?.on("data", (chunk: Buffer) => (written += chunk.toString()));
  const ended = once(child, "close");
  if (!(information instanceof Readable)) throw new Error("bubblewrap has no further stream");
  const pid = JSON.parse(await text(information))["child-pid"] as number;
  return {
    pid,
    output: () => written,
    async terminate() {
      process.kill(pid, "SIGTERM");
      await ended;
      return child.exitCode;
    },
  };
}

/** Waits until the Clew in a container is ready at this port, and has its health check say so too. Throws if not in time. */
export async function waitUntilHealthy(
  image: UnpackedImage,
  container: Container,
  options: ContainerOptions & { readonly port: number },
): Promise<void> {
  const isReady = () =>
    fetch(`http://127.0.0.1:${options.port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let attempt = 0; !(await isReady()); attempt += 1) {
    if (attempt === 1_200) throw new Error(`the container is not ready:\n${container.output()}`);
    await sleep(100);
  }
  const [, ...command] = image.config.Healthcheck.Test;
  const { status, output } = runIn(image, command, options);
  if (status !== 0) throw new Error(`the container is ready, and its health check says:\n${output}`);
}
