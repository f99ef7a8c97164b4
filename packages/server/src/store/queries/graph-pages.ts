import { createHash } from "node:crypto";
import type { ContentState, NodeTrait } from "@clew/contract/vocabulary";
import type { NodeId, Reference } from "@clew/graph";
import { countCodePoints } from "@clew/text/basics";
import { type RawBuilder, sql } from "kysely";
import type { WriteTransaction } from "../port.ts";
import type { Tables, TextState } from "../schema.ts";
import { moveRevision, nextRevision, stampOf } from "./changes.ts";
import { factColumns, factsOf, type Observation, type ReadNode } from "./node-facts.ts";
import { requeueTexts } from "./reading-list.ts";
import { offsetsOf, replaceReferences } from "./references.ts";
import {
  batches,
  excluded,
  nodeIdOf,
  nodeKey,
  nodeKeyOrNull,
  nodesOf,
  setInNodes,
  updateNodes,
  valueById,
} from "./statements.ts";

/*
 * The writes of a sync, in batches. A write to a connection or node that was removed in between does nothing. A change of
 * nodes, texts or references moves the connection's revision and stamps the nodes with it (GRAPH-11).
 */

/** Rows to a statement. */
const batchSize = 100;

/**
 * Adds nodes, or updates those that are known. A node whose `updatedAt` or type differs awaits its text again; the earlier
 * text stays readable until then.
 */
export async function upsertNodes(
  trx: WriteTransaction,
  connectionId: number,
  nodes: readonly ReadNode[],
): Promise<void> {
  if (nodes.length === 0) return;
  const revision = await nextRevision(trx, connectionId);
  if (revision === null) return;
  const distinct = [...new Map(nodes.map((node) => [node.id, node])).values()];
  let isChanged = false;
  for (const some of batches(distinct, batchSize)) {
    if (await writeNodes(trx, connectionId, some, revision)) isChanged = true;
    const held = some.flatMap(({ id, propertyReferences }) =>
      propertyReferences === undefined ? [] : [[id, propertyReferences] as const],
    );
    const references = await replaceReferences(trx, connectionId, "properties", new Map(held));
    await setInNodes(trx, connectionId, references, stampOf("references", revision));
    if (references.length > 0) isChanged = true;
  }
  if (isChanged) await moveRevision(trx, connectionId);
}

