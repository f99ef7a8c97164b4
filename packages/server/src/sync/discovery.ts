import type { NodeId } from "../model/node-id.ts";
import type { NodeReference, PageContent } from "../provider/port.ts";
import { crawl } from "./crawl.ts";
import { createFindings, questionOf } from "./findings.ts";
import { createIntake } from "./intake.ts";
import { shownFromElsewhere } from "./place.ts";
import type { Run } from "./run.ts";
import { placeNodes } from "./settle-graph.ts";

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
  hasFound(): boolean;
}

/** One text has its turn after another: what one is looking up, the next would miss. */
export function createDiscovery(run: Run): Discovery {
  const { catalog } = run;
  let turn = Promise.resolve();
  let hasFound = false;

  const discover = async (text: NamedByText, by: NodeId) => {
    const findings = createFindings(catalog);
    const intake = createIntake(findings, run);
    for (const reference of shownFromElsewhere(by, text.children, catalog)) findings.doubt(reference, by);
    for (const reference of [...text.children, ...text.mentioned]) findings.refer(reference, by);
    await crawl(findings, intake, run);
    // A child that stays unknown, or of which nothing else says where it hangs, may leave this page without a trace.
    if (text.children.some((child) => isUnanswered(child) || isUnplaced(child))) catalog.unsettled.add(by);
    if (intake.taken.size === 0) return;
    hasFound = true;
    await placeNodes(intake.taken, run);
  };

  const isUnanswered = (child: NodeReference) =>
    catalog.unanswered.has(questionOf({ kind: "look-up", ...child }));

  const isUnplaced = ({ id }: NodeReference) => catalog.nodes.get(id) === id;

  /** Whether all that a text names is known, and known to be as it shows it. */
  const isKnown = ({ children, mentioned }: NamedByText, by: NodeId) =>
    mentioned.every(({ id }) => catalog.nodes.has(id)) &&
    shownFromElsewhere(by, children, catalog).length === 0;

  return {
    hasFound: () => hasFound,
    async follow(text, by) {
      if (!isKnown(text, by)) {
        const mine = turn.then(() => discover(text, by));
        turn = mine.catch(() => {});
        await mine;
      }
      return !catalog.unsettled.has(by);
    },
  };
}
