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

/** A copy of the checkout without installed dependencies, on a PATH with Node, one version of npm and hardly more. */
interface BareMachine {
  /** Runs npm in the copy. Returns its exit code and everything that it wrote. */
  npm(...args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }>;
  /** Runs `npm start` until the server is ready, and stops it with SIGTERM. Throws with its output if it ends before. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** The programs that npm and the scripts of Clew run: no compiler, no make, no Python, no git. */
const tools = ["sh", "env", "dirname", "readlink"];

/** Folders of the PATH, without those of the packages that this process was started with. */
const folders = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes(`${sep}node_modules`));

const find = (name: string) => folders.map((folder) => join(folder, name)).find((path) => existsSync(path));

/**
 * Makes the machine. `npmVersion` is fetched from npm's cache or the registry, and so are the packages, unless `cache` is
 * `empty`: then all come from the registry. Throws if the version cannot be had.
 */
export async function bareMachine(
  npmVersion: string,
  { cache }: { readonly cache: "shared" | "empty" },
): Promise<BareMachine> {
  const folder = await mkdtemp(join(tmpdir(), "clew-install-"));
  const checkout = join(folder, "checkout");
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await unpackNpm(npmVersion, folder);
    await mkdir(join(folder, "bin"));
    // Without a Node on the machine, the one that runs this.
    await symlink(find("node") ?? process.execPath, join(folder, "bin/node"));
    for (const tool of tools) await symlink(find(tool) ?? `/bin/${tool}`, join(folder, "bin", tool));
    const npm = join(folder, "bin/npm");
    await writeFile(npm, `#!/bin/sh\nexec node "${join(folder, "package/bin/npm-cli.js")}" "$@"\n`);
    await chmod(npm, 0o755);
    await cp(root, checkout, { recursive: true, filter: isInClone });
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
  const run = (args: readonly string[], settings: Readonly<Record<string, string>> = {}) => {
    const child = spawn(join(folder, "bin/npm"), args, {
      cwd: checkout,
      env: { ...env, ...settings },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = Promise.all([text(child.stdout), text(child.stderr)]).then((parts) => parts.join("\n"));
    return { child, ended: once(child, "close"), output };
  };
  return {
    async npm(...args) {
      const { child, ended, output } = run(args);
      await ended;
      return { code: child.exitCode, output: await output };
    },
    async start() {
      const port = await freePort();
      const settings = { PORT: String(port), DATA_DIR: join(folder, "data") };
      const { child, ended, output } = run(["start"], settings);
      const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
      while (!hasEnded() && !(await isReady(port))) await new Promise((resolve) => setTimeout(resolve, 100));
      if (hasEnded()) throw new Error(`npm start ended before the server was ready:\n${await output}`);
      child.kill("SIGTERM");
      await ended;
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
    !parts.includes("node_modules") && ![".git", "data"].includes(first) && !first.startsWith(".clew-install")
  );
}

async function isReady(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
  await response?.body?.cancel();
  return response?.ok ?? false;
}