/** Writes distinct nodes. Those that are new or differ are stamped with the revision; returns whether any are. */
async function writeNodes(
  trx: WriteTransaction,
  connectionId: number,
  nodes: readonly ReadNode[],
  revision: number,
): Promise<boolean> {
  const rows = await trx
    .insertInto("nodes")
    .values(
      nodes.map((node) => ({
        connection_id: connectionId,
        id: nodeKey(node.id),
        ...factsOf(node),
        properties_digest: digestOf(JSON.stringify(ownProperties(node))),
        content_state: "pending",
        found_by: node.foundBy ?? "search",
        container_id: nodeKeyOrNull(node.containerId ?? null),
        unsettled: node.isUnsettled === true ? 1 : 0,
        added_revision: revision,
        changed_revision: revision,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(["connection_id", "id"]).doUpdateSet({
        ...excluded([...factColumns, "properties_digest", "found_by", "container_id", "unsettled"]),
        content_state: storedIf(
          sql`nodes.type = excluded.type and nodes.updated_at = excluded.updated_at and nodes.description is not distinct from excluded.description`,
          "content_state",
        ),
        changed_revision: storedIf(isUnchanged, "changed_revision"),
        title_revision: revisionIf(sql`nodes.title <> excluded.title`, "title_revision"),
        parent_revision: revisionIf(
          sql`nodes.parent_id is distinct from excluded.parent_id`,
          "parent_revision",
        ),
        properties_revision: revisionIf(
          sql`nodes.properties <> excluded.properties and nodes.properties_digest <> excluded.properties_digest`,
          "properties_revision",
        ),
        edited_revision: revisionIf(sql`nodes.updated_at <> excluded.updated_at`, "edited_revision"),
      }),
    )
    .returning("changed_revision")
    .execute();
  return rows.some((row) => row.changed_revision === revision);
}

const isUnchanged = sql.join(
  factColumns.map((column) => sql`nodes.${sql.ref(column)} is not distinct from excluded.${sql.ref(column)}`),
  sql` and `,
);

/** For an upsert of nodes: what is stored in a column if the condition holds, otherwise what is new. */
function storedIf<T>(condition: RawBuilder<unknown>, column: string): RawBuilder<T> {
  const name = sql.ref(column);
  return sql<T>`case when ${condition} then nodes.${name} else excluded.${name} end`;
}

/** For an upsert of nodes: the revision of the upsert if the condition holds, otherwise the stored one. */
function revisionIf(condition: RawBuilder<unknown>, column: string): RawBuilder<number> {
  return sql`case when ${condition} then excluded.changed_revision else nodes.${sql.ref(column)} end`;
}

/** The properties that do not follow from others of its facts. */
function ownProperties({ properties, repeatedProperties = [] }: ReadNode): ReadNode["properties"] {
  return Object.fromEntries(
    Object.entries(properties).filter(([name]) => !repeatedProperties.includes(name)),
  );
}

/** Stores how a sync came to see nodes of which it learned nothing else. */
export async function setObservations(
  trx: WriteTransaction,
  connectionId: number,
  nodes: readonly (Pick<ReadNode, "id"> & Observation)[],
): Promise<void> {
  for (const some of batches(nodes, batchSize)) {
    await updateNodes(trx, connectionId, idsOf(some))
      .set({
        container_id: valueById("container_id", some, (node) => nodeKeyOrNull(node.containerId)),
        unsettled: valueById("unsettled", some, (node) => (node.isUnsettled ? 1 : 0)),
        found_by: valueById("found_by", some, (node) => node.foundBy),
      })
      .execute();
  }
}

/** A node that has another parent than the store says. */
export interface ParentChange {
  readonly id: NodeId;
  readonly from: NodeId | null;
  readonly to: NodeId | null;
}

/** Sets the parents of nodes. Pages that lose or gain a child await their texts again, since those show their children. */
export async function setParents(
  trx: WriteTransaction,
  connectionId: number,
  moves: readonly ParentChange[],
): Promise<void> {
  const revision = await nextRevision(trx, connectionId);
  if (revision === null || moves.length === 0) return;
  for (const some of batches(moves, batchSize)) {
    const parent_id = valueById("parent_id", some, ({ to }) => nodeKeyOrNull(to));
    await updateNodes(trx, connectionId, idsOf(some))
      .set({ parent_id, changed_revision: revision, parent_revision: revision })
      .execute();
  }
  const touched = new Set(moves.flatMap(({ from, to }) => [from, to].filter((id) => id !== null)));
  await requeueTexts(trx, connectionId, [...touched]);
  await moveRevision(trx, connectionId);
}

/** A text as it was read, with the references in it. */
export interface ReadText {
  readonly markdown: string;
  readonly references: readonly Reference[];
  readonly state: "ready" | "empty";
  /** Left out for a database, whose text is listed. */
  readonly reading?: TextReading;
}

/** How the text of a page was read. */
export interface TextReading {
  /** When it was requested, by the provider's clock. */
  readonly at: number;
  readonly state: Exclude<TextState, "unread">;
}

/** Replaces the texts of nodes and the references in them, and marks the texts as `ready` or `empty`. */
export async function saveContents(
  trx: WriteTransaction,
  connectionId: number,
  contents: ReadonlyMap<NodeId, ReadText>,
): Promise<void> {
  for (const ids of batches([...contents.keys()], batchSize)) {
    const stored = await storedTexts(trx, connectionId, ids);
    const texts = ids.flatMap((id) => {
      const text = contents.get(id);
      const before = stored.get(id);
      if (text === undefined || before === undefined) return [];
      const markdown = text.markdown.toWellFormed();
      return [{ ...text, id, before, markdown, digest: digestOf(markdown) }];
    });
    if (texts.length === 0) continue;
    await trx
      .insertInto("contents")
      .values(
        texts.map(({ id, markdown, references, digest, before }) => ({
          connection_id: connectionId,
          node_id: nodeKey(id),
          markdown,
          total_chars: countCodePoints(markdown),
          digest,
          updated_at: before.updatedAt,
          reference_offsets: offsetsOf(references),
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(["connection_id", "node_id"])
          .doUpdateSet(excluded(["markdown", "total_chars", "digest", "updated_at", "reference_offsets"])),
      )
      .execute();
    const held = new Map(texts.map(({ id, references }) => [id, references]));
    const known = texts.filter(({ before }) => before.digest !== null);
    const edited = texts.filter(({ digest, before }) => digest !== (before.digest ?? digestOf("")));
    const references = await replaceReferences(trx, connectionId, "text", held, idsOf(known));
    const referring = texts.filter(({ id }) => references.includes(id));
    const changed = [...new Set([...edited, ...referring])];
    const hasOtherTraits = texts.some(({ state, before }) => traitOf(state) !== traitBefore(before));
    const moves = changed.length > 0 || hasOtherTraits;
    const revision = moves ? await moveRevision(trx, connectionId) : null;
    const stamped = (column: keyof Tables["nodes"], nodes: typeof texts) =>
      valueById(column, nodes, () => revision ?? 0);
    const read = texts.flatMap(({ id, reading }) => (reading === undefined ? [] : [{ id, ...reading }]));
    await updateNodes(trx, connectionId, idsOf(texts))
      .set({
        content_state: valueById("content_state", texts, ({ state }) => state),
        content_error: null,
        read_at: valueById("read_at", read, ({ at }) => at),
        text_state: valueById("text_state", read, ({ state }) => state),
        changed_revision: stamped("changed_revision", changed),
        text_revision: stamped("text_revision", edited),
        references_revision: stamped("references_revision", referring),
      })
      .execute();
  }
}

/** Records why a node's text could not be read. The earlier text stays, with its references (SYNC-5). */
export async function failContent(
  trx: WriteTransaction,
  connectionId: number,
  nodeId: NodeId,
  reason: string,
): Promise<void> {
  const before = (await storedTexts(trx, connectionId, [nodeId])).get(nodeId);
  await setInNodes(trx, connectionId, [nodeId], { content_state: "failed", content_error: reason });
  if (before !== undefined && before.state !== "failed") await moveRevision(trx, connectionId);
}

/** The trait that a node has by the state of its text (GRAPH-19). The graph has it, so it changes with a revision. */
function traitOf(state: ContentState): NodeTrait | null {
  return state === "empty" || state === "failed" ? state : null;
}

/**
 * Removes nodes with their texts and references, each leaving a tombstone of this time; returns how many there were.
 * Their parents await their texts again, since those show their children.
 */
export async function removeNodes(
  trx: WriteTransaction,
  connectionId: number,
  ids: readonly NodeId[],
  now: number,
): Promise<number> {
  let removed = 0;
  const revision = (await nextRevision(trx, connectionId)) ?? 0;
  for (const some of batches(ids, batchSize)) {
    const gone = await trx
      .deleteFrom("nodes")
      .where("connection_id", "=", connectionId)
      .where("id", "in", some.map(nodeKey))
      .returning(["id", "added_revision", "parent_id"])
      .execute();
    if (gone.length === 0) continue;
    removed += gone.length;
    const at = { connection_id: connectionId, revision, removed_at: now };
    const tombstones = gone.map(({ id, added_revision }) => ({ ...at, node_id: id, added_revision }));
    await trx.insertInto("tombstones").values(tombstones).execute();
    const parents = gone.flatMap(({ parent_id }) => (parent_id === null ? [] : nodeIdOf(parent_id)));
    await requeueTexts(trx, connectionId, parents);
  }
  if (removed > 0) await moveRevision(trx, connectionId);
  return removed;
}

/** The trait of a node before its text is read again: one that is to be read again may have been empty. */
const traitBefore = ({ state, digest }: StoredText): NodeTrait | null =>
  traitOf(state === "pending" && digest === digestOf("") ? "empty" : state);

interface StoredText {
  readonly updatedAt: number;
  readonly state: ContentState;
  readonly digest: string | null;
}

/**
 * Those of these nodes that are there: when each was updated at the provider, the state of its text, and the text's digest, null
 * without one.
 */
async function storedTexts(trx: WriteTransaction, connectionId: number, ids: readonly NodeId[]) {
  const rows = await nodesOf(trx, connectionId)
    .leftJoin("contents", (join) =>
      join
        .onRef("contents.connection_id", "=", "nodes.connection_id")
        .onRef("contents.node_id", "=", "nodes.id"),
    )
    .select(["nodes.id", "nodes.updated_at", "nodes.content_state", "contents.digest"])
    .where("nodes.id", "in", ids.map(nodeKey))
    .execute();
  return new Map(
    rows.map((row) => [
      nodeIdOf(row.id),
      { updatedAt: row.updated_at, state: row.content_state, digest: row.digest },
    ]),
  );
}

const idsOf = (nodes: readonly { readonly id: NodeId }[]) => nodes.map(({ id }) => id);

/** Identifies a text. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
