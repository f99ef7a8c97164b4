import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, link, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Database } from "better-sqlite3";
import { DatabaseError } from "../port.ts";
import { removedOwner } from "../queries/removed-connections.ts";
import { syncFolder } from "../sync-folder.ts";
import { keptCopyPath } from "./copies.ts";
import { isDamaged, openExclusive, openForWriting, sideFiles } from "./file.ts";

/*
 * Replaces a database with another one. A restore must not bring back what was ended since the backup: revoked
 * tokens, ended sessions, disconnected workspaces, deleted accounts. What ended is read from the current database before
 * anything is changed, so that a damaged one has no effect on the restored one.
 */

interface Restoration {
  /** The database to replace; it may be missing or damaged. */
  readonly path: string;
  /** What replaces it: beside it, on the disk, with this program's schema and without side files. */
  readonly draft: string;
  readonly now: number;
  /** Throws if the database that is now at `path` cannot be used: then everything is put back as it was. */
  readonly check: () => Promise<void>;
}

interface Restored {
  /** The path under which the replaced database is kept; null if there was none. */
  readonly kept: string | null;
  /** What was ended in the restored database as well, or why nothing could be. */
  readonly carried: CarriedOver | { readonly reason: string };
}

/** Restores a database. Throws `DatabaseError` `in_use`, with nothing changed, while another process has it open. */
export async function restoreDatabase({ path, draft, now, check }: Restoration): Promise<Restored> {
  const current = openCurrent(path);
  try {
    const carried = endAgain(draft, current.ended, now);
    const kept = keptCopyPath(path, "restore", now);
    const wasThere = existsSync(path);
    await replaceDatabase({ path, draft, kept, check });
    return { kept: wasThere ? kept : null, carried: carried ?? { reason: current.reason } };
  } finally {
    current.close();
  }
}

/** The database to be replaced, locked against other processes if it can be opened. */
interface Current {
  /** null if they cannot be read reliably. */
  readonly ended: EndedThings | null;
  /** Why nothing can be carried over, if so. */
  readonly reason: string;
  close(): void;
}

/** Opens the database to be replaced, and merges its log into the file. */
function openCurrent(path: string): Current {
  const unusable = (reason: string): Current => ({ ended: null, reason, close() {} });
  if (!existsSync(path)) return unusable("there was none");
  let file: Database | null = null;
  try {
    file = openExclusive(path);
    if (file === null) {
      const message = `Another process has ${path} open: stop Clew first. Nothing was changed.`;
      throw new DatabaseError("in_use", message);
    }
    const ended = readEndedThings(file);
    // Closing a file in WAL mode deletes the log by its name, which may be the new database's by then.
    file.pragma("journal_mode = delete");
    return { ended, reason: "it is another installation's", close: file.close.bind(file) };
  } catch (error) {
    file?.close();
    // A full disk or a read-only file is no damage: the database may be whole.
    const isUnusable = isDamaged(error) || (error instanceof DatabaseError && error.code === "unusable");
    if (!isUnusable || !(error instanceof Error)) throw error;
    return unusable(`it cannot be read (${error.message})`);
  }
}

function endAgain(draft: string, ended: EndedThings | null, now: number): CarriedOver | null {
  const restored = openForWriting(draft);
  try {
    const carried = ended === null ? null : carryOver(ended, restored);
    if (carried === null) retireAllKeys(restored, now);
    restored.pragma("wal_checkpoint(truncate)");
    return carried;
  } finally {
    restored.close();
  }
}

/**
 * At every moment `path` is the old database or the new one, whole, so that a crash leaves one of them: the old one gets its
 * second name first, and one rename replaces it. In between its side files are deleted, so its log must be empty by then.
 */
export async function replaceDatabase({
  path,
  draft,
  kept,
  check,
}: Omit<Restoration, "now"> & { readonly kept: string }): Promise<void> {
  const folder = dirname(path);
  const before = ["", ...sideFiles].filter((suffix) => existsSync(path + suffix));
  for (const suffix of before) await linkOrCopy(path + suffix, kept + suffix);
  await syncFolder(folder);
  for (const suffix of sideFiles) await rm(path + suffix, { force: true });
  await syncFolder(folder);
  await rename(draft, path);
  await syncFolder(folder);
  try {
    await check();
  } catch (error) {
    for (const suffix of sideFiles) await rm(path + suffix, { force: true });
    if (!before.includes("")) await rm(path);
    for (const suffix of before) await rename(kept + suffix, path + suffix);
    await syncFolder(folder);
    throw error;
  }
}

