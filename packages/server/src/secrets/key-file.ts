import { link, mkdir, open, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RandomBytes } from "../model/runtime.ts";
import { codeOf } from "../model/thrown.ts";
import { fsyncFolder } from "../store/database.ts";
import { keyBytes, SecretsError } from "./secrets.ts";

/** Windows has no mode bits. */
const posix = process.platform !== "win32";

/**
 * Reads the key from the file at `path`, which is created with mode 0600 if it is missing. If several processes start
 * at once, one creates the key and all read it. The file holds the key as base64, like `ENCRYPTION_KEY`.
 * Throws `SecretsError`: `invalid_key` if the file holds anything else, `exposed_key` if other users may read it,
 * `unreadable_key` if this process may not.
 */
export async function loadOrCreateKeyFile(path: string, random: RandomBytes): Promise<Uint8Array> {
  return (await readKeyFile(path)) ?? (await createKeyFile(path, random));
}

/** Reads the key from the file at `path`; null if there is no file. Throws as `loadOrCreateKeyFile` does. */
export async function readKeyFile(path: string): Promise<Uint8Array | null> {
  const file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw new SecretsError("unreadable_key", `The key file ${path} cannot be read`, { cause: error });
  });
  if (file === null) return null;
  try {
    const { mode } = await file.stat();
    if (posix && (mode & 0o077) !== 0) {
      const shown = (mode & 0o777).toString(8);
      throw new SecretsError(
        "exposed_key",
        `Other users may read the key file ${path} (mode ${shown}). Set its mode to 600, and change the key if they did read it: \`clew keys rotate --encryption\``,
      );
    }
    const text = (await file.readFile("latin1")).trimEnd();
    const key = Buffer.from(text, "base64");
    if (key.length !== keyBytes || key.toString("base64") !== text) {
      throw new SecretsError(
        "invalid_key",
        `The key file ${path} does not hold ${keyBytes} bytes as base64: restore it from the backup of the key`,
      );
    }
    return new Uint8Array(key);
  } finally {
    await file.close();
  }
}

/** A hard link appears whole or not at all and never replaces a file: the first process wins. */
async function createKeyFile(path: string, random: RandomBytes): Promise<Uint8Array> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${Buffer.from(random(8)).toString("hex")}.draft`;
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(`${Buffer.from(random(keyBytes)).toString("base64")}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  await fsyncFolder(folder);
  const key = await readKeyFile(path);
  if (key === null)
    throw new SecretsError("invalid_key", `The key file ${path} disappeared while it was created`);
  return key;
}

/**
 * Stores the key of the provider's webhooks as `webhook.key` with mode 0600, and returns the path of the file; null if
 * there is one already, which stays.
 */
export async function storeWebhookKey(dataDir: string, key: string): Promise<string | null> {
  const path = join(dataDir, "webhook.key");
  try {
    await writeFile(path, `${key}\n`, { mode: 0o600, flag: "wx" });
    return path;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return null;
    throw error;
  }
}
