import type { NodeId, Reference } from "@clew/graph";
import { type Collection, type ListedNode, ProviderError, type WorkspaceReader } from "@clew/provider";
import type { FoundBy } from "../../model/sync-report.ts";
import { type KnownFacts, type KnownNode, knownFacts } from "../../store/queries/known-nodes.ts";
import {
  type Faults,
  type ObservedNode,
  recordUnanswered,
  type StoreToRead,
  type SyncContext,
  type SyncPlan,
} from "../context.ts";
import { containerOf, type StateReader } from "../state.ts";

/** A node as it is to be written. */
export interface HydratedNode {
  readonly node: ListedNode;
  readonly by: FoundBy;
  /** The node's own id if its container is not known: it is then placed at the top. */
  readonly containerId: string | null;
  /** The parent in the store. */
  readonly parentId: NodeId | null;
  /** Whether it may name pages that no listing has shown yet, so they must be looked up. */
  readonly mayBeNew: boolean;
  /** Whether the stored facts stay, since they are more than what was listed, and as good. */
  readonly keepsFacts: boolean;
  readonly isUnsettled: boolean;
}

/** Hydrating calls the provider and reads the store; it marks what it asks and cannot get. */
export interface HydrateContext extends StoreToRead, Faults, Pick<SyncContext, "plan" | "loader"> {
  readonly state: SyncContext["state"];
  readonly reader: Pick<WorkspaceReader, "database" | "property" | "missingFacts">;
}

/**
 * Completes what a listing leaves out: the rest of long properties, and facts of a database that was listed by one of its
 * collections. Makes no calls for a node that is as stored, and what cannot be read stays as stored (SYNC-5). Null if the
 * node turns out to be in the trash.
 */
export async function hydrate(
  observed: ObservedNode,
  known: KnownNode | null,
  context: HydrateContext,
): Promise<HydratedNode | null> {
  const { state, reader, plan } = context;
  const { node } = observed;
  const missing = missingFacts(observed, state, reader);
  const hasNewCollection = node.collections.some(({ id }) => state.databaseOf(id) !== node.id);
  const hydrated = {
    by: observed.by,
    node,
    containerId: containerIdOf(node, known),
    parentId: known?.parentId ?? null,
    mayBeNew: hasNewCollection || mayHaveChanged(node, known, plan, missing),
    keepsFacts: false,
    isUnsettled: false,
  };
  const retrieval = { kind: "retrieve", id: node.id } as const;
  if (observed.isWhole === true) state.markAsked(retrieval);
  if (known !== null && missing === "all" && state.wasAsked(retrieval))
    return { ...hydrated, mayBeNew: hasNewCollection, keepsFacts: true, isUnsettled: known.isUnsettled };
  const isPartial = node.partial.cut.length > 0 || node.partial.unread.length > 0;
  if (!hydrated.mayBeNew) return { ...hydrated, keepsFacts: missing !== "none" || isPartial };

  if (missing !== "none") state.markAsked(retrieval);
  const whole =
    missing === "none"
      ? await completeProperties(node, known, context)
      : await retrieveDatabase(node, missing, context);
  if (whole === null && known !== null) return { ...hydrated, keepsFacts: true, isUnsettled: true };
  return withPlace(hydrated, whole ?? node, known, context);
}

type MissingFacts = ReturnType<WorkspaceReader["missingFacts"]>;

/** The facts that an observed node lacks, given all collections that are known. */
function missingFacts(
  { node, isWhole }: ObservedNode,
  state: Pick<StateReader, "collectionsOf">,
  reader: Pick<WorkspaceReader, "missingFacts">,
): MissingFacts {
  if (node.type !== "database" || isWhole === true) return "none";
  return reader.missingFacts(node, new Set([...idsOf(node.collections), ...state.collectionsOf(node.id)]));
}

function idsOf(collections: readonly Collection[]): string[] {
  return collections.map(({ id }) => id);
}

/** A hydrated node with its container; null if it is in the trash. */
async function withPlace(
  hydrated: HydratedNode,
  node: ListedNode,
  known: KnownNode | null,
  context: Faults & Pick<SyncContext, "state" | "loader">,
): Promise<HydratedNode | null> {
  if (node.inTrash) {
    context.state.markGone(node.id);
    return null;
  }
  const containerId = containerIdOf(node, known);
  if (node.parent.kind === "unknown" && containerId === node.id) {
    const { type } = node.parent;
    const reason = new ProviderError("malformed", `a parent of the type ${type} is not supported`);
    recordUnanswered(node.id, `failed to place ${node.id}`, reason, context);
  }
  await context.loader.load(namedBy(node));
  return { ...hydrated, node, containerId, isUnsettled: isUnsettled(node, context.state) };
}