/** Not every file system has hard links. */
async function linkOrCopy(path: string, second: string): Promise<void> {
  await link(path, second).catch((error: NodeJS.ErrnoException) => {
    if (!["EPERM", "ENOTSUP", "ENOSYS", "EOPNOTSUPP"].includes(error.code ?? "")) throw error;
    return copyFile(path, second);
  });
}

const checkedTables = ["installation", "users", "connections", "sessions", "service_tokens", "signing_keys"];

/** What a database says about everything that can end. */
interface EndedThings {
  readonly fingerprint: Buffer;
  readonly tokens: readonly { id: number; workspaceIds: string; revokedAt: number | null }[];
  readonly endedSessions: readonly { id: string; endedAt: number }[];
  /** Those that exist: what else a backup has was deleted since. */
  readonly userIds: ReadonlySet<string>;
  readonly connectionIds: ReadonlySet<number>;
  /** When each was retired; null for the one that signs. */
  readonly signingKeys: ReadonlyMap<string, number | null>;
  /** The highest id that each table has given out. https://sqlite.org/autoinc.html */
  readonly sequences: readonly { name: string; seq: number }[];
}

/** How much was ended in the restored database. */
export interface CarriedOver {
  readonly revokedTokens: number;
  readonly endedSessions: number;
  readonly deletedAccounts: number;
  readonly removedConnections: number;
}

/** Throws `DatabaseError` or SQLite's error on any damage: a lost row would look like a deleted one. */
function readEndedThings(current: Database): EndedThings {
  for (const table of checkedTables) {
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
    connectionIds: new Set(column<number>(`select id from connections where user_id <> '${removedOwner}'`)),
    signingKeys: new Map(
      current.prepare<[], [string, number | null]>("select kid, retired_at from signing_keys").raw().all(),
    ),
    sequences: all("select name, seq from sqlite_sequence"),
  };
}

/** Tells installations apart. Older schemas have only what the fingerprint is made of. */
function fingerprintOf(file: Database): Buffer | null {
  const row = file
    .prepare<[], { sealed_key_check: Buffer; fingerprint?: Buffer }>("select * from installation")
    .get();
  if (row === undefined) return null;
  return row.fingerprint ?? createHash("sha256").update(row.sealed_key_check).digest();
}

/** Ends in `restored` what had ended, and lets it reuse no id (TOK-8). Does nothing, and is null, for another installation. */
function carryOver(ended: EndedThings, restored: Database): CarriedOver | null {
  if (!fingerprintOf(restored)?.equals(ended.fingerprint)) return null;
  const run = restored.transaction(() => {
    const counts = {
      revokedTokens: revokeTokens(ended, restored),
      endedSessions: endSessions(ended, restored),
      removedConnections: deleteMissing(restored, "connections", ended.connectionIds),
      deletedAccounts: deleteMissing(restored, "users", ended.userIds),
    };
    retireKeys(ended, restored);
    raiseSequences(ended, restored);
    return counts;
  });
  return run.immediate();
}

/** Any of the restored signing keys may have been retired since the backup: none of them signs again (SESS-7). */
function retireAllKeys(restored: Database, now: number): void {
  restored.prepare("update signing_keys set retired_at = ? where retired_at is null").run(now);
}

/** Workspaces that were disconnected have left every token for good (GRAPH-15). */
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

/** A key that is missing was revoked, or its last token has expired. */
function retireKeys({ signingKeys }: EndedThings, restored: Database): void {
  const remove = restored.prepare("delete from signing_keys where kid = ?");
  const retire = restored.prepare(`update signing_keys set retired_at = @retiredAt
    where kid = @kid and (retired_at is null or retired_at > @retiredAt)`);
  for (const kid of restored.prepare<[], string>("select kid from signing_keys").pluck().all()) {
    const retiredAt = signingKeys.get(kid);
    if (retiredAt === undefined) remove.run(kid);
    else if (retiredAt !== null) retire.run({ kid, retiredAt });
  }
}

function raiseSequences({ sequences }: EndedThings, restored: Database): void {
  const raise = restored.prepare("update sqlite_sequence set seq = max(seq, @seq) where name = @name");
  const begin = restored.prepare("insert into sqlite_sequence (name, seq) values (@name, @seq)");
  for (const sequence of sequences) if (raise.run(sequence).changes === 0) begin.run(sequence);
}
