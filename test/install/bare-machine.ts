import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, join, relative, sep } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { freePort } from "../support/clew-process.ts";

const root = join(import.meta.dirname, "../..");

/** A folder to work in, on a PATH with Node, one version of npm and hardly more. */
export interface BareMachine {
  /** The folder that commands run in. */
  readonly work: string;
  /** The home of the user, in which that folder is. */
  readonly home: string;
  /** Runs npm in the folder. Returns its exit code and everything that it wrote. */
  npm(...args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }>;
  /**
   * Runs a command until the server that it starts is ready, then `use` with the server's address, and stops the command with
   * SIGTERM. Returns the exit code and everything that it wrote. Throws with its output if it ends before.
   */
  serve(
    command: readonly [string, ...string[]],
    use?: (url: URL) => Promise<void>,
  ): Promise<{ readonly code: number | null; readonly output: string }>;
  remove(): Promise<void>;
}

export interface MachineOptions {
  /** The version of npm, which is fetched from npm's cache or the registry; `own` is this machine's. */
  readonly npm: string;
  /** The cache that npm asks before the registry: that of this machine, or an empty one. */
  readonly cache: "shared" | "empty";
  /** The content of the folder: a copy of the checkout without installed dependencies, or nothing. */
  readonly holds: "checkout" | "nothing";
  /** Its Node; by default this machine's, or the one that runs this if the machine has none. */
  readonly node?: string;
}

/** The programs that npm and the scripts of Clew run: no compiler, no make, no Python, no git. */
const tools = ["sh", "env", "dirname", "readlink"];

/** Folders of the PATH, without those of the packages that this process was started with. */
const folders = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes(`${sep}node_modules`));

const find = (name: string) => folders.map((folder) => join(folder, name)).find((path) => existsSync(path));

/** Makes the machine. Throws if its npm cannot be had. */
export async function bareMachine({
  npm: npmVersion,
  cache,
  holds,
  node = find("node") ?? process.execPath,
}: MachineOptions): Promise<BareMachine> {
  const folder = await mkdtemp(join(tmpdir(), "clew-install-"));
  const work = join(folder, "work");
  const npm = join(folder, "bin/npm");
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await mkdir(join(folder, "bin"));
    await symlink(node, join(folder, "bin/node"));
    for (const tool of tools) await symlink(find(tool) ?? `/bin/${tool}`, join(folder, "bin", tool));
    if (npmVersion === "own") await symlink(find("npm") ?? "/usr/bin/npm", npm);
    else {
      await unpackNpm(npmVersion, folder);
      await writeFile(npm, `#!/bin/sh\nexec node "${join(folder, "package/bin/npm-cli.js")}" "$@"\n`);
      await chmod(npm, 0o755);
    }
    if (holds === "checkout") await cp(root, work, { recursive: true, filter: isInClone });
    else await mkdir(work);
  } catch (error) {
    await remove();
    throw error;
  }
  const env = {
    PATH: join(folder, "bin"),
    HOME: folder,
    npm_config_cache:
      cache === "empty" ? join(folder, "cache") : (process.env.npm_config_cache ?? join(homedir(), ".npm")),
    npm_config_prefer_offline: "true",
    // The registry of the machine, if its settings name one.
    npm_config_userconfig: process.env.npm_config_userconfig ?? join(homedir(), ".npmrc"),
  };
  const run = ([command, ...args]: readonly [string, ...string[]], port?: number) => {
    const child = spawn(command, args, {
      cwd: work,
      env: port === undefined ? env : { ...env, PORT: String(port) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = Promise.all([text(child.stdout), text(child.stderr)]).then((parts) => parts.join("\n"));
    const ended = once(child, "close").then(async () => ({ code: child.exitCode, output: await output }));
    return { child, ended };
  };
  return {
    work,
    home: folder,
    npm: (...args) => run([npm, ...args]).ended,
    async serve(command, use) {
      const port = await freePort();
      const { child, ended } = run(command, port);
      const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
      while (!hasEnded() && !(await isReady(port))) await new Promise((resolve) => setTimeout(resolve, 100));
      if (hasEnded()) throw new Error(`Clew ended before it was ready:\n${(await ended).output}`);
      try {
        await use?.(new URL(`http://localhost:${port}/`));
      } finally {
        child.kill("SIGTERM");
        await ended;
      }
      return ended;
    },
    remove,
  };
}

/** Unpacks a version of npm to `folder`/package. */
async function unpackNpm(version: string, folder: string): Promise<void> {
  const execute = promisify(execFile);
  await execute("npm", ["pack", `npm@${version}`, "--prefer-offline", "--pack-destination", folder], {
    cwd: folder,
  });
  await execute("tar", ["xzf", `npm-${version}.tgz`], { cwd: folder });
}

/** Whether a clone has the file: neither what is installed nor what a run writes. */
function isInClone(path: string): boolean {
  const parts = relative(root, path).split(sep);
  const [first = ""] = parts;
  return (
    !parts.includes("node_modules") &&
    ![".git", "build", "data"].includes(first) &&
    !first.startsWith(".clew-install")
  );
}

async function isReady(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
  await response?.body?.cancel();
  return response?.ok ?? false;
}
