/** @import { Workspace, WorkspaceList } from "@clew/contract" */
import { call, explain } from "./api.js";
import { announce, element } from "./element.js";
import { notice } from "./notice.js";
import { signInUrl } from "./sign-in.js";
import { isSyncing, workspaceCard } from "./workspace-card.js";

/** Milliseconds to the next look: while a sync runs, while none does, and after one that failed. */
const soon = 1_000;
const later = 30_000;
const afterFailure = 3_000;

/**
 * One card for each connected workspace, kept up to date.
 * @param {AbortSignal} signal ends that
 * @param {(workspaces: Workspace[]) => void} onChange told of the workspaces when they are different ones or news of them came
 */
export function workspacesView(signal, onChange) {
  const trouble = element("div");
  const cards = element("div", { class: "cards" }, element("p", { class: "quiet" }, "Reading…"));
  /** @type {Workspace[]} */
  let known = [];

  /** @param {Workspace[]} workspaces */
  const update = (workspaces) => {
    trouble.replaceChildren();
    // Cards stay as they are until there is news, so that nobody loses the place where they are reading.
    if (JSON.stringify(workspaces) === JSON.stringify(known)) return;
    for (const name of finishedSyncs(known, workspaces)) announce(`${name} is synced.`);
    known = workspaces;
    cards.replaceChildren(...workspaces.map(workspaceCard));
    onChange(workspaces);
  };

  const look = async () => {
    if (signal.aborted) return;
    let delay = afterFailure;
    try {
      /** @type {WorkspaceList} */
      const { items } = await call("provider-graph/workspaces/");
      if (signal.aborted) return;
      update(items);
      delay = items.some(isSyncing) ? soon : later;
    } catch (error) {
      if (trouble.childElementCount === 0) trouble.append(notice(`${explain(error)} Trying again…`));
    }
    setTimeout(look, delay);
  };
  look();

  return element(
    "section",
    { "aria-labelledby": "workspaces" },
    element("h2", { id: "workspaces" }, "Workspaces"),
    trouble,
    cards,
    element("p", {}, element("a", { href: signInUrl }, "Share more pages, or connect another workspace")),
  );
}

/**
 * Names of the workspaces whose sync came to its end.
 * @param {Workspace[]} before
 * @param {Workspace[]} after
 */
function finishedSyncs(before, after) {
  const syncing = new Set(before.filter(isSyncing).map(({ id }) => id));
  return after
    .filter(({ id, sync }) => syncing.has(id) && sync.state === "idle")
    .map(({ name }) => name ?? "The workspace");
}
