import type { Database, ReadHandle } from "../store/port.ts";
import { readInstallation, writeInstallation } from "../store/queries/installation.ts";
import { SecretsError } from "./error.ts";
import type { Secrets } from "./secrets.ts";

const context = "key-check";

/**
 * Makes sure at start that the key is the one this database's secrets are sealed with (SIGN-8). The first start
 * leaves the check behind. Throws `SecretsError` `wrong_key`.
 */
export async function verifyKey(database: Database, secrets: Secrets): Promise<void> {
  await database.transaction(async (trx) => {
    if (await opensKeyCheck(trx, secrets)) return;
    await writeInstallation(trx, { sealedKeyCheck: sealKeyCheck(secrets), nextKeyCheck: null });
  });
}

/** Whether the key is the database's; false where it was never started with any. Throws `SecretsError` `wrong_key` or `unfinished_change`. */
export async function opensKeyCheck(db: ReadHandle, secrets: Pick<Secrets, "open">): Promise<boolean> {
  const installation = await readInstallation(db);
  if (installation === null) return false;
  if (installation.nextKeyCheck !== null) throw unfinishedChange();
  if (isOpenedBy(installation.sealedKeyCheck, secrets)) return true;
  throw new SecretsError(
    "wrong_key",
    "The encryption key is not the one this database was set up with: give the right ENCRYPTION_KEY, or put the key file of the backup back in its place",
  );
}

export const unfinishedChange = () =>
  new SecretsError(
    "unfinished_change",
    "The encryption key is being changed: run `clew keys rotate --encryption` again, which finishes it",
  );

/** What only the right key opens. */
export const sealKeyCheck = (secrets: Pick<Secrets, "seal">) => secrets.seal(Buffer.from("clew"), context);

/** Whether a key check was sealed with this key. */
export function isOpenedBy(keyCheck: Uint8Array, secrets: Pick<Secrets, "open">): boolean {
  try {
    secrets.open(keyCheck, context);
    return true;
  } catch (error) {
    if (error instanceof SecretsError) return false;
    throw error;
  }
}
