import type { NodeId, Reference } from "@clew/graph";
import type { FoundBy } from "../model/sync-report.ts";
import { type ListedNode, ProviderError } from "../provider/port.ts";
import { type KnownFacts, type KnownNode, knownFacts } from "../store/queries/known-nodes.ts";
import { recordUnanswered } from "./record-unanswered.ts";
import { containerOf, type SyncState } from "./state.ts";
import type { SyncRun } from "./sync-run.ts";

/** A node that something told of. */
export interface ObservedNode {
  readonly node: ListedNode;
  readonly by: FoundBy;
  /** Whether this is a database as it tells of itself, and not one of its data sources. */
  readonly isWhole?: boolean;
}

/** A node as it is to be written. */
export interface Reading {
  readonly node: ListedNode;
  readonly by: FoundBy;
  /** Its own id where it is not known what it hangs in: it then stands at the top. */
  readonly containerId: string | null;
  /** Where it stood until now. */
  readonly parentId: NodeId | null;
  /** Whether it may hold what no earlier listing showed. */
  readonly isNews: boolean;
  /** Whether what the store holds of it is more than what was listed, and as good. */
  readonly keepsFacts: boolean;
  readonly isUnsettled: boolean;
}

/**
 * Completes what a listing cuts short: the rest of long properties, and the title of a database whose data source does
 * not tell it. Nothing is asked for of a node that is as the store has it, and what cannot be read stays as the store
 * has it (SYNC-5). Null where the node lies in the trash after all.
 */
export async function hydrate(
  observed: ObservedNode,
  known: KnownNode | null,
  run: SyncRun,
): Promise<Reading | null> {
  const { state } = run;
  const { node } = observed;
  const isSource = node.type === "database" && observed.isWhole !== true;
  const isSplit = isSource && hasSeveralSources(node, state);
  const hasNewSource = node.dataSourceIds.some((id) => state.databases.get(id) !== node.id);
  const reading = {
    by: observed.by,
    node,
    containerId: containerIdOf(node, known),
    parentId: known?.parentId ?? null,
    isNews: hasNewSource || isNews(node, known, { state, isSplit }),
    keepsFacts: false,
    isUnsettled: false,
  };
  const retrieval = `retrieve ${node.id}`;
  if (observed.isWhole === true) state.asked.add(retrieval);
  if (known !== null && isSplit && state.asked.has(retrieval))
    return { ...reading, isNews: hasNewSource, keepsFacts: true, isUnsettled: known.isUnsettled };
  // A data source has a title of its own, which is its database's only where it is the one source and has one.
  const needsDatabase = isSplit || (isSource && node.title === "");
  const isPartial = node.cutProperties.length > 0 || node.unreadProperties.length > 0;
  if (!reading.isNews) return { ...reading, keepsFacts: needsDatabase || isPartial };

  if (needsDatabase) state.asked.add(retrieval);
  const whole = needsDatabase ? await wholeDatabase(node, isSplit, run) : await wholePage(node, known, run);
  if (whole === null && known !== null) return { ...reading, keepsFacts: true, isUnsettled: true };
  return written(reading, whole ?? node, known, run);
}

/** A node as it is written, once all of it was asked for. */
function written(reading: Reading, node: ListedNode, known: KnownNode | null, run: SyncRun): Reading | null {
  if (node.inTrash) {
    run.state.gone.add(node.id);
    return null;
  }
  const containerId = containerIdOf(node, known);
  if (node.parent.kind === "unknown" && containerId === node.id) leavePlaceOpen(node, node.parent.type, run);
  return { ...reading, node, containerId, isUnsettled: isOpenEnded(node, run.state) };
}

/** What a node hangs in. Of one whose parent is new to Clew that is what is known; its own id where nothing is. */
function containerIdOf({ id, parent }: ListedNode, known: KnownNode | null): string | null {
  if (parent.kind !== "unknown") return containerOf(parent);
  return known === null ? id : known.containerId;
}

function leavePlaceOpen({ id }: ListedNode, type: string, run: SyncRun): void {
  const reason = new ProviderError("nonsense", `a parent of the type ${type} is not supported`);
  recordUnanswered(id, `failed to place ${id}`, reason, run);
}

/** Whether a database has other data sources than the one that was listed: then it alone tells its title. */
function hasSeveralSources({ id, dataSourceIds }: ListedNode, { databases }: SyncState): boolean {
  const sources = new Set(dataSourceIds);
  for (const [source, database] of databases) if (database === id) sources.add(source);
  return sources.size > 1;
}

