import type { ListedNode, SearchEntry, WorkspaceReader } from "@clew/provider";
import type { Database } from "../../store/port.ts";
import { collectionsOf } from "../../store/queries/containers.ts";
import { type KnownEdit, knownEdits } from "../../store/queries/looks.ts";
import { editOverlapMs, firstEntries } from "../../store/queries/reading-list.ts";

/** Entries that are compared at a time. */
const batchSize = 100;

/** Entries that a look reads at most. */
const maxEntries = 10 * batchSize;

/** The result of a look. */
export interface Sight {
  /** The edits that are not stored, in words that stay the same while they do; empty if there are none. */
  readonly news: string;
  /** Whether an entry could not be read, or there were too many: what the graph lacks is then not known. */
  readonly misses: boolean;
  /** When the look began, by the provider's clock. */
  readonly at: number;
}

interface LookContext {
  readonly connectionId: number;
  readonly database: Pick<Database, "read">;
  readonly reader: Pick<WorkspaceReader, "search" | "trashed" | "time" | "missingFacts">;
}

/**
 * Compares the latest edits that the provider lists, and what it has in the trash, with what is stored, and writes nothing (SYNC-11). All edits until
 * `knownUntil`, by the provider's clock, are known: it reads the first answer, and on until one that is older by the overlap. Throws
 * `ProviderError`, or the reason with which the reader's signal was aborted.
 */
export async function look(knownUntil: number, context: LookContext): Promise<Sight> {
  const { reader } = context;
  const since = knownUntil - editOverlapMs;
  let at: number | null = null;
  let misses = false;
  let batch: ListedNode[] = [];
  let read = 0;
  for await (const entry of reader.search({ few: true })) {
    at ??= reader.time();
    read += 1;
    if (isNode(entry)) {
      const isOld = entry.updatedAt < since;
      if (!isOld || read <= firstEntries) batch.push(entry);
      if (isOld && read >= firstEntries) break;
    } else misses ||= entry.type === "unreadable";
    if (read >= maxEntries) {
      misses = true;
      break;
    }
    if (batch.length < batchSize) continue;
    const news = await newsIn(batch, since, context);
    if (news !== "") return { news, misses, at };
    batch = [];
  }
  at ??= reader.time();
  const gone = asksTrash(context.connectionId, at) ? await trashed(reader) : [];
  return { news: await newsIn([...batch, ...gone], since, context), misses, at };
}

/** Minutes in which one look reads the trash as well. */
const trashMinutes = 5;

/** Whether the look of this minute reads the trash: each connection has its own minute of five. */
function asksTrash(connectionId: number, at: number): boolean {
  return (Math.floor(at / 60_000) + connectionId) % trashMinutes === 0;
}

/** The pages and databases that were put into the trash lately. */
async function trashed(reader: LookContext["reader"]): Promise<ListedNode[]> {
  const nodes: ListedNode[] = [];
  for await (const entry of reader.trashed?.() ?? []) if (isNode(entry) && entry.inTrash) nodes.push(entry);
  return nodes;
}

function isNode(entry: SearchEntry): entry is ListedNode {
  return entry.type === "page" || entry.type === "database";
}

/** The news among these nodes. Of those that were edited before `since`, what failed is known. */
async function newsIn(
  listed: readonly ListedNode[],
  since: number,
  { connectionId, database, reader }: LookContext,
): Promise<string> {
  const known = await knownEdits(database.read, connectionId, [...new Set(listed.map(({ id }) => id))]);
  // Rarely any: databases are edited seldom.
  const hasDatabases = listed.some(({ type }) => type === "database");
  const collections = hasDatabases ? await collectionsOf(database.read, connectionId) : [];
  const inTrash = listed.filter((node) => node.inTrash).flatMap((node) => idsOf(node.collections));
  const isNews = (node: ListedNode) => {
    const stored = known.get(node.id);
    const ofNode = idsOf(collections.filter(({ databaseId }) => databaseId === node.id));
    if (stored === undefined) return !node.inTrash;
    // A database with another collection outside of the trash is not in it either.
    if (node.inTrash) return node.collections.length === 0 || ofNode.every((id) => inTrash.includes(id));
    const ids = [...idsOf(node.collections), ...ofNode];
    // The list has the time of one of its collections, which says nothing of what is stored of the database.
    const isApart = node.type === "database" && reader.missingFacts(node, new Set(ids)) === "all";
    if (node.updatedAt < since) return !isApart && node.updatedAt !== stored.updatedAt;
    return isApart || isEdited(node, stored);
  };
  return listed
    .filter(isNews)
    .map(({ id, updatedAt }) => `${id} ${updatedAt}`)
    .join();
}

const idsOf = (collections: readonly { readonly id: string }[]) => collections.map(({ id }) => id);

function isEdited({ updatedAt }: ListedNode, stored: KnownEdit): boolean {
  const hasText = stored.contentState !== "pending" && stored.contentState !== "failed";
  return updatedAt !== stored.updatedAt || !hasText;
}
