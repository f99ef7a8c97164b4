import { constants, type Stats } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { reasonOf } from "../model/thrown.ts";
import type { Config } from "./config.ts";
import { isInContainer, nearestFound, ownership, ownName, quoted } from "./file-access.ts";
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

/** The folder for files of built graphs. Each installation has its own: ids of connections mean nothing in another one. */
export function graphFolder(dataDir: string, fingerprint: Uint8Array): string {
  return join(dataDir, "graphs", Buffer.from(fingerprint).toString("hex").slice(0, 16));
}

/** The file of a connection's graph in that folder. */
export const graphFilePath = (folder: string, connectionId: number) => join(folder, `${connectionId}.graph`);

const writing = constants.R_OK | constants.W_OK | constants.X_OK;

/** Whether this installation keeps anything in DATA_DIR. */
const isWritten = ({ dataDir, databaseLocation, encryptionKey, provider }: Config): boolean =>
  encryptionKey === null ||
  (databaseLocation.kind === "sqlite" && dirname(databaseLocation.path) === dataDir) ||
  provider.isDemo;

/** The reason why this process cannot write to a folder, or create it, and what to do; null if it can, as far as this can tell. */
async function dataDirFault(folder: string): Promise<string | null> {
  const { path, stats } = nearestFound(folder);
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
  const problem = isThere ? "cannot be written: it" : `cannot be created: ${path}`;
  const isContainer = isInContainer();
  // The host does not know the names of a container.
  const user = isContainer ? String(process.getuid?.()) : ownName();
  const name = quoted(folder);
  const commands = isThere
    ? [`sudo chown -R ${user} ${name}`, `sudo chmod -R u+rwX ${name}`]
    : [`sudo mkdir -p ${name}`, `sudo chown ${user} ${name}`];
  return [
    `is ${folder}, and ${problem} ${ownership(stats)}. Set DATA_DIR to a folder that ${ownName()} can write, or run:`,
    ...commands.map((command) => `      ${command}`),
    ...(isContainer ? [containerAdvice(stats)] : []),
  ].join("\n");
}

function containerAdvice({ uid, gid }: Stats): string {
  const asOwner = uid === 0 ? "" : `, or start the container as the folder's owner (--user ${uid}:${gid})`;
  return `    In a container: mount a named volume there, run them on the host for the folder that is mounted there${asOwner}.`;
}
