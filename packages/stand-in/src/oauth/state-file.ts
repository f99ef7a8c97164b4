import { readFile } from "node:fs/promises";
import { isRecord, removeUnfinished, writeAtomically } from "@clew/folder";
import { everything } from "../notion/view.ts";

/** The pages that one person shared with one client. A later sign-in changes them for all tokens of the grant. */
export interface Grant {
  readonly botId: string;
  readonly personId: string;
  readonly clientId: string;
  /** Ids of the shared pages and databases, each with everything below it, or `everything`. */
  readonly sharedIds: readonly string[];
  readonly tokens: readonly TokenPair[];
}

/** The hashes of an access token and its refresh token. */
export interface TokenPair {
  /** Empty if the token has expired. */
  readonly access: string;
  readonly refresh: string;
  /** Milliseconds since the Unix epoch. */
  readonly issuedAt: number;
}

/** The consent for which an authorization code is redeemed. */
export interface Consent {
  readonly personId: string;
  readonly sharedIds: readonly string[];
  readonly redirectUri: string;
}

/** An issued authorization code: its hash, and when it expires. */
interface IssuedCode extends Consent {
  readonly hash: string;
  /** Milliseconds since the Unix epoch. */
  readonly until: number;
}

const version = 1;

/** The state that survives a restart. Change the maps, then call `save`. */
export interface State {
  /** By bot id. */
  readonly grants: Map<string, Grant>;
  /** Codes that were not redeemed yet, by hash. */
  readonly codes: Map<string, IssuedCode>;
  /** 32 bytes that sign the cookies of people who read pages. */
  readonly readerKey: Uint8Array;
  /** Resolves once the current content of the maps is stored. */
  save(): Promise<void>;
}

/** Opens a state file, which may not exist yet; null keeps the state in memory. Throws if the file is not a state file. */
export async function openState(file: string | null, random: (size: number) => Uint8Array): Promise<State> {
  if (file !== null) await removeUnfinished(file);
  const { grants, codes, readerKey } = file === null ? noState : await readState(file);
  const state = {
    grants: new Map(grants.map((grant) => [grant.botId, grant])),
    codes: new Map(codes.map((code) => [code.hash, code])),
    // Stored with the first consent, before which no cookie is issued.
    readerKey: readerKey === null ? random(readerKeyBytes) : Buffer.from(readerKey, "base64url"),
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

interface StoredState {
  readonly grants: readonly Grant[];
  readonly codes: readonly IssuedCode[];
  /** In base64url; null before the first one is stored. */
  readonly readerKey: string | null;
}

const noState: StoredState = { grants: [], codes: [], readerKey: null };

const readerKeyBytes = 32;

async function readState(file: string): Promise<StoredState> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (isRecord(error) && error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return noState;
  const state = parseJson(text);
  // Files of earlier versions have no codes and no key.
  const { grants, codes = [], readerKey = null } = isRecord(state) && state.version === version ? state : {};
  if (!isListOf(grants, isGrant) || !isListOf(codes, isIssuedCode) || !isReaderKey(readerKey))
    throw new Error(`${file} is not a state file of the demo workspace. Remove it to start with no grants`);
  return { grants, codes, readerKey };
}

async function writeState(
  file: string,
  { grants, codes, readerKey }: Pick<State, "grants" | "codes" | "readerKey">,
): Promise<void> {
  const state = {
    version,
    readerKey: Buffer.from(readerKey).toString("base64url"),
    grants: [...grants.values()],
    codes: [...codes.values()],
  };
  await writeAtomically(file, `${JSON.stringify(state, null, 2)}\n`);
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

function isReaderKey(value: unknown): value is string | null {
  return value === null || (isText(value) && Buffer.from(value, "base64url").length === readerKeyBytes);
}

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

/** The ids of the grants in a state file with which people shared everything. Throws if the file is not a state file. */
export async function wholeGrants(file: string): Promise<ReadonlySet<string>> {
  const { grants } = await readState(file);
  return new Set(grants.filter(({ sharedIds }) => sharedIds.includes(everything)).map(({ botId }) => botId));
}
