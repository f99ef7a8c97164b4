/** @import { Workspace } from "@clew/contract" */
import { call, explain, SessionOver } from "./api.js";
import { confirmed } from "./dialog.js";
import { element } from "./element.js";
import { notice } from "./notice.js";
import { signInUrl } from "./sign-in.js";
import { isSyncing } from "./sync-state.js";

/**
 * The actions on a workspace: sync it now (or connect it again if its grant was withdrawn), and disconnect it.
 * @param {{ onNews: (workspace: Workspace) => void, onDisconnected: (workspace: Workspace) => void, onFailure: () => void }} listeners
 *   `onNews` receives the changed workspace; `onFailure` means that the page may show an outdated state
 * @returns {{ view: HTMLElement, show: (workspace: Workspace) => void }}
 */
export function workspaceActions({ onNews, onDisconnected, onFailure }) {
  /** @type {Workspace} */
  let workspace;
  const trouble = element("div");

  /**
   * Runs an action. Shows the reason if it fails.
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
      // A disabled button would lose the focus.
      sync.ariaDisabled = String(isSyncing(current.sync));
      for (const button of [sync, again, end])
        button.ariaLabel = `${button.textContent} ${displayName(current)}`;
    },
  };
}

/** @param {Workspace} workspace */
const displayName = ({ name }) => name ?? "the workspace without a name";

/** @param {Workspace} workspace */
function confirmDisconnection(workspace) {
  return confirmed(
    {
      title: `Disconnect “${displayName(workspace)}”?`,
      keep: "Keep it",
      act: "Disconnect",
    },
    element(
      "p",
      {},
      "Clew deletes its graph and revokes its access at the provider. Tokens no longer open it; " +
        "tokens that open nothing else are revoked.",
    ),
    element("p", {}, "Your pages stay as they are. Connecting it again starts from nothing."),
    element(
      "p",
      { class: "quiet" },
      "If Clew reads Notion with the operator's token, that token stays valid; it can be revoked in Notion's Developer portal.",
    ),
  );
}
