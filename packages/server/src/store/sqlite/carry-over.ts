import { createHash } from "node:crypto";
import type { Database } from "better-sqlite3";
import { DatabaseError } from "../error.ts";
import { removedOwner } from "../queries/removed-connections.ts";

/*
 * What a database that is about to be replaced says was ended: a restore must not bring back what somebody took away.
 * All of it is read before any of it is applied, so that a damaged database leaves the restored one alone.
 */

/** What a database says of the things that can be ended. */
export interface EndedThings {
  /** Tells installations apart. */
  readonly fingerprint: Buffer;
  readonly tokens: readonly {
    readonly id: number;
    readonly workspaceIds: string;
    readonly revokedAt: number | null;
  }[];
  readonly endedSessions: readonly { readonly id: string; readonly endedAt: number }[];
  /** Those that are there: what a backup has besides was deleted since. */
  readonly userIds: ReadonlySet<string>;
  readonly connectionIds: ReadonlySet<number>;
  readonly signingKeys: ReadonlyMap<string, { readonly retiredAt: number | null }>;
  /** The highest id that each table gave out. https://sqlite.org/autoinc.html */
  readonly sequences: readonly { readonly name: string; readonly seq: number }[];
}

/** What was ended in the restored database as well. */
export interface CarriedOver {
  readonly revokedTokens: number;
  readonly endedSessions: number;
  readonly deletedAccounts: number;
  readonly removedConnections: number;
}

const tablesRead = ["installation", "users", "connections", "sessions", "service_tokens", "signing_keys"];

/**
 * Reads what has been ended in `current`. Throws `DatabaseError` or SQLite's error where it cannot be relied upon: a row that
 * damage has swallowed would look like one that was deleted.
 */
export function readEndedThings(current: Database): EndedThings {
  for (const table of tablesRead) {
    const faults = current.prepare<[], string>(`pragma integrity_check(${table})`).pluck().all();
    if (faults.join() !== "ok") throw new DatabaseError("unusable", faults[0] ?? `${table} is damaged`);
  }
  const all = <Row>(sql: string) => current.prepare<[], Row>(sql).all();
  const column = <Value>(sql: string) => current.prepare<[], Value>(sql).pluck().all();
  const fingerprint = fingerprintOf(current);
  if (fingerprint === null) throw new DatabaseError("unusable", "no Clew ever served it");
  return {
    fingerprint,
    tokens: all("select id, workspace_ids as workspaceIds, revoked_at as revokedAt from service_tokens"),
    endedSessions: all("select id, ended_at as endedAt from sessions where ended_at is not null"),
    userIds: new Set(column<string>("select id from users")),
    // One that was removed belongs to nobody until all of it is deleted.
    connectionIds: new Set(column<number>(`select id from connections where user_id <> '${removedOwner}'`)),
    signingKeys: new Map(
      all<{ kid: string; retiredAt: number | null }>(
        "select kid, retired_at as retiredAt from signing_keys",
      ).map((key) => [key.kid, key]),
    ),
    sequences: all("select name, seq from sqlite_sequence"),
  };
}

/** The fingerprint of the installation; older schemas have only what it is made of. */
function fingerprintOf(file: Database): Buffer | null {
  const row = file
    .prepare<[], { sealed_key_check: Buffer; fingerprint?: Buffer }>("select * from installation")
    .get();
  if (row === undefined) return null;
  return row.fingerprint ?? createHash("sha256").update(row.sealed_key_check).digest();
}

/**
 * Ends in `restored` what had been ended, and lets it give out no id again that was given out since (TOK-8); null, and
 * nothing done, where that was in another installation.
 */
export function carryOver(ended: EndedThings, restored: Database): CarriedOver | null {
  if (!fingerprintOf(restored)?.equals(ended.fingerprint)) return null;
  const run = restored.transaction(() => {
    const counts = {
      revokedTokens: revokeTokens(ended, restored),
      endedSessions: endSessions(ended, restored),
      removedConnections: deleteMissing(restored, "connections", ended.connectionIds),
      deletedAccounts: deleteMissing(restored, "users", ended.userIds),
    };
    retireKeys(ended, restored);
    keepCounting(ended, restored);
    return counts;
  });
  return run.immediate();
}

/** Lets none of the restored signing keys sign again: any of them may have been retired since (SESS-7). */
export function retireAllKeys(restored: Database, now: number): void {
  restored.prepare("update signing_keys set retired_at = ? where retired_at is null").run(now);
}

/** A workspace that was disconnected has left every token for good (GRAPH-15). */
function revokeTokens({ tokens }: EndedThings, restored: Database): number {
  const narrow = restored.prepare("update service_tokens set workspace_ids = @workspaceIds where id = @id");
  const revoke = restored.prepare(`update service_tokens set revoked_at = @revokedAt
    where id = @id and (revoked_at is null or revoked_at > @revokedAt)`);
  let revoked = 0;
  for (const token of tokens) {
    narrow.run({ id: token.id, workspaceIds: token.workspaceIds });
    if (token.revokedAt !== null) revoked += revoke.run({ id: token.id, revokedAt: token.revokedAt }).changes;
  }
  return revoked;
}

function endSessions({ endedSessions }: EndedThings, restored: Database): number {
  const end = restored.prepare("update sessions set ended_at = @endedAt where id = @id and ended_at is null");
  return endedSessions.reduce((sum, session) => sum + end.run(session).changes, 0);
}

function deleteMissing(
  restored: Database,
  table: "users" | "connections",
  there: ReadonlySet<string | number>,
): number {
  const owner = table === "users" ? "id" : "user_id";
  const ids = restored
    .prepare<[], string | number>(`select id from ${table} where ${owner} <> '${removedOwner}'`)
    .pluck()
    .all();
  const missing = ids.filter((id) => !there.has(id));
  const remove = restored.prepare(`delete from ${table} where id = ?`);
  for (const id of missing) remove.run(id);
  return missing.length;
}

/** A key that is gone was revoked, or its last token has expired. */
function retireKeys({ signingKeys }: EndedThings, restored: Database): void {
  const remove = restored.prepare("delete from signing_keys where kid = ?");
  const retire = restored.prepare(`update signing_keys set retired_at = @retiredAt
    where kid = @kid and (retired_at is null or retired_at > @retiredAt)`);
  for (const kid of restored.prepare<[], string>("select kid from signing_keys").pluck().all()) {
    const key = signingKeys.get(kid);
    if (key === undefined) remove.run(kid);
    else if (key.retiredAt !== null) retire.run({ kid, retiredAt: key.retiredAt });
  }
}

function keepCounting({ sequences }: EndedThings, restored: Database): void {
  const raise = restored.prepare("update sqlite_sequence set seq = max(seq, @seq) where name = @name");
  const begin = restored.prepare("insert into sqlite_sequence (name, seq) values (@name, @seq)");
  for (const sequence of sequences) if (raise.run(sequence).changes === 0) begin.run(sequence);
}
