/** @import { Workspace } from "@clew/contract" */
import { element } from "./element.js";
import { signInUrl } from "./sign-in.js";
import { timeElement } from "./time.js";

/** @param {Workspace} workspace */
export function isSyncing({ sync: { state } }) {
  return state === "queued" || state === "running" || state === "waiting";
}

/**
 * A workspace, how much Clew knows of it, and how fresh that is.
 * @param {Workspace} workspace
 */
export function workspaceCard(workspace) {
  const { name, icon, nodes, edges } = workspace;
  return element(
    "article",
    { class: "card" },
    element("h3", {}, isEmoji(icon) ? `${icon} ` : "", name ?? "A workspace without a name"),
    element("p", {}, `${count(nodes, "page")}, ${count(edges, "thread")}`),
    freshness(workspace),
  );
}

/** @param {Workspace} workspace */
function freshness(workspace) {
  const { status, sync, last_synced_at } = workspace;
  if (status === "needs_reauth") {
    return element(
      "p",
      { class: "fault" },
      "Clew may not read it any more. ",
      element("a", { href: signInUrl }, "Connect it again"),
    );
  }
  if (isSyncing(workspace)) return progress(workspace);
  if (sync.state === "failed") {
    return element("p", { class: "fault" }, `The last sync failed: ${sync.error ?? "the log says why"}`);
  }
  return last_synced_at === null
    ? element("p", { class: "quiet" }, "Never synced")
    : element("p", { class: "quiet" }, "Synced ", timeElement(last_synced_at));
}

const phases = { titles: "Finding pages", content: "Reading pages" };

/** @param {Workspace} workspace */
function progress({ sync: { state, phase, done, total } }) {
  const running = phase === null ? "About to start" : phases[phase];
  const what = state === "waiting" ? "Waiting for the provider's limit" : running;
  const far =
    total === null
      ? done.toLocaleString("en")
      : `${done.toLocaleString("en")} of ${total.toLocaleString("en")}`;
  const bar = element("progress", { "aria-label": what, max: String(total ?? 1) });
  if (total !== null) bar.value = done;
  return element("div", {}, element("p", { class: "quiet" }, done > 0 ? `${what}: ${far}` : `${what}…`), bar);
}

/** @param {string | null} icon an emoji, or the address of a picture, which this page does not load */
const isEmoji = (icon) => icon !== null && !icon.startsWith("https:");

/**
 * @param {number} number
 * @param {string} noun
 */
const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
