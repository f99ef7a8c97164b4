import { existsSync } from "node:fs";
import { lstat, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Config, readConfig } from "../config/config.ts";
import { codeOf, reasonOf } from "../model/thrown.ts";
import { keyFileOf } from "../secrets/open-secrets.ts";
import { copyDatabase, openDatabase, openReader } from "../store/database.ts";
import { newestVersion, schemaVersion } from "../store/migrate.ts";
import { shared } from "../store/migrations/shared.ts";
import { readKeyFingerprint, recordBackup } from "../store/queries/installation.ts";
import { backupEncrypter, encryptFile } from "./encrypted-backup.ts";
import {
  type CliContext,
  CommandError,
  removeDatabase,
  requireDatabase,
  requireFile,
  requireIntact,
  withInstallation,
} from "./installation.ts";

interface BackupOptions {
  /** Replaces an existing file. */
  readonly force?: boolean;
  readonly encrypt?: boolean;
  /** The number of files to keep in the folder, each with the time in its name. */
  readonly keep?: number;
}

/**
 * Copies the committed state of the database, also while Clew is running, and checks the copy. It does not contain the key.
 * Texts, titles, names and e-mail addresses are in plain text unless the backup is encrypted. `path` is that of the copy, or
 * with `keep` that of a folder. The time of the backup is recorded in the database, for the metrics.
 */
export async function backup(context: CliContext, path: string, options: BackupOptions): Promise<void> {
  const { keep, ...others } = options;
  if (keep === undefined) return backUpTo(context, resolve(path), others);
  if (others.force) throw new CommandError("--keep makes a new file each time: leave --force out.");
  const folder = resolve(path);
  await prepareFolder(folder);
  const name = keptName((context.clock ?? Date.now)(), others.encrypt ?? false);
  await backUpTo(context, join(folder, name), others);
  for (const old of (await keptIn(folder)).filter((each) => each !== name).slice(keep - 1)) {
    await rm(join(folder, old));
    context.print(`Removed ${old}: ${keep} backups are kept.`);
  }
}

/** Creates the folder for backups, for this user alone, unless it is there. Its parent must be. */
async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const isThere = codeOf(error) === "EEXIST" && (await stat(folder)).isDirectory();
    if (!isThere) throw new CommandError(`${folder} is no folder for backups: ${reasonOf(error)}.`);
  }
}

async function backUpTo(
  context: CliContext,
  target: string,
  { force = false, encrypt = false }: BackupOptions,
): Promise<void> {
  const { env, print } = context;
  const config = readConfig(env);
  const { dataDir, encryptionKey } = config;
  const databasePath = requireFile(
    config,
    "Back it up with pg_dump --format=custom, which reads one consistent snapshot while Clew runs; the text index may be left out with --exclude-table-data='text_*'. Then record it for the metrics with `clew backup --record`. It does not contain ENCRYPTION_KEY: keep that as well, elsewhere. docs/operations.md has the steps.",
  );
  await requireDatabase(config);
  if (target === databasePath)
    throw new CommandError("The backup cannot be written to the path of the database.");
  if (!force && existsSync(target))
    throw new CommandError(`${target} exists already: choose another path, or use --force.`);
  // Fails before the long work starts.
  const encrypter = encrypt ? await backupEncrypter(env) : null;
  // The plain copy stays in the folder of the database.
  const copy = encrypter === null ? target : `${databasePath}.backing-up`;
  const at = (context.clock ?? Date.now)();
  let fingerprint: string | null = null;
  try {
    await copyDatabase(databasePath, copy);
    const schemaVersion = requireIntact(copy, `The copy ${copy} is damaged`);
    fingerprint = await fingerprintIn(copy);
    if (encrypter !== null) await encryptFile(copy, target, encrypter);
    const { size } = await stat(target);
    print(`${target}: ${size} bytes, schema ${schemaVersion}, checked${encrypt ? ", encrypted" : ""}.`);
  } finally {
    if (copy !== target) await removeDatabase(copy);
  }
  // The backup is good all the same.
  await record(config, at).catch((error) =>
    print(`The time of this backup could not be recorded for the metrics: ${reasonOf(error)}`),
  );
  if (!encrypt)
    print("It contains page texts, titles, names and e-mail addresses in plain text; --encrypt encrypts it.");
  const key = encryptionKey === null ? keyFileOf(dataDir) : "ENCRYPTION_KEY";
  const named = fingerprint === null ? "" : `, which has the fingerprint ${fingerprint}`;
  print(`It does not contain the key that decrypts its secrets${named}: keep ${key} as well, elsewhere.`);
}

/** The fingerprint of the key of a database in a file, if the file has it. */
async function fingerprintIn(path: string): Promise<string | null> {
  const reader = await openReader({ kind: "sqlite", path });
  try {
    return await readKeyFingerprint(reader.read);
  } finally {
    await reader.close();
  }
}

/** Records the time of a good backup, unless that would migrate the database under the Clew that runs. */
async function record({ databaseLocation }: Config, at: number): Promise<void> {
  const reader = await openReader(databaseLocation);
  const version = await schemaVersion(reader.read).finally(() => reader.close());
  if (version !== newestVersion(shared)) return;
  const database = await openDatabase({ location: databaseLocation });
  try {
    await database.record((trx) => recordBackup(trx, at));
  } finally {
    await database.close();
  }
}

/** Records a backup that other programs have made, such as `pg_dump`. */
export async function recordOtherBackup(
  context: CliContext,
  path: string | undefined,
  options: BackupOptions,
): Promise<void> {
  if (path !== undefined || Object.keys(options).length > 0)
    throw new CommandError("--record makes no backup: use it alone.");
  await withInstallation(context, async ({ database, clock }) => {
    const at = clock();
    await database.record((trx) => recordBackup(trx, at));
    context.print(`A good backup is recorded, as of ${new Date(at).toISOString()}.`);
  });
}

/** The names of the files that `--keep` makes: it never removes another one. */
const keptPattern = /^clew-\d{8}T\d{6}Z\.db(?:\.age)?$/;

function keptName(now: number, isEncrypted: boolean): string {
  const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  return `clew-${time}.db${isEncrypted ? ".age" : ""}`;
}

/** The files that `--keep` has made in a folder, newest first. */
async function keptIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => keptPattern.test(name));
  const files: string[] = [];
  for (const name of names) if ((await lstat(join(folder, name))).isFile()) files.push(name);
  return files.sort().toReversed();
}
