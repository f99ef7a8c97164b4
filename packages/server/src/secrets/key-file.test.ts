import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { loadOrCreateKeyFile, storeWebhookKey } from "./key-file.ts";

async function scratchFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "clew-key-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("SIGN-8: the key file is created on first start with mode 0600, and read from then on", async (t) => {
  const folder = join(await scratchFolder(t), "data");
  const path = join(folder, "encryption.key");
  const key = await loadOrCreateKeyFile(path, randomBytes);
  assert.equal(key.length, 32);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  assert.deepEqual(await readdir(folder), ["encryption.key"]);
  assert.deepEqual(await loadOrCreateKeyFile(path, randomBytes), key);
});

test("SIGN-8: the key file has the format of ENCRYPTION_KEY", async (t) => {
  const path = join(await scratchFolder(t), "encryption.key");
  const key = await loadOrCreateKeyFile(path, randomBytes);
  assert.equal(await readFile(path, "utf8"), `${Buffer.from(key).toString("base64")}\n`);
});

test("SIGN-8: simultaneous first starts agree on one key", async (t) => {
  const path = join(await scratchFolder(t), "encryption.key");
  const keys = await Promise.all(Array.from({ length: 20 }, () => loadOrCreateKeyFile(path, randomBytes)));
  for (const key of keys) assert.deepEqual(key, keys[0]);
});

test("SIGN-8: a key file that another process created meanwhile is used, not replaced", async (t) => {
  const path = join(await scratchFolder(t), "encryption.key");
  const theirs = `${randomBytes(32).toString("base64")}\n`;
  const key = await loadOrCreateKeyFile(path, (size) => {
    writeFileSync(path, theirs, { mode: 0o600 });
    return randomBytes(size);
  });
  assert.equal(`${Buffer.from(key).toString("base64")}\n`, theirs);
  assert.equal(await readFile(path, "utf8"), theirs);
});

test("SIGN-8: a key file that does not hold 32 bytes as base64 is refused and left alone", async (t) => {
  const path = join(await scratchFolder(t), "encryption.key");
  const bytes = (size: number) => randomBytes(size).toString("base64");
  for (const text of ["", "\n", bytes(31), bytes(33), `${bytes(32)}=`, ` ${bytes(32)}`, "-".repeat(44)]) {
    await writeFile(path, text, { mode: 0o600 });
    await assert.rejects(loadOrCreateKeyFile(path, randomBytes), { code: "invalid_key" }, text);
    assert.equal(await readFile(path, "utf8"), text);
  }
});

test("SIGN-8: a key file that others may read is refused", async (t) => {
  const path = join(await scratchFolder(t), "encryption.key");
  await loadOrCreateKeyFile(path, randomBytes);
  for (const mode of [0o640, 0o604, 0o620, 0o602]) {
    await chmod(path, mode);
    const shown = new RegExp(`mode ${mode.toString(8)}`);
    await assert.rejects(loadOrCreateKeyFile(path, randomBytes), { code: "exposed_key", message: shown });
  }
});

test("SIGN-8: a key file that cannot be reached is refused, with the cause", async (t) => {
  const file = join(await scratchFolder(t), "file");
  await writeFile(file, "");
  await assert.rejects(loadOrCreateKeyFile(join(file, "encryption.key"), randomBytes), (error: Error) => {
    assert.equal("code" in error && error.code, "unreadable_key");
    return error.cause instanceof Error && "code" in error.cause && error.cause.code === "ENOTDIR";
  });
});

const descriptors = "/proc/self/fd";

test("SIGN-8: no key file stays open after it was read or written", {
  skip: !existsSync(descriptors),
}, async (t) => {
  const path = join(await scratchFolder(t), "encryption.key");
  await loadOrCreateKeyFile(path, randomBytes);
  const open = readdirSync(descriptors).map((name) => {
    try {
      return readlinkSync(join(descriptors, name));
    } catch {
      // It was closed meanwhile.
      return "";
    }
  });
  assert.deepEqual(
    open.filter((name) => name.startsWith(path)),
    [],
  );
});

test("SYNC-9: the key of webhooks is stored once, with mode 0600", async (t) => {
  const folder = await scratchFolder(t);
  const path = join(folder, "webhook.key");
  assert.equal(await storeWebhookKey(folder, "first"), path);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal(await storeWebhookKey(folder, "second"), null);
  assert.equal(await readFile(path, "utf8"), "first\n");
  await assert.rejects(storeWebhookKey(join(folder, "none"), "third"), { code: "ENOENT" });
});
