/** @import { Workspace } from "@clew/contract" */
/** @import { WorkspaceCard } from "./workspace-card.js" */
import { explain } from "./api.js";
import { announce, element } from "./element.js";
import { notice } from "./notice.js";
import { signInUrl } from "./sign-in.js";
import { isSyncing } from "./sync-state.js";
import { workspaceCard } from "./workspace-card.js";
import { watchWorkspaces } from "./workspace-watch.js";

/**
 * A card for each connected workspace, kept current.
 * @param {AbortSignal} signal stops the updates
 * @param {(workspaces: Workspace[]) => void} onChange called when the list of workspaces or one of them has changed
 */
export function workspacesView(signal, onChange) {
  const heading = element("h2", { id: "workspaces", tabindex: "-1" }, "Workspaces");
  const trouble = element("div");
  const none = element("p", { class: "quiet" }, "Reading…");
  const cards = element("div", { class: "cards" });
  const connect = element("a", { href: signInUrl }, "Connect a workspace");
  /** @type {Map<string, WorkspaceCard>} */
  const shown = new Map();

  /**
   * Reuses existing cards, so that people keep their focus and scroll position.
   * @param {Workspace[]} workspaces
   */
  const render = (workspaces) => {
    none.textContent = "Clew is not connected to any workspace.";
    none.hidden = workspaces.length > 0;
    connect.textContent = none.hidden
      ? "Share more pages, or connect another workspace"
      : "Connect a workspace";
    for (const [id, { view }] of shown) {
      if (workspaces.some((workspace) => workspace.id === id)) continue;
      view.remove();
      shown.delete(id);
    }
    for (const workspace of workspaces) {
      const card = shown.get(workspace.id) ?? addCard(workspace.id);
      card.show(workspace);
    }
  };
  /** @param {string} id */
  const addCard = (id) => {
    const card = workspaceCard({ onNews, onDisconnected, onFailure: () => watch.pollNow() });
    shown.set(id, card);
    cards.append(card.view);
    return card;
  };
  /** @param {Workspace} workspace */
  const onNews = (workspace) =>
    watch.amend((known) => known.map((each) => (each.id === workspace.id ? workspace : each)));
  /** @param {Workspace} workspace */
  const onDisconnected = ({ id, name }) => {
    watch.amend((known) => known.filter((each) => each.id !== id));
    heading.focus();
    announce(`${name ?? "The workspace"} is disconnected.`);
  };

  const watch = watchWorkspaces(signal, {
    onChange(now, before) {
      tellOfEnds(before, now);
      render(now);
      onChange(now);
    },
    onPoll(failure) {
      if (failure === null) trouble.replaceChildren();
      else if (trouble.childElementCount === 0) trouble.append(notice(`${explain(failure)} Trying again…`));
    },
  });

  return element(
    "section",
    { "aria-labelledby": "workspaces" },
    heading,
    trouble,
    none,
    cards,
    element("p", {}, connect),
  );
}

/**
 * Announces the syncs that have ended.
 * @param {Workspace[]} before
 * @param {Workspace[]} after
 */
function tellOfEnds(before, after) {
  const syncing = new Set(before.filter(({ sync }) => isSyncing(sync)).map(({ id }) => id));
  for (const { id, name, sync } of after) {
    if (!syncing.has(id) || isSyncing(sync)) continue;
    const called = name ?? "The workspace";
    announce(sync.state === "failed" ? `${called} could not be synced.` : `${called} is synced.`);
  }
}
