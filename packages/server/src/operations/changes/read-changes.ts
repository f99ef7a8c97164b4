import type { Graphs } from "../../graph-cache/graphs.ts";
import type { ReadableGraph } from "../../graph-cache/readable.ts";
import { ApiError } from "../../model/api-error.ts";
import type { Connection } from "../../model/connection.ts";
import type { Database } from "../../store/port.ts";
import { type Change, changesOf, forgottenRevision } from "../../store/queries/change-feed.ts";
import { AnswerRoom, firstThat, sizeOfNode } from "../answer-size.ts";
import { endOf, type FeedPosition, isExpired, positionIn } from "./position.ts";

/** Some of the changes of one connection. */
export interface ReadChanges {
  readonly source: ReadableGraph;
  readonly changes: readonly Change[];
  /** Where to read on. */
  readonly position: FeedPosition;
  /** Whether the graph as it is holds more. */
  readonly more: boolean;
}

/**
 * Reads on in the changes of a connection, at most `limit` of them; 0 asks only whether there is more. Throws
 * `ApiError` `cursor_expired` where removals since that place are forgotten.
 */
export async function readChanges(
  { database, graphs }: { readonly database: Database; readonly graphs: Graphs },
  connection: Connection,
  begun: FeedPosition,
  limit: number,
  room = new AnswerRoom(),
): Promise<ReadChanges> {
  const source = await graphSince(graphs, connection, begun.seen);
  const position = positionIn(source.version, begun);
  if (isExpired(position, await forgottenRevision(database.read, connection.id))) throw cursorExpired();
  const { since, seen, next } = position;
  const found = await changesOf(database.read, connection.id, {
    from: next,
    upTo: source.version,
    since,
    seen,
    limit: limit + 1,
  });
  const changes = firstThat(found.slice(0, limit), ({ nodeId }) =>
    room.takes(sizeOfNode(source.graph.node(nodeId) ?? nothing)),
  );
  if (found.length === changes.length)
    return { source, changes, position: endOf(source.version), more: false };
  const last = changes.at(-1);
  return {
    source,
    changes,
    position: last ? { since, seen: source.version, next: last.place } : begun,
    more: true,
  };
}

/** What is removed is told by its id alone. */
const nothing = { title: "", icon: null, url: null };

/** The newest graph, of this version at least: another instance may be ahead of this one. */
async function graphSince(graphs: Graphs, connection: Connection, version: number): Promise<ReadableGraph> {
  const latest = await graphs.current(connection);
  if (latest.version >= version) return { connection, ...latest };
  await graphs.version(connection, version);
  const newest = await graphs.current(connection);
  // A backup was restored that is older than the cursor.
  if (newest.version < version) throw cursorExpired();
  return { connection, ...newest };
}

/** What has happened since cannot be told any more (GRAPH-11). */
export function cursorExpired(): ApiError {
  return new ApiError(
    "cursor_expired",
    "The feed does not reach back to this cursor: start over without one.",
  );
}
