import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, link, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Database } from "better-sqlite3";
import { DatabaseError } from "../port.ts";
import { copiesBeforeRestores, keptCopyPath } from "./copies.ts";
import { fsyncFolder, isDamaged, openExclusive, openForReading, openForWriting, sideFiles } from "./file.ts";

/*
 * Replaces a database with another one. A restore must not bring back what was ended since the backup: revoked
 * tokens, ended sessions, disconnected workspaces, deleted accounts. The list of these is read from the current database before
 * anything is changed, so that a damaged one has no effect on the restored one.
 */

interface Restoration {
  /** The database to replace; it may be missing or damaged. */
  readonly path: string;
  /** The database that replaces it: beside it, on the disk, with this program's schema and without side files. */
  readonly draft: string;
  readonly now: number;
  /** Throws if the database that is now at `path` cannot be used: then everything is put back as it was. */
  readonly check: () => Promise<void>;
}

interface Restored {
  /** The path under which the replaced database is kept; null if there was none. */
  readonly kept: string | null;
  /** The things that were ended in the restored database as well, or the reason why nothing could be. */
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
  /** With those of the databases that were replaced before; null if they cannot be read reliably. */
  readonly ended: Expirations | null;
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
    const ended = withEarlier(readExpirations(file), path);
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

function endAgain(draft: string, ended: Expirations | null, now: number): CarriedOver | null {
  const restored = openForWriting(draft);
  try {
    const carried = ended === null ? null : carryOver(ended, restored);
    if (carried === null) retireAllKeys(restored, now);
    passRevisions(restored, carried === null ? null : ended);
    restored.pragma("wal_checkpoint(truncate)");
    return carried;
  } finally {
    restored.close();
  }
}

/**
 * Replaces the database atomically: links the old one under a second name, then renames the new one over `path`. A crash
 * leaves one complete database. The old one's side files are deleted before the rename, so its log must be empty by then.
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
  await fsyncFolder(folder);
  for (const suffix of sideFiles) await rm(path + suffix, { force: true });
  await fsyncFolder(folder);
  await rename(draft, path);
  await fsyncFolder(folder);
  try {
    await check();
  } catch (error) {
    for (const suffix of sideFiles) await rm(path + suffix, { force: true });
    if (!before.includes("")) await rm(path);
    for (const suffix of before) await rename(kept + suffix, path + suffix);
    await fsyncFolder(folder);
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

/** Rows that stay when they end, and when they do. An id of a token may mean another one in an earlier database, its hash cannot. */
const tokens = { table: "service_tokens", key: "hash", end: "revoked_at" };
const sessions = { table: "sessions", key: "id", end: "ended_at" };
const retirements = { table: "signing_keys", key: "kid", end: "retired_at" };

/**
 * The owner of removed connections before schema 17, which the database to be replaced may have. Later schemas have no owner
 * for them, and SQL's null is not equal to this one either.
 */
const formerRemovedOwner = "nobody";

/** Rows that are deleted when they end. A signing key is when it was revoked or its last token has expired. */
const connections = { table: "connections", key: "id", where: `user_id <> '${formerRemovedOwner}'` };
const users = { table: "users", key: "id", where: `id <> '${formerRemovedOwner}'` };
const signingKeys = { table: "signing_keys", key: "kid", where: "true" };

const checkedTables = ["installation", "users", "connections", "sessions", "service_tokens", "signing_keys"];

/** Expiry and revocation times stored in a database. */
interface Expirations {
  readonly fingerprint: Buffer;
  /** Another one after a change of the encryption key. */
  readonly keyCheck: Buffer;
  readonly tokens: readonly Ended[];
  readonly sessions: readonly Ended[];
  readonly retirements: readonly Ended[];
  /** The keys of the rows that exist: what else a backup has was deleted since. */
  readonly connections: readonly unknown[];
  readonly users: readonly unknown[];
  readonly signingKeys: readonly unknown[];
  /** Workspaces that were disconnected have left every token for good (GRAPH-15). */
  readonly tokenWorkspaces: readonly { readonly hash: Buffer; readonly workspaceIds: string }[];
  /** Grants of disconnected workspaces that the provider has still to revoke (GRAPH-15). */
  readonly revocations: readonly object[];
  /** How far each connection's graph has come. */
  readonly revisions: readonly { readonly id: number; readonly revision: number }[];
  /** The highest id that each table has given out. https://sqlite.org/autoinc.html */
  readonly sequences: readonly { readonly name: string; readonly seq: number }[];
}

interface Ended {
  readonly key: string | Buffer;
  readonly at: number;
}

/** The numbers of things that were ended in the restored database. */
export interface CarriedOver {
  readonly revokedTokens: number;
  readonly endedSessions: number;
  readonly deletedAccounts: number;
  readonly removedConnections: number;
}

/** Throws `DatabaseError` or SQLite's error on any damage: a lost row would look like a deleted one. */
function readExpirations(current: Database): Expirations {
  for (const table of checkedTables) {
    const faults = current.prepare<[], string>(`pragma integrity_check(${table})`).pluck().all();
    if (faults.join() !== "ok") throw new DatabaseError("unusable", faults[0] ?? `${table} is damaged`);
  }
  const fingerprint = fingerprintOf(current);
  if (fingerprint === null) throw new DatabaseError("unusable", "no Clew ever served it");
  const all = <Row>(sql: string) => current.prepare<[], Row>(sql).all();
  const ended = ({ table, key, end }: typeof tokens) =>
    all<Ended>(`select ${key} as key, ${end} as at from ${table} where ${end} is not null`);
  const keys = ({ table, key, where }: typeof users) =>
    current.prepare(`select ${key} from ${table} where ${where}`).pluck().all();
  return {
    fingerprint,
    keyCheck: keyCheckOf(current),
    tokens: ended(tokens),
    sessions: ended(sessions),
    retirements: ended(retirements),
    connections: keys(connections),
    users: keys(users),
    signingKeys: keys(signingKeys),
    tokenWorkspaces: all("select hash, workspace_ids as workspaceIds from service_tokens"),
    revocations: hasTable(current, "revocations")
      ? all("select provider, sealed_token as token, attempts, due_at as dueAt from revocations")
      : [],
    revisions: all("select id, revision from connections"),
    sequences: all("select name, seq from sqlite_sequence"),
  };
}

/**
 * Adds what has ended by the copies that earlier restores left beside this database. If a newer backup is restored after an
 * older one, the database between them lacks rows of the newer backup, and cannot know which of those had ended.
 */
function withEarlier(current: Expirations, path: string): Expirations {
  const earlier = copiesBeforeRestores(path).flatMap((copy) => {
    const expirations = readIfSound(copy);
    return expirations?.fingerprint.equals(current.fingerprint) ? expirations : [];
  });
  const all = [...earlier, current];
  return {
    ...current,
    tokens: all.flatMap(({ tokens }) => tokens),
    sessions: all.flatMap(({ sessions }) => sessions),
    retirements: all.flatMap(({ retirements }) => retirements),
    tokenWorkspaces: all.flatMap(({ tokenWorkspaces }) => tokenWorkspaces),
    revisions: all.flatMap(({ revisions }) => revisions),
    sequences: all.flatMap(({ sequences }) => sequences),
  };
}

/** The expirations of a database that is not in use; null if it cannot be read. */
function readIfSound(path: string): Expirations | null {
  // Its log would have to be merged first. Only a damaged database was replaced with one.
  if (existsSync(`${path}-wal`)) return null;
  let file: Database | null = null;
  try {
    file = openForReading(path);
    return readExpirations(file);
  } catch {
    return null;
  } finally {
    file?.close();
  }
}

/** Tells installations apart. Older schemas have only what the fingerprint is made of. */
function fingerprintOf(file: Database): Buffer | null {
  const row = file
    .prepare<[], { sealed_key_check: Buffer; fingerprint?: Buffer }>("select * from installation")
    .get();
  if (row === undefined) return null;
  return row.fingerprint ?? createHash("sha256").update(row.sealed_key_check).digest();
}

/** Whether a database has a table that the first schema lacks. */
const hasTable = (file: Database, name: string): boolean =>
  file.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(name) !== undefined;

const keyCheckOf = (file: Database): Buffer =>
  file.prepare<[], Buffer>("select sealed_key_check from installation").pluck().get() ?? Buffer.alloc(0);

/** Ends in `restored` what had ended, and lets it reuse no id (TOK-8). Does nothing, and is null, for another installation. */
function carryOver(ended: Expirations, restored: Database): CarriedOver | null {
  if (!fingerprintOf(restored)?.equals(ended.fingerprint)) return null;
  const runForEach = (sql: string, rows: readonly object[]) => {
    const statement = restored.prepare(sql);
    return rows.reduce((changes, row) => changes + statement.run(row).changes, 0);
  };
  const endEach = ({ table, key, end }: typeof tokens, rows: readonly Ended[]) =>
    runForEach(
      `update ${table} set ${end} = @at where ${key} = @key and (${end} is null or ${end} > @at)`,
      rows,
    );
  const deleteMissing = ({ table, key, where }: typeof users, there: readonly unknown[]) =>
    restored
      .prepare(`delete from ${table} where ${where} and ${key} not in (select value from json_each(?))`)
      .run(JSON.stringify(there)).changes;
  const run = restored.transaction(() => {
    runForEach(
      "update service_tokens set workspace_ids = @workspaceIds where hash = @hash",
      ended.tokenWorkspaces,
    );
    deleteMissing(signingKeys, ended.signingKeys);
    endEach(retirements, ended.retirements);
    // Sealed with another key they could not be opened.
    if (keyCheckOf(restored).equals(ended.keyCheck))
      runForEach(
        `insert into revocations (provider, sealed_token, attempts, due_at) select @provider, @token, @attempts, @dueAt
          where not exists (select 1 from revocations where sealed_token = @token)`,
        ended.revocations,
      );
    runForEach("update sqlite_sequence set seq = max(seq, @seq) where name = @name", ended.sequences);
    runForEach(
      `insert into sqlite_sequence (name, seq) select @name, @seq
        where not exists (select 1 from sqlite_sequence where name = @name)`,
      ended.sequences,
    );
    return {
      revokedTokens: endEach(tokens, ended.tokens),
      endedSessions: endEach(sessions, ended.sessions),
      removedConnections: deleteMissing(connections, ended.connections),
      deletedAccounts: deleteMissing(users, ended.users),
    };
  });
  return run.immediate();
}

/** More revisions than any graph gets between a backup and the loss of what came after it. */
const manyRevisions = 1_000_000;

/**
 * Moves each graph past all revisions that it has had: what clients keep names revisions, and the same number would mean another graph.
 * Followers of the changes feed start over (GRAPH-11), and entity tags fit no more (GRAPH-26).
 */
function passRevisions(restored: Database, ended: Expirations | null): void {
  const known = Map.groupBy(ended?.revisions ?? [], ({ id }) => id);
  const move = restored.prepare(
    `update connections set revision = @next, forgotten_revision = @next, graph_mark = lower(hex(randomblob(16))),
      published_revision = case published_revision when 0 then 0 else @next end
      where id = @id`,
  );
  const connections = restored
    .prepare<[], { id: number; revision: number }>("select id, revision from connections where revision > 0")
    .all();
  restored.transaction(() => {
    for (const { id, revision } of connections) {
      const others = (known.get(id) ?? []).map((each) => each.revision);
      const next = ended === null ? revision + manyRevisions : Math.max(revision, ...others) + 1;
      move.run({ id, next });
    }
  })();
}

/** Any of the restored signing keys may have been retired since the backup: none of them signs again (SESS-7). */
function retireAllKeys(restored: Database, now: number): void {
  restored.prepare("update signing_keys set retired_at = ? where retired_at is null").run(now);
}
