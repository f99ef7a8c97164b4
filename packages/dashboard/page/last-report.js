/** @import { SyncReport, SyncReportList, Workspace } from "@clew/contract" */
import { call } from "./api.js";
import { disclosure } from "./disclosure.js";
import { element } from "./element.js";
import { timeElement } from "./time.js";

/**
 * The report of a workspace's last sync.
 * @returns {{ view: HTMLElement, show: (workspace: Workspace) => void }}
 */
export function lastReport() {
  /** @type {Workspace} */
  let workspace;
  /** @type {string | null | undefined} */
  let endedAt;
  const { view, renew } = disclosure("The last sync", async (body) => {
    /** @type {SyncReportList} */
    const { items } = await call(`provider-graph/workspaces/${encodeURIComponent(workspace.id)}/syncs/`);
    const [latest] = items;
    body.append(...(latest ? describe(latest) : [element("p", { class: "quiet" }, "None has ended yet.")]));
  });
  return {
    view,
    show(current) {
      workspace = current;
      if (current.sync.finished_at === endedAt) return;
      endedAt = current.sync.finished_at;
      renew();
    },
  };
}

const kinds = {
  first: "the first, of everything",
  incremental: "of what changed",
  full: "of everything again",
};

/** @param {SyncReport} report */
function describe(report) {
  const { kind, finished_at, found, fetched, removed, failed_total, unresolved, orphans, unanswered } =
    report;
  return [
    element("p", {}, outcome(report)),
    facts([
      ["Ended", timeElement(finished_at)],
      ["Kind", kinds[kind]],
      ["Found by search", formatted(found.search)],
      ["Found as rows of databases", formatted(found.rows)],
      ["Found by following links", formatted(found.crawl)],
      ["Texts read", formatted(fetched)],
      ["Not read", formatted(failed_total)],
      ["Removed", formatted(removed)],
      ["Links to pages that you do not share", formatted(unresolved)],
      ["Pages whose parent you do not share", formatted(orphans)],
    ]),
    unanswered.length === 0 ? "" : openQuestions(unanswered),
  ];
}

/** @param {number} number */
const formatted = (number) => number.toLocaleString("en");

/** @param {SyncReport} report */
function outcome({ outcome, error }) {
  if (outcome === "complete") return "✓ Complete: all that you share was read.";
  if (outcome === "incomplete") return "◌ Not complete: the next sync tries the rest again.";
  return `✕ It ended early. ${error ?? ""}`;
}

/** @param {[string, Node | string][]} rows */
function facts(rows) {
  return element(
    "dl",
    {},
    ...rows.map(([term, fact]) => element("div", {}, element("dt", {}, term), element("dd", {}, fact))),
  );
}

/** @param {string[]} unanswered */
function openQuestions(unanswered) {
  return element(
    "details",
    {},
    element("summary", {}, `${formatted(unanswered.length)} that the provider did not answer`),
    element("div", {}, element("ul", {}, ...unanswered.map((what) => element("li", {}, what)))),
  );
}
