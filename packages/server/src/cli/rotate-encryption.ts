import { link, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { commandSettings } from "@clew/contract/settings";
import { resealSigningKeys } from "../auth/signing-keys.ts";
import { readConfig } from "../config/config.ts";
import { ConfigError, type Environment, readSettings } from "../config/read-settings.ts";
import { type ResealedBatch, resealGrants, resealRevocations } from "../connections/grant.ts";
import { loadOrCreateKeyFile, readKeyFile } from "../secrets/key-file.ts";
import { isOpenedBy, keyFileOf, nextKeyFileOf, sealKeyCheck } from "../secrets/open-secrets.ts";
import { createSecrets, resealFrom, type Secrets } from "../secrets/secrets.ts";
import { openDatabase, openExclusively } from "../store/database.ts";
import type { Database, WriteTransaction } from "../store/port.ts";
import { readInstallation, writeInstallation } from "../store/queries/installation.ts";
import { syncFolder } from "../store/sync-folder.ts";
import { type CliContext, CommandError } from "./context.ts";
import { requireDatabase } from "./installation.ts";

/** Secrets to a transaction. */
const batchSize = 500;

/** The two keys of a change. A change that is resumed may find the first one gone. */
interface Keys {
  readonly before: Secrets | null;
  readonly after: Secrets;
}

/**
 * Seals every secret of the database with another encryption key: NEW_ENCRYPTION_KEY, or a new key file where a file holds the
 * key. Goes on where it was interrupted. Clew must not run: it knows one key, and refuses to start until the change is
 * finished.
 */
export async function rotateEncryptionKey({ env, clock, random, print }: CliContext): Promise<void> {
  const { databasePath, dataDir, encryptionKey } = readConfig(env);
  requireDatabase(databasePath);
  const given = readNewKey(env);
  if (encryptionKey !== null && given === null)
    throw new CommandError("ENCRYPTION_KEY holds the key: give the new one as NEW_ENCRYPTION_KEY.");
  // Brings the schema up to date.
  await (await openDatabase({ path: databasePath })).close();
  const database = openExclusively(databasePath);
  if (database === null)
    throw new CommandError(`Another process has ${databasePath} open: stop Clew first. Nothing was changed.`);
  try {
    const keyBefore = encryptionKey ?? (await readKeyFile(keyFileOf(dataDir)));
    const keyAfter = given ?? (await loadOrCreateKeyFile(nextKeyFileOf(dataDir), random));
    if (keyBefore !== null && Buffer.from(keyAfter).equals(keyBefore))
      throw new CommandError("The new encryption key is the old one.");
    const keys = {
      before: keyBefore && createSecrets(keyBefore, random),
      after: createSecrets(keyAfter, random),
    };
    const resealed = await change(database, keys);
    print(`Secrets sealed with the new key: ${resealed}.`);
  } finally {
    await database.close();
  }
  const kept = encryptionKey === null ? await putKeyFileAside(dataDir, given !== null, clock()) : null;
  if (given !== null) print("Give the new key as ENCRYPTION_KEY from now on.");
  print(
    `Backups made until now open with the old key alone: keep ${kept ?? "it"} for as long as you keep them.`,
  );
}

function readNewKey(env: Environment): Uint8Array | null {
  const { NEW_ENCRYPTION_KEY } = commandSettings;
  const { values, faults } = readSettings({ NEW_ENCRYPTION_KEY }, env);
  if (faults.length > 0) throw new ConfigError(faults);
  return values.newEncryptionKey;
}

/** Returns how many secrets were sealed anew. */
async function change(database: Pick<Database, "transaction">, { before, after }: Keys): Promise<number> {
  const from = await database.transaction((trx) => begin(trx, { before, after }));
  if (from === null) return 0;
  const reseal = resealFrom(from, after);
  let resealed = await database.transaction((trx) => resealSigningKeys(trx, reseal));
  for (const kind of [resealGrants, resealRevocations])
    resealed += await inBatches(database, (trx, next) => kind(trx, reseal, next, batchSize));
  await database.transaction((trx) =>
    writeInstallation(trx, { sealedKeyCheck: sealKeyCheck(after), nextKeyCheck: null }),
  );
  return resealed;
}

/** Notes that the key is being changed; null where that was finished before. Returns what still opens with the old key. */
async function begin(trx: WriteTransaction, { before, after }: Keys): Promise<Secrets | null> {
  const installation = await readInstallation(trx);
  if (installation === null)
    throw new CommandError("No Clew ever served this database: there is nothing to do.");
  const { sealedKeyCheck, nextKeyCheck } = installation;
  if (nextKeyCheck === null && isOpenedBy(sealedKeyCheck, after)) return null;
  if (before === null || !isOpenedBy(sealedKeyCheck, before))
    throw new CommandError("The old encryption key is missing, or is not the one of this database.");
  if (nextKeyCheck === null)
    await writeInstallation(trx, { sealedKeyCheck, nextKeyCheck: sealKeyCheck(after) });
  else if (!isOpenedBy(nextKeyCheck, after))
    throw new CommandError("A change to another new key was begun: finish it with that one.");
  return before;
}

async function inBatches(
  database: Pick<Database, "transaction">,
  batch: (trx: WriteTransaction, after: number) => Promise<ResealedBatch>,
): Promise<number> {
  let resealed = 0;
  for (let after: number | null = 0; after !== null; ) {
    const from = after;
    const done: ResealedBatch = await database.transaction((trx) => batch(trx, from));
    resealed += done.resealed;
    after = done.next;
  }
  return resealed;
}

/** The new file takes the name of the old one, which is kept under another; its name, or null where there is none. */
async function putKeyFileAside(
  dataDir: string,
  replacedBySetting: boolean,
  now: number,
): Promise<string | null> {
  const path = keyFileOf(dataDir);
  if ((await readKeyFile(path)) === null) return null;
  const kept = `${path}.before-${new Date(now).toISOString().replaceAll(/[-:.]/g, "")}`;
  if (replacedBySetting) await rename(path, kept);
  else {
    await link(path, kept);
    await rename(nextKeyFileOf(dataDir), path);
  }
  await syncFolder(dirname(path));
  return kept;
}