function isNews(
  node: ListedNode,
  known: KnownNode | null,
  { state, isSplit }: { state: SyncState; isSplit: boolean },
): boolean {
  if (known === null || state.isFull || known.isUnsettled) return true;
  // Whether it is as it is known cannot be said.
  if (node.unreadProperties.some(({ error }) => error !== null)) return true;
  // The time of a data source says nothing of its database's.
  const isEdited = !isSplit && known.updatedAt !== node.updatedAt;
  return isEdited || node.updatedAt >= state.quietBefore || known.containerId !== containerIdOf(node, known);
}

/** Whether a node leaves something out or names something that is not known. */
function isOpenEnded(node: ListedNode, { nodes, unsettled }: SyncState): boolean {
  const holder = containerOf(node.parent);
  return (
    unsettled.has(node.id) ||
    (holder !== null && !nodes.has(holder)) ||
    node.mentioned.some(({ id }) => !nodes.has(id))
  );
}

/** The database of a data source: all of it, or its title alone. Null where it could not be retrieved. */
async function wholeDatabase(node: ListedNode, isSplit: boolean, run: SyncRun): Promise<ListedNode | null> {
  try {
    const database = await run.reader.database(node.id, run.signal);
    run.breaker.answered();
    const dataSourceIds = [...new Set([...database.dataSourceIds, ...node.dataSourceIds])];
    const hasOthers = isSplit || database.dataSourceIds.length > 1;
    const { title, aliases } = database;
    return hasOthers ? { ...database, dataSourceIds } : { ...node, title, aliases };
  } catch (thrown) {
    recordUnanswered(node.id, `failed to retrieve database ${node.id}`, thrown, run);
    return null;
  }
}

/**
 * Reads the rest of the properties that a page shows in part. Those that cannot be read stay as they are known, or as
 * they are shown.
 */
async function wholePage(node: ListedNode, known: KnownNode | null, run: SyncRun): Promise<ListedNode> {
  const unread = node.unreadProperties.map(({ name }) => name);
  for (const { error } of node.unreadProperties)
    if (error !== null) recordUnanswered(node.id, `failed to read a property of ${node.id}`, error, run);
  let whole = node;
  for (const property of node.cutProperties) {
    try {
      const { value, references, mentioned, unsupported } = await run.reader.property(
        node.id,
        property,
        run.signal,
      );
      run.breaker.answered();
      run.report.unsupported(unsupported);
      if (unsupported.length > 0) unread.push(property.name);
      else
        whole = {
          ...whole,
          properties: { ...whole.properties, [property.name]: value },
          references: [...whole.references, ...references],
          mentioned: [...whole.mentioned, ...mentioned],
          cutProperties: whole.cutProperties.filter((cut) => cut !== property),
        };
    } catch (thrown) {
      unread.push(property.name);
      recordUnanswered(node.id, `failed to read a property of ${node.id} to its end`, thrown, run);
    }
  }
  if (known === null || unread.length === 0) return whole;
  return withKnown(whole, unread, await knownFacts(run.database.read, run.connectionId, node.id));
}

/**
 * A page with what the store knows of properties that could not be read. A mention or hyperlink does not tell which
 * property holds it: where that may be one of these, none is dropped.
 */
function withKnown(
  node: ListedNode,
  unread: readonly string[],
  { properties, references }: KnownFacts,
): ListedNode {
  const names = new Set(unread.filter((name) => (properties[name] ?? null) !== null));
  const isOfThese = ({ type, name }: Reference) => type === "relation" && name !== null && names.has(name);
  const relations = new Set(references.filter(isOfThese).map(({ name }) => name));
  const mayHoldText = relations.size < names.size;
  const isRead = (reference: Reference) =>
    node.references.some(({ type, targetId }) => type === reference.type && targetId === reference.targetId);
  const kept = references.filter((reference) =>
    reference.type === "relation" ? isOfThese(reference) : mayHoldText && !isRead(reference),
  );
  const values = Object.entries(properties).filter(([name]) => names.has(name));
  return {
    ...node,
    properties: { ...node.properties, ...Object.fromEntries(values) },
    references: [...node.references, ...kept],
    cutProperties: node.cutProperties.filter(({ name }) => !names.has(name)),
  };
}
