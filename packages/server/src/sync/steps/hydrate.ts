import type { NodeId, Reference } from "@clew/graph";
import type { FoundBy } from "../../model/sync-report.ts";
import { type ListedNode, ProviderError } from "../../provider/port.ts";
import { type KnownFacts, type KnownNode, knownFacts } from "../../store/queries/known-nodes.ts";
import { containerOf, type SyncState } from "../state.ts";
import { type ObservedNode, recordUnanswered, type SyncContext } from "../sync-run.ts";
import type { SyncPlan } from "./plan.ts";

/** A node as it is to be written. */
export interface HydratedNode {
  readonly node: ListedNode;
  readonly by: FoundBy;
  /** The node's own id where its container is not known: it is then placed at the top. */
  readonly containerId: string | null;
  /** The parent in the store. */
  readonly parentId: NodeId | null;
  /** Whether it may hold what no earlier listing showed, so that what it names is to be looked up. */
  readonly mayBeNew: boolean;
  /** Whether the stored facts stay, since they are more than what was listed, and as good. */
  readonly keepsFacts: boolean;
  readonly isUnsettled: boolean;
}

/**
 * Completes what a listing cuts short: the rest of long properties, and the title of a database whose data source does
 * not show it. Makes no calls for a node that is as stored, and what cannot be read stays as stored (SYNC-5). Null where
 * the node turns out to be in the trash.
 */
export async function hydrate(
  observed: ObservedNode,
  known: KnownNode | null,
  run: SyncContext,
): Promise<HydratedNode | null> {
  const { state } = run;
  const { node } = observed;
  const isSource = node.type === "database" && observed.isWhole !== true;
  const isSplit = isSource && hasSeveralSources(node, state);
  const hasNewSource = node.dataSourceIds.some((id) => state.databaseOf(id) !== node.id);
  const hydrated = {
    by: observed.by,
    node,
    containerId: containerIdOf(node, known),
    parentId: known?.parentId ?? null,
    mayBeNew: hasNewSource || mayHaveChanged(node, known, run.plan, isSplit),
    keepsFacts: false,
    isUnsettled: false,
  };
  const retrieval = { kind: "retrieve", id: node.id } as const;
  if (observed.isWhole === true) state.asked(retrieval);
  if (known !== null && isSplit && state.wasAsked(retrieval))
    return { ...hydrated, mayBeNew: hasNewSource, keepsFacts: true, isUnsettled: known.isUnsettled };
  // A data source has a title of its own, which is its database's only where it is the one source and has one.
  const needsDatabase = isSplit || (isSource && node.title === "");
  const isPartial = node.cutProperties.length > 0 || node.unreadProperties.length > 0;
  if (!hydrated.mayBeNew) return { ...hydrated, keepsFacts: needsDatabase || isPartial };

  if (needsDatabase) state.asked(retrieval);
  const whole = needsDatabase
    ? await retrieveDatabase(node, isSplit, run)
    : await completeProperties(node, known, run);
  if (whole === null && known !== null) return { ...hydrated, keepsFacts: true, isUnsettled: true };
  return withPlace(hydrated, whole ?? node, known, run);
}

/** A hydrated node with its container; null where it is in the trash. */
function withPlace(
  hydrated: HydratedNode,
  node: ListedNode,
  known: KnownNode | null,
  run: SyncContext,
): HydratedNode | null {
  if (node.inTrash) {
    run.state.confirmedGone(node.id);
    return null;
  }
  const containerId = containerIdOf(node, known);
  if (node.parent.kind === "unknown" && containerId === node.id) {
    const { type } = node.parent;
    const reason = new ProviderError("malformed", `a parent of the type ${type} is not supported`);
    recordUnanswered(node.id, `failed to place ${node.id}`, reason, run);
  }
  return { ...hydrated, node, containerId, isUnsettled: isUnsettled(node, run.state) };
}

