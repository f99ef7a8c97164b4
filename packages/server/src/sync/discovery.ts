import type { NodeId } from "../model/node-id.ts";
import type { NodeReference } from "../provider/port.ts";
import { markAsTextless, writeNodes } from "./apply.ts";
import { crawl } from "./crawl.ts";
import { createFindings } from "./findings.ts";
import { place } from "./place.ts";
import type { Run } from "./run.ts";

/**
 * Makes nodes of the pages and databases that texts name and no listing had (SYNC-1), and hands on the pages among
 * them and below them. Resolves when those that were shared are in the catalog. One text has its turn after
 * another: what one is looking up, the next would miss.
 */
export function createDiscovery(
  run: Run,
  onPage: (id: NodeId) => void,
): (named: readonly NodeReference[]) => Promise<void> {
  const { parents } = run.catalog;
  let turn = Promise.resolve();
  return async (named) => {
    if (named.every(({ id }) => parents.has(id))) return;
    const mine = turn.then(() => discover(named, run, onPage));
    turn = mine.catch(() => {});
    await mine;
  };
}

async function discover(
  named: readonly NodeReference[],
  run: Run,
  onPage: (id: NodeId) => void,
): Promise<void> {
  const findings = createFindings(run.catalog);
  for (const reference of named) findings.refer(reference);
  await crawl(findings, run);
  const nodes = [...findings.nodes.values()];
  place(nodes, run.catalog);
  await writeNodes(nodes, run);
  await markAsTextless(
    nodes.filter(({ type }) => type === "database").map(({ id }) => id),
    run,
  );
  for (const { id, type } of nodes) if (type === "page") onPage(id);
}
