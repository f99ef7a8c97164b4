import { link, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { commandSettings } from "@clew/contract/settings";
import { resealClientKey } from "../auth/apps/registrations.ts";
import { createSigningKeys, resealSigningKeys } from "../auth/signing-keys.ts";
import { readConfig } from "../config/config.ts";
import { requireSettings } from "../config/read-settings.ts";
import { type ResealedBatch, resealGrants, resealRevocations } from "../connections/grant.ts";
import { describeLocation } from "../model/database-location.ts";
import { loadOrCreateKeyFile, readKeyFile } from "../secrets/key-file.ts";
import {
  isOpenedBy,
  keyFileOf,
  keyFingerprint,
  nextKeyFileOf,
  sealKeyCheck,
} from "../secrets/open-secrets.ts";
import { createSecrets, resealFrom, type Secrets } from "../secrets/secrets.ts";
import { fsyncFolder, openExclusively } from "../store/database.ts";
import type { Database, WriteTransaction } from "../store/port.ts";
import { readInstallation, writeInstallation } from "../store/queries/installation.ts";
import {
  bringUpToDate,
  type CliContext,
  CommandError,
  requireDatabase,
  withInstallation,
} from "./installation.ts";

/**
 * Signs session tokens with a new key from now on, on all instances. Sessions continue (SESS-7) unless the older keys are
 * revoked too. With `encryption` it changes the key that encrypts secrets instead.
 */
export async function rotateKeys(
  context: CliContext,
  { revokeOld = false, encryption = false }: { readonly revokeOld?: boolean; readonly encryption?: boolean },
): Promise<void> {
  if (encryption && revokeOld)
    throw new CommandError(
      "--encryption and --revoke-old concern different keys. Run the command once for each.",
    );
  if (encryption) return rotateEncryptionKey(context);
  await withInstallation(context, async ({ database, clock, secrets }) => {
    const { print } = context;
    const keys = await createSigningKeys({ ...context, database, clock, secrets });
    const ended = revokeOld ? await keys.revokeOld() : await keys.rotate();
    const { kid } = await keys.current();
    const older = ended === undefined ? "stay valid" : "are refused";
    print(`Session tokens are now signed with the key ${kid}. Tokens signed with older keys ${older}.`);
    if (ended !== undefined)
      print(`Sessions ended: ${ended}. All users have to sign in again; service tokens stay valid.`);
  });
}

/** Secrets per transaction. */
const batchSize = 500;

/**
 * Encrypts every secret of the database with another key: NEW_ENCRYPTION_KEY, or a new key file if a file holds the key.
 * Continues after an interruption. Clew must not be running: it refuses to start until the change is complete.
 */
async function rotateEncryptionKey(context: CliContext): Promise<void> {
  const { env, clock = Date.now, random, print } = context;
  const config = readConfig(env);
  const { databaseLocation, dataDir, encryptionKey } = config;
  await requireDatabase(config);
  const { NEW_ENCRYPTION_KEY } = commandSettings;
  const given = requireSettings({ NEW_ENCRYPTION_KEY }, env).newEncryptionKey;
  if (encryptionKey !== null && given === null)
    throw new CommandError("The key is set as ENCRYPTION_KEY. Set the new one as NEW_ENCRYPTION_KEY.");
  await bringUpToDate(context, databaseLocation);
  const database = await openExclusively(databaseLocation);
  if (database === null)
    throw new CommandError(
      `Another process has ${describeLocation(config.databaseLocation)} open: stop Clew first. Nothing was changed.`,
    );
  try {
    const keyBefore = encryptionKey ?? (await readKeyFile(keyFileOf(dataDir)));
    const keyAfter = given ?? (await loadOrCreateKeyFile(nextKeyFileOf(dataDir), random));
    if (keyBefore !== null && Buffer.from(keyAfter).equals(keyBefore))
      throw new CommandError("The new encryption key is the old one. Set NEW_ENCRYPTION_KEY to another one.");
    const before = keyBefore && createSecrets(keyBefore, random);
    const resealed = await changeKey(database, before, createSecrets(keyAfter, random));
    print(`Secrets encrypted with the new key: ${resealed}.`);
  } finally {
    await database.close();
  }
  const kept = encryptionKey === null ? await putKeyFileAside(dataDir, given !== null, clock()) : null;
  if (given !== null) print("Set the new key as ENCRYPTION_KEY from now on.");
  print(`Older backups need the old key: keep ${kept ?? "it"} for as long as you keep them.`);
}

/**
 * Encrypts all secrets with the key of `after`, and returns how many there were. `before` may be null if an earlier attempt
 * has encrypted everything already.
 */
async function changeKey(
  database: Pick<Database, "transaction">,
  before: Secrets | null,
  after: Secrets,
): Promise<number> {
  const from = await database.transaction((trx) => beginChange(trx, before, after));
  if (from === null) return 0;
  const reseal = resealFrom(from, after);
  let resealed = await database.transaction(
    async (trx) => (await resealSigningKeys(trx, reseal)) + (await resealClientKey(trx, reseal)),
  );
  for (const resealBatch of [resealGrants, resealRevocations])
    resealed += await inBatches(database, (trx, afterId) => resealBatch(trx, reseal, afterId, batchSize));
  await database.transaction((trx) =>
    writeInstallation(trx, {
      sealedKeyCheck: sealKeyCheck(after),
      nextKeyCheck: null,
      keyFingerprint: keyFingerprint(after),
    }),
  );
  return resealed;
}

/** Records that the key is being changed, and returns the secrets of the old key; null if the change is already complete. */
async function beginChange(
  trx: WriteTransaction,
  before: Secrets | null,
  after: Secrets,
): Promise<Secrets | null> {
  const installation = await readInstallation(trx);
  if (installation === null)
    throw new CommandError("Clew has never served this database, so it has no secrets to encrypt.");
  const { sealedKeyCheck, nextKeyCheck } = installation;
  if (nextKeyCheck === null && isOpenedBy(sealedKeyCheck, after)) return null;
  if (before === null || !isOpenedBy(sealedKeyCheck, before))
    throw new CommandError("The old encryption key is missing, or is not the one of this database.");
  if (nextKeyCheck === null)
    await writeInstallation(trx, { sealedKeyCheck, nextKeyCheck: sealKeyCheck(after) });
  else if (!isOpenedBy(nextKeyCheck, after))
    throw new CommandError("A change to another new key was interrupted: complete it with that key first.");
  return before;
}

async function inBatches(
  database: Pick<Database, "transaction">,
  batch: (trx: WriteTransaction, afterId: number) => Promise<ResealedBatch>,
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

/** Renames the old key file and puts the new one in its place. Returns the old one's new name; null without one. */
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
  await fsyncFolder(dirname(path));
  return kept;
}