/** The container of a node. If its parent is of an unsupported type, the stored one; without one, the node's own id. */
function containerIdOf({ id, parent }: ListedNode, known: KnownNode | null): string | null {
  if (parent.kind !== "unknown") return containerOf(parent);
  return known === null ? id : known.containerId;
}

/** Whether a database has other data sources than the one that was listed: only the database itself shows its title then. */
function hasSeveralSources({ id, dataSourceIds }: ListedNode, state: SyncState): boolean {
  return new Set([...dataSourceIds, ...state.dataSourcesOf(id)]).size > 1;
}

function mayHaveChanged(
  node: ListedNode,
  known: KnownNode | null,
  plan: SyncPlan,
  isSplit: boolean,
): boolean {
  if (known === null || plan.kind === "full" || known.isUnsettled) return true;
  if (node.unreadProperties.some(({ error }) => error !== null)) return true;
  // The time of a data source says nothing of its database's.
  const isEdited = !isSplit && known.updatedAt !== node.updatedAt;
  return isEdited || node.updatedAt >= plan.quietBefore || known.containerId !== containerIdOf(node, known);
}

/** Whether a node leaves something out or names something that is not known. */
function isUnsettled(node: ListedNode, state: SyncState): boolean {
  const containerId = containerOf(node.parent);
  return (
    state.unsettledNodes().has(node.id) ||
    (containerId !== null && !state.hasNode(containerId)) ||
    node.mentioned.some(({ id }) => !state.hasNode(id))
  );
}

/** The database of a data source: all of it, or its title alone. Null where it could not be retrieved. */
async function retrieveDatabase(
  node: ListedNode,
  isSplit: boolean,
  run: SyncContext,
): Promise<ListedNode | null> {
  try {
    const database = await run.reader.database(node.id);
    run.breaker.succeeded();
    const dataSourceIds = [...new Set([...database.dataSourceIds, ...node.dataSourceIds])];
    const hasOthers = isSplit || database.dataSourceIds.length > 1;
    const { title, aliases } = database;
    const { schemas } = node;
    return hasOthers ? { ...database, dataSourceIds, schemas } : { ...node, title, aliases };
  } catch (thrown) {
    recordUnanswered(node.id, `failed to retrieve database ${node.id}`, thrown, run);
    return null;
  }
}

/** Reads the rest of cut properties. Those that cannot be read stay as stored, or as shown where nothing is stored. */
async function completeProperties(
  node: ListedNode,
  known: KnownNode | null,
  run: SyncContext,
): Promise<ListedNode> {
  const unread = node.unreadProperties.map(({ name }) => name);
  for (const { error } of node.unreadProperties)
    if (error !== null) recordUnanswered(node.id, `failed to read a property of ${node.id}`, error, run);
  let whole = node;
  for (const property of node.cutProperties) {
    try {
      const { value, references, mentioned, unsupported } = await run.reader.property(node.id, property);
      run.breaker.succeeded();
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
 * A page with what is stored of properties that could not be read. A stored mention or hyperlink does not name its
 * property: where one of these properties may hold it, it is kept.
 */
function withKnown(
  node: ListedNode,
  unread: readonly string[],
  { properties, references }: KnownFacts,
): ListedNode {
  const kept = Object.entries(properties).filter(([name, value]) => value !== null && unread.includes(name));
  const names = new Set(kept.map(([name]) => name));
  const isOfThese = ({ type, name }: Reference) => type === "relation" && name !== null && names.has(name);
  const relations = new Set(references.filter(isOfThese).map(({ name }) => name));
  const mayHoldText = relations.size < names.size;
  const isRead = (reference: Reference) =>
    node.references.some(({ type, targetId }) => type === reference.type && targetId === reference.targetId);
  const stored = references.filter((reference) =>
    reference.type === "relation" ? isOfThese(reference) : mayHoldText && !isRead(reference),
  );
  return {
    ...node,
    properties: { ...node.properties, ...Object.fromEntries(kept) },
    references: [...node.references, ...stored],
    cutProperties: node.cutProperties.filter(({ name }) => !names.has(name)),
  };
}
