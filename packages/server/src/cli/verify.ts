import { resolve } from "node:path";
import { openSigningKey } from "../auth/signing-keys.ts";
import { readConfig } from "../config/read-config.ts";
import { openTokens } from "../connections/grant.ts";
import { readSecrets } from "../secrets/open-secrets.ts";
import { connectionIds } from "../store/connections.ts";
import { openReader } from "../store/database.ts";
import { signingKeys } from "../store/signing-keys.ts";
import { inspectDatabase } from "../store/sqlite/inspect.ts";
import { CommandError, type Surroundings } from "./surroundings.ts";

/**
 * Checks a database, the installation's own unless a file is named: that it is whole, that what names something finds it,
 * and that the key opens every secret in it. Changes nothing, and may run beside a Clew that serves it. Throws
 * `CommandError` with all that is wrong.
 */
export async function verify({ env, random, print }: Surroundings, file: string | undefined): Promise<void> {
  const config = readConfig(env);
  const path = file === undefined ? config.databasePath : resolve(file);
  const { schemaVersion, faults } = inspectDatabase(path);
  if (faults.length > 0) throw new CommandError(`${path} is not sound:\n${listed(faults)}`);
  const reader = openReader(path);
  try {
    const secrets = await readSecrets(config, reader.read, random);
    const sealed: [what: string, open: () => Promise<unknown> | unknown][] = [
      ...(await signingKeys(reader.read)).map((key): (typeof sealed)[number] => [
        `signing key ${key.kid}`,
        () => openSigningKey(secrets, key),
      ]),
      ...(await connectionIds(reader.read)).map((id): (typeof sealed)[number] => [
        `grant of connection ${id}`,
        () => openTokens(reader.read, secrets, id),
      ]),
    ];
    const unopened: string[] = [];
    for (const [what, open] of sealed) {
      try {
        await open();
      } catch {
        unopened.push(`the ${what} does not open with the key`);
      }
    }
    if (unopened.length > 0) throw new CommandError(`${path} is not sound:\n${listed(unopened)}`);
    print(`${path} is sound: schema ${schemaVersion}, ${sealed.length} secrets open with the key.`);
  } finally {
    await reader.close();
  }
}

const listed = (faults: readonly string[]) => faults.map((fault) => `  - ${fault}`).join("\n");
