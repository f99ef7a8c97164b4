import { type Changes, type ChangesQuery, changeLimits } from "@clew/contract";
import type { Graphs } from "../graphs/graphs.ts";
import { connectionsWithin, type ReadableGraph } from "../graphs/readable.ts";
import { ApiError } from "../model/api-error.ts";
import type { Connection } from "../model/connection.ts";
import { presentChange } from "../present/graph.ts";
import { type ChangePosition, changesOf, forgottenRevision } from "../store/queries/change-feed.ts";
import {
  listCursors,
  type QueryServices,
  type RequestContext,
  readableConnectionsOf,
} from "./request-context.ts";
import { ResponseBudget, sizeOfNode, takeWhile } from "./response-budget.ts";

/** The cursor of a client that knows everything that is published, or wants to know nothing of it (GRAPH-27). */
const now = "now";

/**
 * Nodes that were added, changed or removed since a cursor, workspace by workspace (GRAPH-11). Cursors live long, so
 * they are bound to the readable workspaces instead of the connections: after a new connection the client has to start
 * over.
 */
export async function changes(
  ctx: RequestContext,
  { workspace_id, limit = changeLimits.standard, cursor }: ChangesQuery,
): Promise<Changes> {
  const { services } = ctx;
  const readable = readableConnectionsOf(ctx);
  const wanted = connectionsWithin(readable, workspace_id);
  const workspaces = readable.map(({ workspaceId }) => ({ id: workspaceId }));
  const cursors = listCursors<readonly EncodedPosition[]>(ctx, workspaces, {
    operation: "changes",
    version: 1,
    parameters: [workspace_id ?? null],
  });
  const positions = cursor === undefined || cursor === now ? null : cursors.decode(cursor);
  const items: Changes["items"] = [];
  const next: EncodedPosition[] = [];
  const budget = new ResponseBudget();
  let more = false;
  for (const connection of wanted) {
    if (cursor === now) {
      const { version } = await services.graphs.current(connection);
      next.push(encodePosition(connection.id, endOf(version)));
      continue;
    }
    const encoded = positions?.find(([id]) => id === connection.id);
    if (positions && !encoded) throw cursorExpired();
    const position = encoded ? decodePosition(encoded) : start;
    const page = await readChanges(services, connection, position, more ? 0 : limit - items.length, budget);
    items.push(...page.changes.flatMap((change) => presentChange(page.source, change)));
    next.push(encodePosition(connection.id, page.position));
    more ||= page.more;
  }
  return { items, next_cursor: cursors.encode(next), more };
}

/**
 * How far a client has read the changes of one connection. Revisions grow with every change; a graph is served as of
 * one of them, its version.
 */
interface FeedPosition {
  /** The version that the client knew completely when it began to read on; -1 for none. */
  readonly since: number;
  /** The latest version that the client has seen any change of; -1 for none. */
  readonly seen: number;
  /** The last change that the client has read. */
  readonly next: ChangePosition;
}

export const start: FeedPosition = { since: -1, seen: -1, next: { revision: 0, nodeId: null } };

/** The position of a client that has read everything in the graph of this version. */
export function endOf(version: number): FeedPosition {
  return { since: version, seen: version, next: { revision: version + 1, nodeId: null } };
}

/**
 * The position at which to continue in the graph of this version. A cursor may point past the version that was served then. In a newer
 * version, reading continues right after that one, because changes past it were not served completely.
 */
function positionIn(version: number, position: FeedPosition): FeedPosition {
  const isPastSeen = position.next.revision > position.seen;
  return version > position.seen && isPastSeen ? { ...position, next: endOf(position.seen).next } : position;
}

/** Whether the client may hold nodes whose tombstones are deleted: those up to the `forgotten` revision are. */
function isExpired({ since, seen, next }: FeedPosition, forgotten: number): boolean {
  if (seen === -1) return false;
  const removalsKnownTo = since === -1 ? seen : next.revision - 1;
  return removalsKnownTo < forgotten;
}

/** As plain JSON, short enough for a URL with the positions in fifty connections. */
type EncodedPosition = readonly [
  connectionId: number,
  since: number,
  seen: number,
  revision: number,
  nodeId: string | null,
];

function encodePosition(connectionId: number, { since, seen, next }: FeedPosition): EncodedPosition {
  return [connectionId, since, seen, next.revision, next.nodeId];
}

function decodePosition([, since, seen, revision, nodeId]: EncodedPosition): FeedPosition {
  return { since, seen, next: { revision, nodeId } };
}

/**
 * Reads up to `limit` changes of a connection; with 0, only whether there are any (`more`). Throws `ApiError` `cursor_expired`
 * if tombstones since the position are deleted.
 */
export async function readChanges(
  { database, graphs }: Pick<QueryServices, "database" | "graphs">,
  connection: Connection,
  from: FeedPosition,
  limit: number,
  budget = new ResponseBudget(),
) {
  const source = await graphSince(graphs, connection, from.seen);
  const position = positionIn(source.version, from);
  const { since, seen, next } = position;
  const wanted = { from: next, upTo: source.version, since, seen, limit: limit + 1 };
  const found = await database.snapshot(async (db) => {
    if (isExpired(position, await forgottenRevision(db, connection.id))) throw cursorExpired();
    return changesOf(db, connection.id, wanted);
  });
  const changes = takeWhile(found.slice(0, limit), ({ nodeId }) =>
    budget.take(sizeOfNode(source.graph.node(nodeId) ?? removedNode)),
  );
  const more = found.length > changes.length;
  const last = changes.at(-1);
  const reached = last ? { since, seen: source.version, next: last.position } : from;
  return { source, changes, more, position: more ? reached : endOf(source.version) };
}

/** Of a removed node only the id is served. */
const removedNode = { title: "", icon: null, url: null };

/** The newest graph, of at least this version: another instance may be ahead of this one. */
async function graphSince(graphs: Graphs, connection: Connection, version: number): Promise<ReadableGraph> {
  const latest = await graphs.current(connection);
  if (latest.version >= version) return { connection, ...latest };
  await graphs.version(connection, version);
  const newest = await graphs.current(connection);
  // Only a restored backup can be older than a cursor.
  if (newest.version < version) throw cursorExpired();
  return { connection, ...newest };
}

function cursorExpired(): ApiError {
  return new ApiError("cursor_expired", "The cursor is too old for the feed: start over without one.");
}
