import { randomUUID } from "node:crypto";
import { open, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { isRecord } from "../workspace/front-matter.ts";
import type { Grant, IssuedCode, TokenPair } from "./grant.ts";

const version = 1;

const unfinishedId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** What outlasts a restart. Change the maps, then `save`. */
export interface State {
  /** By the id of their bot. */
  readonly grants: Map<string, Grant>;
  /** Codes that were not redeemed yet, by their hash. */
  readonly codes: Map<string, IssuedCode>;
  /** Resolves when what the maps hold now is kept. */
  save(): Promise<void>;
}

/** Opens a state file, which need not be there yet; null keeps everything in memory. Throws where it is no state file. */
export async function openState(file: string | null): Promise<State> {
  if (file !== null) await removeUnfinished(file);
  const { grants, codes } = file === null ? { grants: [], codes: [] } : await readState(file);
  const state = {
    grants: new Map(grants.map((grant) => [grant.botId, grant])),
    codes: new Map(codes.map((code) => [code.hash, code])),
  };
  let writing: Promise<void> = Promise.resolve();
  return {
    ...state,
    save() {
      if (file === null) return Promise.resolve();
      writing = writing.catch(() => {}).then(() => writeState(file, state));
      return writing;
    },
  };
}

interface Kept {
  readonly grants: readonly Grant[];
  readonly codes: readonly IssuedCode[];
}

async function readState(file: string): Promise<Kept> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (isRecord(error) && error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return { grants: [], codes: [] };
  const state = parseJson(text);
  // Earlier versions kept no codes.
  const { grants, codes = [] } = isRecord(state) && state.version === version ? state : {};
  if (!isListOf(grants, isGrant) || !isListOf(codes, isIssuedCode))
    throw new Error(`${file} is not a state file of the stand-in: remove it to begin anew`);
  return { grants, codes };
}

/** Removes what a process that was killed left of a state that it had not finished writing. */
async function removeUnfinished(file: string): Promise<void> {
  const folder = path.dirname(file);
  for (const name of await readdir(folder).catch(() => [])) {
    const [before, id = ""] = name.split(`${path.basename(file)}.`);
    if (before === "" && unfinishedId.test(id)) await rm(path.join(folder, name), { force: true });
  }
}

/** Writes the state whole or not at all: a crash leaves the old file or the new one. Only its owner may read it. */
async function writeState(file: string, { grants, codes }: Pick<State, "grants" | "codes">): Promise<void> {
  const state = { version, grants: [...grants.values()], codes: [...codes.values()] };
  const unfinished = `${file}.${randomUUID()}`;
  const handle = await open(unfinished, "wx", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(state, null, 2)}\n`);
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

function isListOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Item[] {
  return Array.isArray(value) && value.every(isItem);
}

const isText = (value: unknown): value is string => typeof value === "string";

function isGrant(value: unknown): value is Grant {
  return (
    isRecord(value) &&
    [value.botId, value.personId, value.clientId].every(isText) &&
    isListOf(value.sharedIds, isText) &&
    isListOf(value.tokens, isTokenPair)
  );
}

function isTokenPair(value: unknown): value is TokenPair {
  return (
    isRecord(value) && isText(value.access) && isText(value.refresh) && typeof value.issuedAt === "number"
  );
}

function isIssuedCode(value: unknown): value is IssuedCode {
  return (
    isRecord(value) &&
    [value.hash, value.personId, value.redirectUri].every(isText) &&
    isListOf(value.sharedIds, isText) &&
    typeof value.until === "number"
  );
}
