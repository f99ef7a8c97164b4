import type { FoundBy, SyncKind, SyncReport, Unsupported } from "../model/sync-report.ts";
import type { ListedNode, PageContent } from "../provider/port.ts";
import type { ReadHandle } from "../store/port.ts";
import { countUnshared, failedPages } from "../store/queries/sync-reports.ts";
import { IdMap } from "./id-map.ts";

/** Collects what a run found and fetched, and what it could not. */
export interface ReportCollector {
  /** A node was observed; how it was found first counts. */
  found(node: Pick<ListedNode, "id" | "unsupported">, by: FoundBy): void;
  /** A text was fetched. */
  fetched(text: Pick<PageContent, "unsupported" | "notShared">): void;
  /** Something is of a type that Clew does not support. */
  unsupported(what: readonly Unsupported[]): void;
  /** So many nodes were removed. */
  removed(count: number): void;
  /** A list or look-up failed; `what` says which and why, for the person whose pages they are. */
  unanswered(what: string): void;
  /** The report of the ended run, with counts of the stored graph. */
  close(db: ReadHandle, end: SyncEnd): Promise<SyncReport>;
}

/** How a run ended. */
interface SyncEnd {
  /** In milliseconds since the Unix epoch. */
  readonly finishedAt: number;
  /** Why it ended early, in words; null if it did not. */
  readonly error: string | null;
}

/** Most failed pages that a report names. */
const maxFailedPages = 1000;

/** Most unanswered questions that a report names. */
const maxUnanswered = 100;

/** Most unsupported types that a report names. */
const maxUnsupportedTypes = 100;

export function createReport(
  connectionId: number,
  sync: { readonly kind: SyncKind; readonly startedAt: number },
): ReportCollector {
  const seen = new IdMap();
  const found = { search: 0, rows: 0, crawl: 0 };
  const unanswered: string[] = [];
  const unsupported = createUnsupportedTally();
  let notShared = 0;
  let fetched = 0;
  let removed = 0;
  return {
    found(node, by) {
      if (seen.has(node.id)) return;
      seen.set(node.id, null);
      found[by] += 1;
      unsupported.add(node.unsupported);
    },
    fetched(text) {
      fetched += 1;
      notShared += text.notShared;
      unsupported.add(text.unsupported);
    },
    unsupported: unsupported.add,
    removed(count) {
      removed += count;
    },
    unanswered(what) {
      if (unanswered.length < maxUnanswered) unanswered.push(what);
    },
    async close(db, { finishedAt, error }) {
      const failed = await failedPages(db, connectionId, maxFailedPages);
      const isComplete = failed.total === 0 && unanswered.length === 0;
      const outcome = isComplete ? "complete" : "incomplete";
      return {
        ...sync,
        ...(await countUnshared(db, connectionId)),
        outcome: error === null ? outcome : "failed",
        finishedAt,
        error,
        found,
        fetched,
        removed,
        failed: failed.items,
        failedTotal: failed.total,
        unanswered,
        unsupported: unsupported.list(),
        notShared,
      };
    },
  };
}

/** Counts what is not supported, by type. */
function createUnsupportedTally(): {
  add(what: readonly Unsupported[]): void;
  list(): SyncReport["unsupported"];
} {
  const counts = new Map<string, Unsupported & { count: number }>();
  return {
    add(what) {
      for (const { kind, type } of what) {
        // The provider's name of a type, made safe to show.
        const word = type.slice(0, 64).replaceAll(/[^\w.-]/g, "?");
        const key = `${kind} ${word}`;
        const counted = counts.get(key) ?? { kind, type: word, count: 0 };
        if (counts.has(key) || counts.size < maxUnsupportedTypes) counts.set(key, counted);
        counted.count += 1;
      }
    },
    list: () => [...counts.values()].toSorted((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1)),
  };
}
