import { randomUUID } from "node:crypto";
import { open, readFile, rename } from "node:fs/promises";
import path from "node:path";
import { isRecord } from "../workspace/front-matter.ts";
import type { Grant, TokenPair } from "./grant.ts";

const version = 1;

/** Reads the grants of a state file; none where there is no file yet. Throws where it is no state file. */
export async function readState(file: string): Promise<Grant[]> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (isRecord(error) && error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return [];
  const fault = new Error(`${file} is not a state file of the stand-in: remove it to begin anew`);
  const state = parseJson(text);
  if (!isRecord(state) || state.version !== version || !Array.isArray(state.grants)) throw fault;
  if (!state.grants.every(isGrant)) throw fault;
  return state.grants;
}

/** Writes the grants whole or not at all: a crash leaves the old file or the new one. Only its owner may read it. */
export async function writeState(file: string, grants: readonly Grant[]): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`;
  const handle = await open(unfinished, "wx", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify({ version, grants }, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
  await syncFolder(path.dirname(file));
}

/** Makes the new name last. Where a folder cannot be opened (Windows), the name lasts without. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isGrant(value: unknown): value is Grant {
  return (
    isRecord(value) &&
    [value.botId, value.personId, value.clientId].every((part) => typeof part === "string") &&
    Array.isArray(value.sharedIds) &&
    value.sharedIds.every((id) => typeof id === "string") &&
    Array.isArray(value.tokens) &&
    value.tokens.every(isTokenPair)
  );
}

function isTokenPair(value: unknown): value is TokenPair {
  return (
    isRecord(value) &&
    typeof value.access === "string" &&
    typeof value.refresh === "string" &&
    typeof value.issuedAt === "number"
  );
}
