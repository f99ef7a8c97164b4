import { constants, type Stats } from "node:fs";
import { access, mkdir, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import { reasonOf } from "../model/thrown.ts";
import type { Config } from "./config.ts";
import { ConfigError } from "./read-settings.ts";

/**
 * Creates DATA_DIR if it is missing. Throws a `ConfigError` that says what to do if it cannot be created, or if Clew cannot
 * write there and has to.
 */
export async function prepareDataDir(config: Config): Promise<void> {
  const { dataDir } = config;
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    if (isWritten(config)) await access(dataDir, writing);
  } catch (error) {
    const fault = (await dataDirFault(dataDir)) ?? reasonOf(error);
    throw new ConfigError([`DATA_DIR ${fault}`]);
  }
}

/** Throws a `ConfigError` that says what to do if Clew cannot write to DATA_DIR, or create it, and has to. Changes nothing. */
export async function requireDataDirWritable(config: Config): Promise<void> {
  const fault = isWritten(config) ? await dataDirFault(config.dataDir) : null;
  if (fault !== null) throw new ConfigError([`DATA_DIR ${fault}`]);
}

/** Throws a `ConfigError` if this process may not look into DATA_DIR: it could not tell what is there. */
export async function requireDataDirVisible({ dataDir }: Config): Promise<void> {
  const code = await access(dataDir, constants.X_OK).then(
    () => null,
    (error: NodeJS.ErrnoException) => error.code,
  );
  const fault = code === null || code === "ENOENT" ? null : await dataDirFault(dataDir);
  if (fault !== null) throw new ConfigError([`DATA_DIR ${fault}`]);
}

const writing = constants.R_OK | constants.W_OK | constants.X_OK;

/** Whether this installation keeps anything in DATA_DIR. */
const isWritten = ({ dataDir, databaseLocation, encryptionKey, provider }: Config): boolean =>
  encryptionKey === null ||
  (databaseLocation.kind === "sqlite" && dirname(databaseLocation.path) === dataDir) ||
  provider.isDemo;

/** The reason why this process cannot write to a folder, or create it, and what to do; null if it can, as far as this can tell. */
async function dataDirFault(folder: string): Promise<string | null> {
  const { path, stats } = await nearestFound(folder);
  const isThere = path === folder;
  if (!stats.isDirectory())
    return `is ${folder}, ${isThere ? "which" : `and ${path}`} is a file: move it away, or set DATA_DIR to a folder`;
  // Asked again, because on a read-only file system the error of a recursive `mkdir` is ENOENT.
  const code = await access(path, writing).then(
    () => null,
    (error: NodeJS.ErrnoException) => error.code,
  );
  if (code === null) return null;
  if (code === "EROFS")
    return `is ${folder}, where the file system is read-only: set DATA_DIR to a folder that Clew can write`;
  const user = ownName();
  const quoted = `'${folder.replaceAll("'", "'\\''")}'`;
  const commands = isThere
    ? [`sudo chown -R ${user} ${quoted}`, `sudo chmod -R u+rwX ${quoted}`]
    : [`sudo mkdir -p ${quoted}`, `sudo chown ${user} ${quoted}`];
  const problem = isThere ? "cannot be written: it" : `cannot be created: ${path}`;
  return [
    `is ${folder}, and ${problem} belongs to ${nameOf(stats)} (mode ${(stats.mode & 0o777).toString(8)}), and Clew runs as ${user}. Set DATA_DIR to a folder that ${user} can write, or run:`,
    ...commands.map((command) => `      ${command}`),
  ].join("\n");
}

/** A file or folder, or the nearest folder above it that can be seen. */
async function nearestFound(path: string): Promise<{ readonly path: string; readonly stats: Stats }> {
  try {
    return { path, stats: await stat(path) };
  } catch (error) {
    if (dirname(path) === path) throw error;
    return nearestFound(dirname(path));
  }
}

/** The user of this process: a name, or a number that no name belongs to. */
function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

function nameOf({ uid }: Stats): string {
  if (uid === process.getuid?.()) return ownName();
  return uid === 0 ? "root" : `user ${uid}`;
}
