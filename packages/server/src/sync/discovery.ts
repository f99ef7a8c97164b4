import type { NodeId } from "@clew/graph";
import type { NodeReference, PageContent } from "../provider/port.ts";
import { crawl } from "./crawl.ts";
import { createNodeWriter } from "./node-writer.ts";
import { shownByReference } from "./resolve-parents.ts";
import { placeNodes } from "./settle-graph.ts";
import type { SyncRun } from "./sync-run.ts";
import { createWorkQueue, lookupKey } from "./work-queue.ts";

/** What a page's text names. */
export type NamedByText = Pick<PageContent, "children" | "mentioned">;

/** Makes nodes of what texts name. */
export interface Discovery {
  /**
   * Looks up the pages and databases that a page's text names and no listing had (SYNC-1), and what those name; and
   * those that it shows as its own and listings place elsewhere, since a listing that lags leaves no other trace of a
   * move (SYNC-7). Resolves when those that were shared are nodes; false where one could not be asked for.
   */
  follow(text: NamedByText, by: NodeId): Promise<boolean>;
  /** Whether anything turned up. */
  foundAny(): boolean;
}

/** One text has its turn after another: what one is looking up, the next would miss. */
export function createDiscovery(run: SyncRun): Discovery {
  const { state } = run;
  let turn = Promise.resolve();
  let foundAny = false;

  const discover = async (text: NamedByText, by: NodeId) => {
    const queue = createWorkQueue(state);
    const writer = createNodeWriter(queue, run);
    for (const reference of shownByReference(by, text.children, state)) queue.doubt(reference, by);
    for (const reference of [...text.children, ...text.mentioned]) queue.refer(reference, by);
    await crawl(queue, writer, run);
    // A child that stays unknown, or of which nothing else says where it hangs, may leave this page without a trace.
    if (text.children.some((child) => isUnanswered(child) || isUnplaced(child))) state.unsettled.add(by);
    if (writer.taken.size === 0) return;
    foundAny = true;
    await placeNodes(writer.taken, run);
  };

  const isUnanswered = (child: NodeReference) =>
    state.unanswered.has(lookupKey({ kind: "look-up", ...child }));

  const isUnplaced = ({ id }: NodeReference) => state.nodes.get(id) === id;

  /** Whether all that a text names is known, and known to be as it shows it. */
  const isKnown = ({ children, mentioned }: NamedByText, by: NodeId) =>
    mentioned.every(({ id }) => state.nodes.has(id)) && shownByReference(by, children, state).length === 0;

  return {
    foundAny: () => foundAny,
    async follow(text, by) {
      if (!isKnown(text, by)) {
        const mine = turn.then(() => discover(text, by));
        turn = mine.catch(() => {});
        await mine;
      }
      return !state.unsettled.has(by);
    },
  };
}
