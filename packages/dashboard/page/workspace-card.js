/** @import { Workspace } from "@clew/contract" */
import { element } from "./element.js";
import { failedPages } from "./failed-pages.js";
import { lastReport } from "./last-report.js";
import { signInUrl } from "./sign-in.js";
import { syncState } from "./sync-state.js";
import { workspaceActions } from "./workspace-actions.js";

/** @typedef {{ view: HTMLElement, show: (workspace: Workspace) => void }} WorkspaceCard */

/**
 * A workspace: the size of its graph, how fresh it is, and the actions on it.
 * @param {Parameters<typeof workspaceActions>[0]} listeners
 * @returns {WorkspaceCard}
 */
export function workspaceCard(listeners) {
  const title = element("h3");
  const size = element("p");
  const state = syncState();
  const parts = [workspaceActions(listeners), failedPages(), lastReport()];
  return {
    view: element(
      "article",
      { class: "card workspace" },
      element("div", { class: "about" }, title, size, state.view),
      ...parts.map(({ view }) => view),
    ),
    show(workspace) {
      const { name, icon, nodes, edges } = workspace;
      title.textContent = `${isEmoji(icon) ? `${icon} ` : ""}${name ?? "A workspace without a name"}`;
      const isEmpty = sharesNothing(workspace);
      size.replaceChildren(...(isEmpty ? noPages() : [`${count(nodes, "page")}, ${count(edges, "link")}`]));
      for (const part of [state, ...parts]) part.show(workspace);
      // "Synced just now" would hide the failure.
      state.view.hidden = isEmpty;
    },
  };
}

/** @param {Workspace} workspace */
const sharesNothing = ({ nodes, status, sync, last_synced_at }) =>
  nodes === 0 && status === "active" && sync.state === "idle" && last_synced_at !== null;

const noPages = () => [
  "You shared no pages, so there is nothing to search. ",
  element("a", { href: signInUrl }, "Choose pages to share"),
];

/** @param {string | null} icon an emoji, or the URL of an image, which this page does not load */
const isEmoji = (icon) => icon !== null && !icon.startsWith("https:");

/**
 * @param {number} number
 * @param {string} noun
 */
const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
