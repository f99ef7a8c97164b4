import type { ListedNode, PageContent, Unsupported } from "@clew/provider";
import type { FoundBy, SyncReport } from "../model/sync-report.ts";
import type { ReadHandle } from "../store/port.ts";
import { countUnshared, failedPages } from "../store/queries/sync-reports.ts";

/** Most failed pages that a report names. */
const maxFailedPages = 1000;

/** Most unanswered questions, and most unsupported types, that a report names. */
const maxNamed = 100;

export type ReportCollector = ReturnType<typeof createReport>;

/** Collects what a run found and fetched, and what it could not. */
export function createReport(connectionId: number) {
  const found = { search: 0, rows: 0, crawl: 0 };
  const unanswered: string[] = [];
  const unsupported = new Map<string, Unsupported & { count: number }>();
  let notShared = 0;
  let fetched = 0;
  let failedTexts = 0;
  let removed = 0;

  const addUnsupported = (what: readonly Unsupported[]) => {
    for (const { kind, type } of what) {
      // The provider's name of a type, made safe to show.
      const word = type.slice(0, 64).replaceAll(/[^\w.-]/g, "?");
      const key = `${kind} ${word}`;
      const counted = unsupported.get(key) ?? { kind, type: word, count: 0 };
      if (unsupported.size < maxNamed) unsupported.set(key, counted);
      counted.count += 1;
    }
  };

  return {
    /** A node was seen for the first time. */
    found(node: Pick<ListedNode, "unsupported">, by: FoundBy): void {
      found[by] += 1;
      addUnsupported(node.unsupported);
    },
    fetched(text: Pick<PageContent, "unsupported" | "notShared">): void {
      fetched += 1;
      notShared += text.notShared;
      addUnsupported(text.unsupported);
    },
    /** A text could not be read, or not in full. */
    failedText(): void {
      failedTexts += 1;
    },
    unsupported: addUnsupported,
    removed(count: number): void {
      removed += count;
    },
    /** A list or look-up failed; `what` says which and why, for the person whose pages they are. */
    unanswered(what: string): void {
      if (unanswered.length < maxNamed) unanswered.push(what);
    },
    /** Whether nothing failed that this run asked for. */
    hasMissedNothing: (): boolean => unanswered.length + failedTexts === 0,
    /** The report of the ended run, with counts of the stored graph. `error` is why it ended early, in words. */
    async close(
      db: ReadHandle,
      end: Pick<SyncReport, "kind" | "startedAt" | "finishedAt" | "error" | "source">,
    ): Promise<SyncReport> {
      const failed = await failedPages(db, connectionId, maxFailedPages);
      const isComplete = failed.total === 0 && unanswered.length === 0;
      const outcome = isComplete ? "complete" : "incomplete";
      return {
        ...(await countUnshared(db, connectionId)),
        ...end,
        outcome: end.error === null ? outcome : "failed",
        found,
        fetched,
        removed,
        failed: failed.items,
        failedTotal: failed.total,
        unanswered,
        unsupported: [...unsupported.values()].toSorted(byFrequency),
        notShared,
      };
    },
  };
}

const byFrequency = (a: Unsupported & { count: number }, b: typeof a) =>
  b.count - a.count || (a.type < b.type ? -1 : 1);
