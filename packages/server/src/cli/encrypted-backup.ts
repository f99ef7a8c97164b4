import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { commandSettings } from "@clew/contract/settings";
import type { Encrypter } from "age-encryption";
import { type Environment, requireSettings } from "../config/read-settings.ts";
import { fsyncFolder } from "../store/database.ts";
import { CommandError, removeDatabase } from "./installation.ts";

/** Loaded only for an encrypted backup: without it, Clew and every other command start sooner. */
const loadAge = () => import("age-encryption");

/** The beginning of a file in the age format. https://age-encryption.org/v1 */
const magic = Buffer.from("age-encryption.org/v1\n");

/** The keys of backups from the settings. Throws `ConfigError` if they are wrong. */
function readBackupKeys(env: Environment) {
  const { BACKUP_RECIPIENTS, BACKUP_IDENTITY, BACKUP_PASSPHRASE } = commandSettings;
  return requireSettings({ BACKUP_RECIPIENTS, BACKUP_IDENTITY, BACKUP_PASSPHRASE }, env);
}

/** Creates the encrypter that the settings describe. Throws `CommandError` if they name neither recipients nor a passphrase. */
export async function backupEncrypter(env: Environment): Promise<Encrypter> {
  const { backupRecipients: recipients, backupPassphrase: passphrase } = readBackupKeys(env);
  const age = await loadAge();
  const encrypter = new age.Encrypter();
  try {
    for (const recipient of recipients) encrypter.addRecipient(recipient);
  } catch (cause) {
    throw new CommandError("BACKUP_RECIPIENTS must list recipients of age (age1…).", { cause });
  }
  if (recipients.length > 0) return encrypter;
  if (passphrase === null) throw new CommandError("Set BACKUP_RECIPIENTS (age1…) or BACKUP_PASSPHRASE.");
  encrypter.setPassphrase(passphrase);
  return encrypter;
}

/** Encrypts a file of any size to `target` (mode 0600), which appears complete or not at all. */
export async function encryptFile(path: string, target: string, encrypter: Encrypter): Promise<void> {
  const unfinished = `${target}.unfinished`;
  await rm(unfinished, { force: true });
  try {
    const encrypted = await encrypter.encrypt(ReadableStream.from<Uint8Array>(createReadStream(path)));
    await pipeline(encrypted, createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true }));
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await fsyncFolder(dirname(target));
}

/**
 * Runs `work` on a backup in plain text: the file itself, or its decrypted copy, which exists at `draft` only meanwhile.
 * Throws `CommandError` if the backup cannot be decrypted, was altered or is truncated.
 */
export async function withPlainBackup<Result>(
  source: string,
  { draft, env }: { readonly draft: string; readonly env: Environment },
  work: (plain: string) => Promise<Result>,
): Promise<Result> {
  if (!(await isEncrypted(source))) return work(source);
  try {
    await decryptFile(source, draft, readBackupKeys(env));
    return await work(draft);
  } finally {
    await removeDatabase(draft);
  }
}

async function isEncrypted(path: string): Promise<boolean> {
  const file = await open(path, "r").catch((cause) => {
    throw new CommandError(`${path} cannot be read.`, { cause });
  });
  try {
    const { buffer } = await file.read(Buffer.alloc(magic.length), 0, magic.length, 0);
    return buffer.equals(magic);
  } finally {
    await file.close();
  }
}

async function decryptFile(
  source: string,
  target: string,
  { backupIdentity: identity, backupPassphrase: passphrase }: ReturnType<typeof readBackupKeys>,
): Promise<void> {
  const age = await loadAge();
  const decrypter = new age.Decrypter();
  if (identity !== null) decrypter.addIdentity(identity);
  if (passphrase !== null) decrypter.addPassphrase(passphrase);
  if (identity === null && passphrase === null)
    throw new CommandError(`${source} is encrypted: set BACKUP_IDENTITY or BACKUP_PASSPHRASE.`);
  await rm(target, { force: true });
  try {
    const plain = await decrypter.decrypt(ReadableStream.from<Uint8Array>(createReadStream(source)));
    await pipeline(plain, createWriteStream(target, { flags: "wx", mode: 0o600 }));
  } catch (cause) {
    throw new CommandError(
      `${source} cannot be decrypted: BACKUP_IDENTITY or BACKUP_PASSPHRASE is wrong, or the file was altered or is truncated.`,
      { cause },
    );
  }
}
