import type { NodeId } from "../model/node-id.ts";
import type { FoundBy } from "../model/sync-report.ts";
import type { ListedNode } from "../provider/port.ts";
import type { KnownNode } from "../store/known-nodes.ts";
import { type Catalog, holderOf } from "./catalog.ts";
import { leaveOpen } from "./leave-open.ts";
import type { Run } from "./run.ts";

/** A node that something told of. */
export interface Sighting {
  readonly node: ListedNode;
  readonly by: FoundBy;
  /** Whether this is a database as it tells of itself, and not one of its data sources. */
  readonly isWhole?: boolean;
}

/** A node as it is to be written. */
export interface Reading {
  readonly node: ListedNode;
  readonly by: FoundBy;
  readonly hangsIn: string | null;
  /** Where it stood until now. */
  readonly parentId: NodeId | null;
  /** Whether it may hold what no earlier listing showed. */
  readonly isNews: boolean;
  /** Whether what the store holds of it is more than what was listed, and as good. */
  readonly keepsFacts: boolean;
  readonly isUnsettled: boolean;
}

/**
 * Completes what a listing cuts short: the rest of long properties, and the title of a database with several sources.
 * Nothing is asked for of a node that is as the store has it. Null where the node lies in the trash after all.
 */
export async function inFull(sighting: Sighting, known: KnownNode | null, run: Run): Promise<Reading | null> {
  const { catalog } = run;
  const { node } = sighting;
  const isSplit = isOneOfSeveral(sighting, catalog);
  const reading = {
    by: sighting.by,
    node,
    hangsIn: holderOf(node.parent),
    parentId: known?.parentId ?? null,
    isNews: isNews(node, known, { catalog, isSplit }),
    keepsFacts: false,
    isUnsettled: false,
  };
  const retrieval = `retrieve ${node.id}`;
  if (sighting.isWhole === true) catalog.asked.add(retrieval);
  if (known !== null && isSplit && catalog.asked.has(retrieval))
    return { ...reading, isNews: false, keepsFacts: true, isUnsettled: known.isUnsettled };
  if (!reading.isNews) return { ...reading, keepsFacts: isSplit || node.cutProperties.length > 0 };

  catalog.asked.add(retrieval);
  const whole = isSplit ? await wholeDatabase(node, run) : await wholePage(node, run);
  if (whole.inTrash) {
    catalog.gone.add(node.id);
    return null;
  }
  return {
    ...reading,
    node: whole,
    hangsIn: holderOf(whole.parent),
    isUnsettled: isOpenEnded(whole, catalog),
  };
}

/** Whether this is one data source of a database that has others, whose title only the database itself tells. */
function isOneOfSeveral({ node, isWhole }: Sighting, { databases }: Catalog): boolean {
  if (node.type === "page" || isWhole === true) return false;
  const sources = new Set(node.dataSourceIds);
  for (const [source, database] of databases) if (database === node.id) sources.add(source);
  return sources.size > 1;
}

function isNews(
  node: ListedNode,
  known: KnownNode | null,
  { catalog, isSplit }: { catalog: Catalog; isSplit: boolean },
): boolean {
  if (known === null || catalog.isFull || known.isUnsettled) return true;
  // The time of a data source says nothing of its database's.
  const isEdited = !isSplit && known.updatedAt !== node.updatedAt;
  return isEdited || node.updatedAt >= catalog.quietBefore || known.hangsIn !== holderOf(node.parent);
}

/** Whether a node leaves something out or names something that is not known. */
function isOpenEnded(node: ListedNode, { nodes, unsettled }: Catalog): boolean {
  const holder = holderOf(node.parent);
  return (
    unsettled.has(node.id) ||
    (holder !== null && !nodes.has(holder)) ||
    node.mentioned.some(({ id }) => !nodes.has(id))
  );
}

async function wholeDatabase(node: ListedNode, run: Run): Promise<ListedNode> {
  try {
    const whole = await run.reader.database(node.id, run.signal);
    run.outage.answered();
    return { ...whole, dataSourceIds: [...new Set([...whole.dataSourceIds, ...node.dataSourceIds])] };
  } catch (thrown) {
    leaveOpen(node.id, `The database ${node.id} could not be retrieved`, thrown, run);
    return node;
  }
}

/** Reads the rest of the properties that a page shows in part; those that cannot be read stay as they are shown. */
async function wholePage(node: ListedNode, run: Run): Promise<ListedNode> {
  let known = node;
  for (const property of node.cutProperties) {
    try {
      const { value, threads, mentioned } = await run.reader.property(node.id, property, run.signal);
      run.outage.answered();
      known = {
        ...known,
        properties: { ...known.properties, [property.name]: value },
        threads: [...known.threads, ...threads],
        mentioned: [...known.mentioned, ...mentioned],
        cutProperties: known.cutProperties.filter((cut) => cut !== property),
      };
    } catch (thrown) {
      leaveOpen(node.id, `A property of ${node.id} could not be read to its end`, thrown, run);
    }
  }
  return known;
}
