import { rm } from "node:fs/promises";
import { endSessionsOf } from "../auth/live-sessions.ts";
import { readConfig } from "../config/config.ts";
import { describeLocation } from "../model/database-location.ts";
import { loadOrCreateKeyFile, readKeyFile } from "../secrets/key-file.ts";
import {
  isOpenedBy,
  keyFileOf,
  keyFingerprint,
  nextKeyFileOf,
  sealKeyCheck,
} from "../secrets/open-secrets.ts";
import { createSecrets, type Secrets } from "../secrets/secrets.ts";
import { openExclusively } from "../store/database.ts";
import type { WriteTransaction } from "../store/port.ts";
import { readInstallation, writeInstallation } from "../store/queries/installation.ts";
import { giveUpSecrets } from "../store/queries/lost-key.ts";
import { bringUpToDate, type CliContext, CommandError, requireDatabase } from "./installation.ts";

/** The reason that people see at their workspaces. */
const reason =
  "Clew's encryption key was lost, and with it the access to this workspace. Sign in again to renew it.";

/**
 * Gives up the secrets that only a lost encryption key opens, and starts anew with another key: that of ENCRYPTION_KEY or of the
 * key file, or a new key file. Sessions end and all people have to sign in again; accounts, service tokens, graphs, texts and audit
 * trails stay. Throws `CommandError`, with nothing changed, while Clew runs or if a key at hand opens the secrets.
 */
export async function resetLostKey(context: CliContext): Promise<void> {
  const { env, clock = Date.now, random, print } = context;
  const config = readConfig(env);
  const { databaseLocation, dataDir, encryptionKey } = config;
  await requireDatabase(config);
  await bringUpToDate(context, databaseLocation);
  const database = await openExclusively(databaseLocation);
  if (database === null)
    throw new CommandError(
      `Another process has ${describeLocation(databaseLocation)} open: stop Clew first. Nothing was changed.`,
    );
  try {
    const key = encryptionKey ?? (await readKeyFile(keyFileOf(dataDir)));
    const nextKey = await readKeyFile(nextKeyFileOf(dataDir));
    const atHand = [key, nextKey].filter((each) => each !== null);
    const known = atHand.map((each) => createSecrets(each, random));
    await database.transaction((trx) => requireLost(trx, known));
    const secrets = createSecrets(key ?? (await loadOrCreateKeyFile(keyFileOf(dataDir), random)), random);
    const { ended, connections, revocations } = await database.transaction(async (trx) => {
      const now = clock();
      const givenUp = await giveUpSecrets(trx, { now, reason });
      const ended = await endSessionsOf(trx, null, now);
      await writeInstallation(trx, {
        sealedKeyCheck: sealKeyCheck(secrets),
        nextKeyCheck: null,
        keyFingerprint: keyFingerprint(secrets),
      });
      return { ended, ...givenUp };
    });
    // It belonged to a change of the lost key.
    await rm(nextKeyFileOf(dataDir), { force: true });
    const place = encryptionKey === null ? keyFileOf(dataDir) : "ENCRYPTION_KEY";
    print(
      `Secrets are sealed with the key in ${place} from now on, fingerprint ${keyFingerprint(secrets)}. Back it up, elsewhere than the database.`,
    );
    print(
      `Workspaces that wait for their owners to sign in again: ${connections}. Sessions ended: ${ended}. Service tokens, graphs, texts and audit trails are as they were.`,
    );
    print(
      "Programs that registered with Clew have to register again. Earlier backups still need the lost key.",
    );
    if (revocations > 0)
      print(
        `Clew can no longer revoke ${revocations} grants of people who disconnected: they can remove Clew at the provider.`,
      );
  } finally {
    await database.close();
  }
}

/** Throws `CommandError` if one of the keys opens the secrets of the database. */
async function requireLost(trx: WriteTransaction, keys: readonly Secrets[]): Promise<void> {
  const installation = await readInstallation(trx);
  if (installation === null)
    throw new CommandError("Clew has never served this database, so there is no key to lose.");
  if (keys.some((key) => isOpenedBy(installation.sealedKeyCheck, key)))
    throw new CommandError(
      "The key is not lost: it opens the secrets of this database. To change it, run `clew keys rotate --encryption`. Nothing was changed.",
    );
}
