import type { Database } from "better-sqlite3";
import { nobody } from "../removed-connections.ts";

/** What was ended after a backup was made, and stays ended. */
export interface CarriedOver {
  readonly revokedTokens: number;
  readonly endedSessions: number;
  readonly deletedAccounts: number;
  readonly removedConnections: number;
}

/**
 * Ends in `restored`, a backup of the same installation, what has been ended in `current` since: a restore must not bring
 * back what somebody took away. Ids that were given out since are not given out again (TOK-8).
 */
export function carryOver(current: Database, restored: Database): CarriedOver {
  const run = restored.transaction(() => {
    const counts = {
      revokedTokens: revokeTokens(current, restored),
      endedSessions: endSessions(current, restored),
      removedConnections: deleteGone(current, restored, connections),
      deletedAccounts: deleteGone(current, restored, accounts),
    };
    keepCounting(current, restored);
    return counts;
  });
  return run.immediate();
}

/** A workspace that was disconnected has left every token for good (GRAPH-15). */
function revokeTokens(current: Database, restored: Database): number {
  const narrow = restored.prepare("update service_tokens set workspace_ids = @ids where id = @id");
  for (const token of current.prepare("select id, workspace_ids as ids from service_tokens").all())
    narrow.run(token);
  const revoke = restored.prepare(
    "update service_tokens set revoked_at = @at where id = @id and (revoked_at is null or revoked_at > @at)",
  );
  const revoked = current
    .prepare<[], { id: number; at: number }>(
      "select id, revoked_at as at from service_tokens where revoked_at is not null",
    )
    .all();
  return revoked.reduce((sum, token) => sum + revoke.run(token).changes, 0);
}

function endSessions(current: Database, restored: Database): number {
  const end = restored.prepare("update sessions set ended_at = @at where id = @id and ended_at is null");
  const ended = current
    .prepare<[], { id: string; at: number }>(
      "select id, ended_at as at from sessions where ended_at is not null",
    )
    .all();
  return ended.reduce((sum, session) => sum + end.run(session).changes, 0);
}

/** What a user or a connection is found by, and deleted by. */
interface Kind {
  readonly ids: string;
  readonly remove: string;
}

const accounts: Kind = { ids: "select id from users", remove: "delete from users where id = ?" };

/** One that was removed belongs to nobody until all of it is deleted. */
const connections: Kind = {
  ids: `select id from connections where user_id <> '${nobody}'`,
  remove: "delete from connections where id = ?",
};

function deleteGone(current: Database, restored: Database, { ids, remove }: Kind): number {
  const there = new Set(current.prepare<[], string | number>(ids).pluck().all());
  const all = restored.prepare<[], string | number>(ids).pluck().all();
  const gone = all.filter((id) => !there.has(id));
  for (const id of gone) restored.prepare(remove).run(id);
  return gone.length;
}

/** https://sqlite.org/autoinc.html */
function keepCounting(current: Database, restored: Database): void {
  const sequences = current
    .prepare<[], { name: string; seq: number }>("select name, seq from sqlite_sequence")
    .all();
  const raise = restored.prepare("update sqlite_sequence set seq = max(seq, @seq) where name = @name");
  const begin = restored.prepare("insert into sqlite_sequence (name, seq) values (@name, @seq)");
  for (const sequence of sequences) if (raise.run(sequence).changes === 0) begin.run(sequence);
}

/** Whether two databases are of one installation: each has a check of its key that no other has. */
export function isSameInstallation(one: Database, other: Database): boolean {
  const checkOf = (file: Database): Buffer | undefined =>
    file.prepare<[], Buffer>("select sealed_key_check from installation").pluck().get();
  return checkOf(one)?.equals(checkOf(other) ?? Buffer.of()) ?? false;
}
