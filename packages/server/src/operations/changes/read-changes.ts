import type { Connection } from "../../model/connection.ts";
import { Refusal } from "../../model/refusal.ts";
import type { Graphs } from "../../publication/graphs.ts";
import type { ReadableGraph } from "../../publication/readable.ts";
import { type Change, changesOf, forgottenRevision } from "../../store/change-feed.ts";
import type { Database } from "../../store/database.ts";
import { AnswerRoom, firstThat, sizeOfNode } from "../answer-size.ts";
import { endOf, type FeedPlace, isTooOld, placeIn } from "./place.ts";

/** Some of the changes of one connection. */
export interface ReadChanges {
  readonly source: ReadableGraph;
  readonly changes: readonly Change[];
  /** Where to read on. */
  readonly place: FeedPlace;
  /** Whether the graph as it is holds more. */
  readonly more: boolean;
}

/**
 * Reads on in the changes of a connection, at most `limit` of them; 0 asks only whether there is more. Throws
 * `Refusal` `cursor_expired` where removals since that place are forgotten.
 */
export async function readChanges(
  { database, graphs }: { readonly database: Database; readonly graphs: Graphs },
  connection: Connection,
  begun: FeedPlace,
  limit: number,
  room = new AnswerRoom(),
): Promise<ReadChanges> {
  const source = await graphSince(graphs, connection, begun.seen);
  const place = placeIn(source.edition, begun);
  if (isTooOld(place, await forgottenRevision(database.read, connection.id))) throw cursorExpired();
  const { since, seen, next } = place;
  const found = await changesOf(database.read, connection.id, {
    from: next,
    upTo: source.edition,
    since,
    seen,
    limit: limit + 1,
  });
  const changes = firstThat(found.slice(0, limit), ({ nodeId }) =>
    room.takes(sizeOfNode(source.graph.node(nodeId) ?? nothing)),
  );
  if (found.length === changes.length) return { source, changes, place: endOf(source.edition), more: false };
  const last = changes.at(-1);
  return {
    source,
    changes,
    place: last ? { since, seen: source.edition, next: last.place } : begun,
    more: true,
  };
}

/** What is removed is told by its id alone. */
const nothing = { title: "", icon: null, url: null };

/** The newest graph, of this edition at least: another instance may be ahead of this one. */
async function graphSince(graphs: Graphs, connection: Connection, edition: number): Promise<ReadableGraph> {
  const latest = await graphs.current(connection);
  if (latest.edition >= edition) return { connection, ...latest };
  await graphs.edition(connection, edition);
  const newest = await graphs.current(connection);
  // A backup was restored that is older than the cursor.
  if (newest.edition < edition) throw cursorExpired();
  return { connection, ...newest };
}

/** What has happened since cannot be told any more (GRAPH-11). */
export function cursorExpired(): Refusal {
  return new Refusal(
    "cursor_expired",
    "The feed does not reach back to this cursor: start over without one.",
  );
}
