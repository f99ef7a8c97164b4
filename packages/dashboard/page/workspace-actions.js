/** @import { Workspace } from "@clew/contract" */
import { call, explain, SessionOver } from "./api.js";
import { confirmed } from "./dialog.js";
import { element } from "./element.js";
import { notice } from "./notice.js";
import { signInUrl } from "./sign-in.js";
import { isSyncing } from "./sync-state.js";

/**
 * What can be done with a workspace: syncing it now, or connecting it again where its grant was withdrawn, and
 * giving it up.
 * @param {{ onNews: (workspace: Workspace) => void, onDisconnected: (workspace: Workspace) => void, onFailure: () => void }} listeners
 *   `onNews` is told how the workspace stands now, `onFailure` that it may stand otherwise than the page shows
 * @returns {{ view: HTMLElement, show: (workspace: Workspace) => void }}
 */
export function workspaceActions({ onNews, onDisconnected, onFailure }) {
  /** @type {Workspace} */
  let workspace;
  const trouble = element("div");

  /**
   * Does what was asked for, or says why not.
   * @param {string} failure
   * @param {() => Promise<void>} act
   */
  const attempt = async (failure, act) => {
    trouble.replaceChildren();
    try {
      await act();
    } catch (error) {
      if (error instanceof SessionOver) return;
      trouble.replaceChildren(notice(`${failure} ${explain(error)}`));
      onFailure();
    }
  };
  const path = (end = "") => `provider-graph/workspaces/${encodeURIComponent(workspace.id)}/${end}`;
  const startSync = () => {
    if (isSyncing(workspace.sync)) return;
    attempt("It is not being synced.", async () => onNews(await call(path("sync/"), { method: "POST" })));
  };
  const disconnect = async () => {
    if (!(await confirmDisconnection(workspace))) return;
    attempt("It is not disconnected.", async () => {
      await call(path(), { method: "DELETE" });
      onDisconnected(workspace);
    });
  };

  const sync = element("button", { onclick: startSync }, "Sync now");
  const again = element("a", { class: "button primary", href: signInUrl }, "Connect it again");
  const end = element("button", { class: "danger", onclick: disconnect }, "Disconnect…");
  return {
    view: element("div", {}, element("div", { class: "buttons" }, sync, again, end), trouble),
    show(current) {
      workspace = current;
      const isWithdrawn = current.status === "needs_reauth";
      sync.hidden = isWithdrawn;
      again.hidden = !isWithdrawn;
      // A button that is disabled would lose the focus.
      sync.ariaDisabled = String(isSyncing(current.sync));
      for (const button of [sync, again, end]) button.ariaLabel = `${button.textContent} ${called(current)}`;
    },
  };
}

/** @param {Workspace} workspace */
const called = ({ name }) => name ?? "the workspace without a name";

/** @param {Workspace} workspace */
function confirmDisconnection(workspace) {
  return confirmed(
    {
      title: `Disconnect “${called(workspace)}”?`,
      keep: "Keep it",
      act: "Disconnect",
    },
    element(
      "p",
      {},
      "Clew deletes its graph and gives its access back to the provider. Tokens do not open it any more; " +
        "those that open nothing else are revoked.",
    ),
    element("p", {}, "Your pages stay as they are. Connecting it again starts from nothing."),
    element(
      "p",
      { class: "quiet" },
      "Where Clew reads Notion with a token of the operator's, that token stays good: it ends in Notion's Developer portal.",
    ),
  );
}
