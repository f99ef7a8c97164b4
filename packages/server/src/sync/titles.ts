import type { NodeId } from "../model/node-id.ts";
import type { ListedNode } from "../provider/port.ts";
import { removeNodesNotIn } from "../store/graph-pages.ts";
import { readGraph } from "../store/graph-reading.ts";
import { writeNodes } from "./apply.ts";
import { crawl } from "./crawl.ts";
import { createFindings } from "./findings.ts";
import { place } from "./place.ts";
import type { Run } from "./run.ts";

/**
 * The first phase (SYNC-2): finds every page and database through search and by following what that names, and
 * writes and publishes titles, parents and relations, so that they can be searched within seconds. What earlier runs
 * knew and this one did not find is looked up by id, and removed only once the provider has confirmed of all of it
 * that it is gone (SYNC-7). Returns the pages whose texts are to be read again though nothing tells of an edit.
 */
export async function readTitles(run: Run): Promise<NodeId[]> {
  const { catalog, progress } = run;
  const findings = createFindings(catalog);
  progress.begin("titles", null);
  for await (const node of run.reader.search(run.signal)) {
    findings.add(node);
    progress.reach(findings.nodes.size, null);
  }
  await crawl(findings, run);
  for (const { id, type } of await knownBefore(run)) findings.refer({ id, type });
  await crawl(findings, run);

  const isToBeReread = (node: ListedNode) => node.type === "page" && node.updatedAt >= run.rereadFrom;
  const nodes = [...findings.nodes.values()];
  progress.reach(nodes.length, nodes.length);
  place(nodes, catalog);
  await writeNodes(nodes, run);
  await removeGone(run);
  await run.publisher.publish();
  return nodes.filter(isToBeReread).map(({ id }) => id);
}

async function knownBefore({ database, connectionId }: Run) {
  const { nodes } = await readGraph(database.read, connectionId);
  return nodes;
}

/** Removes what the run did not see, provided that every question was answered. */
async function removeGone({ catalog, database, connectionId, number, log }: Run): Promise<void> {
  if (!catalog.isWhole)
    return log.warn({ connectionId }, "the sync removes nothing: it could not see everything");
  const removed = await database.transaction((trx) => removeNodesNotIn(trx, connectionId, number));
  if (removed > 0) log.info({ connectionId, removed }, "pages that are gone were removed");
}
