import type { NodeId } from "../model/node-id.ts";
import type { NodeReference } from "../provider/port.ts";
import { crawl } from "./crawl.ts";
import { createFindings } from "./findings.ts";
import { createIntake } from "./intake.ts";
import type { Run } from "./run.ts";
import { placeNodes } from "./settle-graph.ts";

/** Makes nodes of what texts name. */
export interface Discovery {
  /**
   * Looks up the pages and databases that a page's text names and no listing had (SYNC-1), and what those name.
   * Resolves when those that were shared are nodes; false where one could not be asked for.
   */
  follow(named: readonly NodeReference[], by: NodeId): Promise<boolean>;
  /** Whether anything turned up. */
  hasFound(): boolean;
}

/** One text has its turn after another: what one is looking up, the next would miss. */
export function createDiscovery(run: Run): Discovery {
  const { nodes, unsettled } = run.catalog;
  let turn = Promise.resolve();
  let hasFound = false;

  const discover = async (named: readonly NodeReference[], by: NodeId) => {
    const findings = createFindings(run.catalog);
    const intake = createIntake(findings, run);
    for (const reference of named) findings.refer(reference, by);
    await crawl(findings, intake, run);
    if (intake.taken.size === 0) return;
    hasFound = true;
    await placeNodes(intake.taken, run);
  };

  return {
    hasFound: () => hasFound,
    async follow(named, by) {
      if (!named.every(({ id }) => nodes.has(id))) {
        const mine = turn.then(() => discover(named, by));
        turn = mine.catch(() => {});
        await mine;
      }
      return !unsettled.has(by);
    },
  };
}
