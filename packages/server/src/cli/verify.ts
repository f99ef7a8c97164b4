import { resolve } from "node:path";
import { openSigningKey } from "../auth/signing-keys.ts";
import { type Config, readConfig } from "../config/config.ts";
import { openTokens } from "../connections/grant.ts";
import { readSecrets } from "../secrets/open-secrets.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { inspectDatabase, openReader } from "../store/database.ts";
import type { ReadHandle } from "../store/port.ts";
import { connectionIds } from "../store/queries/connections.ts";
import { signingKeys } from "../store/queries/signing-keys.ts";
import { withPlainBackup } from "./encrypted-backup.ts";
import { type CliContext, CommandError } from "./installation.ts";

/**
 * Checks a database, by default that of the installation: that it is intact, that its references resolve, and that the
 * key decrypts every secret in it. Changes nothing, and can run while Clew is running. Throws `CommandError` with all
 * faults.
 */
export async function verify(context: CliContext, file: string | undefined): Promise<void> {
  const { env } = context;
  const config = readConfig(env);
  if (file === undefined) return verifyDatabase(config.databasePath, config.databasePath, config, context);
  const path = resolve(file);
  const draft = `${config.databasePath}.verifying`;
  await withPlainBackup(path, { draft, env }, (plain) => verifyDatabase(plain, path, config, context));
}

/** Checks the database at `path`, and calls it `name`. */
async function verifyDatabase(
  path: string,
  name: string,
  config: Config,
  { random, print }: CliContext,
): Promise<void> {
  const { schemaVersion, faults } = inspectDatabase(path);
  requireNone(name, faults);
  const reader = openReader(path);
  try {
    const secrets = await readSecrets(config, reader.read, random);
    const sealed = await sealedIn(reader.read, secrets);
    const unopened: string[] = [];
    for (const { what, open } of sealed)
      await open().catch(() => unopened.push(`the ${what} does not open with the key`));
    requireNone(name, unopened);
    print(`${name} is sound: schema ${schemaVersion}, ${sealed.length} secrets open with the key.`);
  } finally {
    await reader.close();
  }
}

/** Every secret in the database. */
async function sealedIn(db: ReadHandle, secrets: Secrets) {
  const keys = (await signingKeys(db)).map((key) => ({
    what: `signing key ${key.kid}`,
    open: async () => openSigningKey(secrets, key),
  }));
  const grants = (await connectionIds(db)).map((id) => ({
    what: `grant of connection ${id}`,
    open: () => openTokens(db, secrets, id),
  }));
  return [...keys, ...grants];
}

function requireNone(path: string, faults: readonly string[]): void {
  if (faults.length === 0) return;
  throw new CommandError([`${path} is not sound:`, ...faults.map((fault) => `  - ${fault}`)].join("\n"));
}
