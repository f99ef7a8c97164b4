/** @import { Workspace, WorkspaceList } from "@clew/contract" */
import { call } from "./api.js";
import { announce, element } from "./element.js";
import { timeElement } from "./time.js";

/** Milliseconds between two looks at a sync that runs, and at one that rests. */
const soon = 1_000;
const later = 30_000;

/**
 * One card for each connected workspace, kept up to date for as long as it is on the page.
 * @param {(workspaces: Workspace[]) => void} onChange told of the workspaces whenever they were read
 */
export function workspacesView(onChange) {
  const cards = element("div", { class: "cards" }, element("p", { class: "quiet" }, "Reading…"));
  /** @type {Map<string, string>} the last known state of each sync */
  const states = new Map();
  const look = async () => {
    let delay = later;
    try {
      /** @type {WorkspaceList} */
      const { items } = await call("provider-graph/workspaces/");
      cards.replaceChildren(...items.map(card));
      if (items.some(isBusy)) delay = soon;
      for (const { id, name, sync } of items) {
        if (isBusyState(states.get(id)) && sync.state === "idle")
          announce(`${name ?? "The workspace"} is synced.`);
        states.set(id, sync.state);
      }
      onChange(items);
    } catch {
      delay = later / 5;
    }
    if (cards.isConnected) setTimeout(look, delay);
  };
  setTimeout(look);
  return element(
    "section",
    { "aria-labelledby": "workspaces" },
    element("h2", { id: "workspaces" }, "Workspaces"),
    cards,
  );
}

/** @param {string | undefined} state */
const isBusyState = (state) => state === "queued" || state === "running" || state === "waiting";
/** @param {Workspace} workspace */
const isBusy = ({ sync }) => isBusyState(sync.state);

/** @param {Workspace} workspace */
function card(workspace) {
  const { name, icon, nodes, edges, status } = workspace;
  return element(
    "article",
    { class: "card" },
    element("h3", {}, isEmoji(icon) ? `${icon} ` : "", name ?? "A workspace without a name"),
    element("p", {}, `${nodes.toLocaleString()} pages, ${edges.toLocaleString()} threads`),
    isBusy(workspace) ? progress(workspace) : freshness(workspace),
    status === "needs_reauth"
      ? element("p", { class: "notice error" }, "The grant was withdrawn. Sign in again to reconnect.")
      : null,
  );
}

/** @param {string | null} icon */
const isEmoji = (icon) => icon !== null && !icon.startsWith("https:");

/** @param {Workspace} workspace */
function freshness({ sync, last_synced_at }) {
  if (sync.state === "failed") {
    return element(
      "p",
      { class: "notice error" },
      `The last sync failed: ${sync.error ?? "the log says why"}.`,
    );
  }
  return last_synced_at === null
    ? element("p", { class: "quiet" }, "Never synced")
    : element("p", { class: "quiet" }, "Synced ", timeElement(last_synced_at));
}

const phases = { titles: "Finding pages", content: "Reading pages" };

/** @param {Workspace} workspace */
function progress({ sync }) {
  const { state, phase, done, total } = sync;
  const what =
    state === "waiting" ? "Waiting for the provider's limit" : phase ? phases[phase] : "About to start";
  const count =
    total === null ? done.toLocaleString() : `${done.toLocaleString()} of ${total.toLocaleString()}`;
  const bar = element("progress", { "aria-label": what, max: String(total ?? 1) });
  if (total !== null) bar.value = done;
  return element("div", {}, element("p", { class: "quiet" }, `${what}: ${count}`), bar);
}