/** The container of a node. If its parent is of an unsupported type, the stored one; without one, the node's own id. */
function containerIdOf({ id, parent }: ListedNode, known: KnownNode | null): string | null {
  if (parent.kind !== "unknown") return containerOf(parent);
  return known === null ? id : known.containerId;
}

function mayHaveChanged(
  node: ListedNode,
  known: KnownNode | null,
  plan: SyncPlan,
  missing: MissingFacts,
): boolean {
  if (known === null || plan.kind === "full" || known.isUnsettled) return true;
  if (node.partial.unread.some(({ error }) => error !== null)) return true;
  // The listed time may be another one than the database's.
  const isEdited = missing !== "all" && known.updatedAt !== node.updatedAt;
  return isEdited || node.updatedAt >= plan.quietBefore || known.containerId !== containerIdOf(node, known);
}

/** Whether a node leaves something out or names something that is not known. */
function isUnsettled(node: ListedNode, state: Pick<StateReader, "unsettledNodes" | "hasNode">): boolean {
  return state.unsettledNodes().has(node.id) || namedBy(node).some((id) => !state.hasNode(id));
}

/** The ids of the container of a node, and of all that it mentions. */
function namedBy({ parent, mentioned }: ListedNode): string[] {
  const containerId = containerOf(parent);
  return [...(containerId === null ? [] : [containerId]), ...mentioned.map(({ id }) => id)];
}

/** The database with the facts that a list left out. Null if it could not be retrieved. */
async function retrieveDatabase(
  node: ListedNode,
  missing: MissingFacts,
  context: Faults & Pick<HydrateContext, "reader">,
): Promise<ListedNode | null> {
  const { reader, breaker } = context;
  try {
    const database = await reader.database(node.id);
    breaker.succeeded();
    // The database may name collections that were not known.
    const isAllMissing =
      missing === "all" || reader.missingFacts(node, new Set(idsOf(database.collections))) === "all";
    const { title, aliases } = database;
    const description = node.description || database.description;
    return isAllMissing
      ? {
          ...database,
          ...authorsIn(node),
          collections: unitedCollections(database.collections, node.collections),
        }
      : { ...node, title, aliases, ...(description && { description }) };
  } catch (thrown) {
    recordUnanswered(node.id, `failed to retrieve database ${node.id}`, thrown, context);
    return null;
  }
}

/** The authors that a collection gives and its database does not. */
function authorsIn({ createdBy, editedBy }: ListedNode): Pick<ListedNode, "createdBy" | "editedBy"> {
  return { ...(createdBy && { createdBy }), ...(editedBy && { editedBy }) };
}

/** The collections of both lists, each once, with the columns that the later list shows. */
export function unitedCollections(one: readonly Collection[], later: readonly Collection[]): Collection[] {
  const united = new Map(one.map((collection) => [collection.id, collection]));
  for (const { id, columns } of later)
    united.set(id, { id, columns: columns ?? united.get(id)?.columns ?? null });
  return [...united.values()];
}

/** Reads the rest of cut properties. Those that cannot be read stay as stored, or as shown if nothing is stored. */
async function completeProperties(
  node: ListedNode,
  known: KnownNode | null,
  context: StoreToRead & Faults & Pick<HydrateContext, "reader">,
): Promise<ListedNode> {
  const { reader, breaker, report, connectionId, database } = context;
  const unread = node.partial.unread.map(({ name }) => name);
  for (const { error } of node.partial.unread)
    if (error !== null) recordUnanswered(node.id, `failed to read a property of ${node.id}`, error, context);
  let whole = node;
  for (const property of node.partial.cut) {
    try {
      const { value, title, references, mentioned, unsupported } = await reader.property(node.id, property);
      breaker.succeeded();
      report.unsupported(unsupported);
      if (unsupported.length > 0) unread.push(property.name);
      else
        whole = {
          ...whole,
          ...(title === undefined ? {} : { title }),
          properties: { ...whole.properties, [property.name]: value },
          references: [...whole.references, ...references],
          mentioned: [...whole.mentioned, ...mentioned],
          partial: { ...whole.partial, cut: whole.partial.cut.filter((cut) => cut !== property) },
        };
    } catch (thrown) {
      unread.push(property.name);
      recordUnanswered(node.id, `failed to read a property of ${node.id} to its end`, thrown, context);
    }
  }
  if (known === null || unread.length === 0) return whole;
  return withKnown(whole, unread, await knownFacts(database.read, connectionId, node.id));
}

/**
 * A page with what is stored of properties that could not be read. A stored mention or hyperlink does not name its
 * property: it is kept if one of these properties may hold it.
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
    partial: { ...node.partial, cut: node.partial.cut.filter(({ name }) => !names.has(name)) },
  };
}
