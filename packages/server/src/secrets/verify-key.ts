import type { Database } from "../store/database.ts";
import { readInstallation, writeInstallation } from "../store/installation.ts";
import { SecretsError } from "./error.ts";
import type { Secrets } from "./secrets.ts";

const context = "key-check";

/**
 * Makes sure at start that the key is the one this database's secrets are sealed with (SIGN-8). The first start
 * leaves the check behind. Throws `SecretsError` `wrong_key`.
 */
export async function verifyKey(database: Database, secrets: Secrets): Promise<void> {
  await database.transaction(async (trx) => {
    const installation = await readInstallation(trx);
    if (installation === null) {
      await writeInstallation(trx, { sealedKeyCheck: secrets.seal(Buffer.from("clew"), context) });
      return;
    }
    try {
      secrets.open(installation.sealedKeyCheck, context);
    } catch (cause) {
      throw new SecretsError(
        "wrong_key",
        "The encryption key is not the one this database was set up with: give the right ENCRYPTION_KEY, or put the key file of the backup back in its place",
        { cause },
      );
    }
  });
}
