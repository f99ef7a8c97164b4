import { resolve } from "node:path";
import { openClientKey } from "../auth/apps/registrations.ts";
import { openSigningKey } from "../auth/signing-keys.ts";
import { type Config, readConfig } from "../config/config.ts";
import { openForRevocation, openTokens } from "../connections/grant.ts";
import { type DatabaseLocation, describeLocation } from "../model/database-location.ts";
import type { RandomBytes } from "../model/runtime.ts";
import { keyFingerprint, readSecrets } from "../secrets/open-secrets.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { inspectDatabase, openReader } from "../store/database.ts";
import { schemaVersion } from "../store/migrate.ts";
import { connectedApps } from "../store/migrations/0018-connected-apps.ts";
import type { ReadHandle } from "../store/port.ts";
import { connectionIds } from "../store/queries/connections.ts";
import { readClientKey } from "../store/queries/installation.ts";
import { revocationsAfter } from "../store/queries/revocations.ts";
import { signingKeys } from "../store/queries/signing-keys.ts";
import { withPlainBackup } from "./encrypted-backup.ts";
import { type CliContext, CommandError, requireDatabase, requireFile } from "./installation.ts";

/**
 * Checks a database, by default that of the installation: that it is intact, that its references resolve, and that the
 * key decrypts every secret in it. Changes nothing, and can run while Clew is running. Throws `CommandError` with all
 * faults.
 */
export async function verify(context: CliContext, file: string | undefined): Promise<void> {
  const { env } = context;
  const config = readConfig(env);
  if (file === undefined) {
    await requireDatabase(config);
    const name = describeLocation(config.databaseLocation);
    return verifyDatabase(config.databaseLocation, name, config, context);
  }
  const path = resolve(file);
  const draft = `${requireFile(config, "Its dumps are checked by restoring them.")}.verifying`;
  await withPlainBackup(path, { draft, env }, (plain) =>
    verifyDatabase({ kind: "sqlite", path: plain }, path, config, context),
  );
}

/** Checks the database at a location, and calls it `name`. A server checks the integrity of its databases itself. */
async function verifyDatabase(
  location: DatabaseLocation,
  name: string,
  config: Config,
  { random, print }: CliContext,
): Promise<void> {
  if (location.kind === "sqlite") requireNone(name, inspectDatabase(location.path).faults);
  const reader = await openReader(location);
  try {
    const version = await schemaVersion(reader.read);
    const { count, fingerprint } = await requireSecrets(name, reader.read, config, random);
    print(`${name} is sound: schema ${version}, ${count} secrets open with the key ${fingerprint}.`);
  } finally {
    await reader.close();
  }
}

/** Throws unless the key of the settings opens every secret in a database. Returns their number, and which key it is. */
export async function requireSecrets(
  name: string,
  db: ReadHandle,
  config: Config,
  random: RandomBytes,
): Promise<{ readonly count: number; readonly fingerprint: string }> {
  const secrets = await readSecrets(config, db, random);
  const openers = await secretOpeners(db, secrets);
  const unopened: string[] = [];
  for (const [what, open] of openers)
    await open().catch(() => unopened.push(`the ${what} does not open with the key`));
  requireNone(name, unopened);
  return { count: openers.size, fingerprint: keyFingerprint(secrets) };
}

/** A function for every secret in the database, which opens it, by what the secret is. */
async function secretOpeners(
  db: ReadHandle,
  secrets: Secrets,
): Promise<ReadonlyMap<string, () => Promise<unknown>>> {
  const openers = new Map<string, () => Promise<unknown>>();
  for (const key of await signingKeys(db))
    openers.set(`signing key ${key.kid}`, () => openSigningKey(secrets, key));
  // A backup may have an earlier schema.
  const clientKey = (await schemaVersion(db)) < connectedApps.version ? null : await readClientKey(db);
  if (clientKey !== null) openers.set("key of clients", async () => openClientKey(secrets, clientKey));
  for (const id of await connectionIds(db))
    openers.set(`grant of connection ${id}`, () => openTokens(db, secrets, id));
  for (const { id, provider, sealedToken } of await revocationsAfter(db, 0, Number.MAX_SAFE_INTEGER))
    openers.set(`revocation ${id}`, async () => openForRevocation(secrets, provider, sealedToken));
  return openers;
}

function requireNone(path: string, faults: readonly string[]): void {
  if (faults.length === 0) return;
  throw new CommandError([`${path} is not sound:`, ...faults.map((fault) => `  - ${fault}`)].join("\n"));
}
