import type { ChangeKind } from "@clew/contract";
import { type Aspect, aspects } from "@clew/contract/vocabulary";
import type { NodeId } from "@clew/graph";
import { sql } from "kysely";
import type { ReadHandle } from "../port.ts";
import { revisionColumns } from "./changes.ts";
import { nodeIdOf, nodeKey, readsByChange } from "./statements.ts";

/** A position among the changes of a connection: after this node's change at this revision, or before all of them if null. */
export interface ChangePosition {
  readonly revision: number;
  readonly nodeId: NodeId | null;
}

/** Which changes of a connection to read. */
interface WantedChanges {
  readonly from: ChangePosition;
  /** The revision of the served graph: later changes are left out. */
  readonly upTo: number;
  /** The revision of the graph that the client has in full; -1 if none. */
  readonly since: number;
  /** The newest revision that the client has seen any part of. It does not know nodes that were added later. */
  readonly seen: number;
  readonly limit: number;
}

/** A node's latest change. */
export interface Change {
  readonly kind: ChangeKind;
  /** The aspects of a changed node that changed since the client's version, as far as Clew has seen; otherwise empty. */
  readonly what: readonly Aspect[];
  readonly nodeId: NodeId;
  readonly position: ChangePosition;
}

interface ChangeRow {
  readonly node_id: Uint8Array;
  readonly revision: number;
  readonly added_revision: number;
  readonly gone: number;
  readonly title_revision: number;
  readonly text_revision: number;
  readonly parent_revision: number;
  readonly properties_revision: number;
  readonly references_revision: number;
  readonly retitled_revision: number;
}

/**
 * Changes in order of revision and id, each node only at its latest. A node that was added between `since` and `upTo` and
 * changed or removed after `upTo` appears there as `added`: the served graph has it, and the client does not.
 */
export async function changesOf(
  db: ReadHandle,
  connectionId: number,
  wanted: WantedChanges,
): Promise<Change[]> {
  const { from, upTo, since, seen, limit } = wanted;
  const after = from.nodeId === null ? new Uint8Array() : nodeKey(from.nodeId);
  const last = since < upTo ? Number.MAX_SAFE_INTEGER : upTo;
  const unknown = sql`(added_revision > ${since} and added_revision <= ${upTo})`;
  const { rows } = await sql<ChangeRow>`
    select * from (
      select id as node_id, changed_revision as revision, added_revision, 0 as gone, ${revisionsOfAspects} from nodes
      where connection_id = ${connectionId} and ${readsByChange(db, "nodes")}
        and (changed_revision, id) > (${from.revision}, ${after}) and changed_revision <= ${last}
        and (changed_revision <= ${upTo} or ${unknown})
      order by changed_revision, id limit ${limit}
    ) as there
    union all
    select * from (
      select node_id, revision, added_revision, 1 as gone, ${noRevisions} from tombstones
      where connection_id = ${connectionId} and ${readsByChange(db, "tombstones")}
        and (revision, node_id) > (${from.revision}, ${after}) and revision <= ${last}
        and case when revision <= ${upTo} then added_revision <= ${seen} else ${unknown} end
      order by revision, node_id limit ${limit}
    ) as removed
    order by revision, node_id limit ${limit}`.execute(db);
  return rows.map((row) => {
    const nodeId = nodeIdOf(row.node_id);
    const kind = kindOf(row, wanted);
    const what = kind === "changed" ? aspects.filter((aspect) => revisionOf(row, aspect) > since) : [];
    return { kind, what, nodeId, position: { revision: row.revision, nodeId } };
  });
}

const aspectColumns = [...aspects.map((aspect) => revisionColumns[aspect]), "retitled_revision"].map(
  (column) => sql.ref(column),
);
const revisionsOfAspects = sql.join(aspectColumns);
const noRevisions = sql.join(aspectColumns.map((column) => sql`0 as ${column}`));

/** The revision with which an aspect last changed. A text that shows another title is another text. */
function revisionOf(row: ChangeRow, aspect: Aspect): number {
  const revision = row[revisionColumns[aspect]];
  return aspect === "text" ? Math.max(revision, row.retitled_revision) : revision;
}

function kindOf(
  { revision, added_revision, gone }: ChangeRow,
  { upTo, since }: WantedChanges,
): Change["kind"] {
  if (gone === 1 && revision <= upTo) return "removed";
  return added_revision > since ? "added" : "changed";
}

/** The revision up to which tombstones are deleted; 0 if none are, or the connection is gone. */
export async function forgottenRevision(db: ReadHandle, connectionId: number): Promise<number> {
  const row = await db
    .selectFrom("connections")
    .select("forgotten_revision")
    .where("id", "=", connectionId)
    .executeTakeFirst();
  return row?.forgotten_revision ?? 0;
}
