/** @import { Workspace, WorkspaceList } from "@clew/contract" */
import { call, SessionOver } from "./api.js";
import { isSyncing } from "./sync-state.js";
import { syncStream } from "./sync-stream.js";

/** Poll intervals: during a sync without a stream, otherwise, and after a failed poll. */
const syncPollMs = 1_000;
const idlePollMs = 30_000;
const retryPollMs = 3_000;

/**
 * Keeps the workspaces current: polls the list, and follows the event stream of a single running sync.
 * @param {AbortSignal} signal stops watching
 * @param {{ onChange: (now: Workspace[], before: Workspace[]) => void, onPoll: (failure: unknown) => void }} listeners
 *   `onChange` is called after the first poll and after every change; `onPoll` after each poll, with its error or null
 * @returns {{ pollNow: () => void, amend: (change: (known: Workspace[]) => Workspace[]) => void }} `amend` applies
 *   a change that the page itself has made
 */
export function watchWorkspaces(signal, { onChange, onPoll }) {
  /** @type {Workspace[] | null} null until the first poll */
  let known = null;
  let asked = Promise.withResolvers();
  const pollNow = () => asked.resolve(undefined);

  /** @param {Workspace[]} now */
  const learn = (now) => {
    if (JSON.stringify(now) === JSON.stringify(known)) return;
    const before = known ?? [];
    known = now;
    onChange(now, before);
  };
  const stream = syncStream(
    signal,
    (id, sync) => {
      const workspace = known?.find((each) => each.id === id);
      if (!known || !workspace) return;
      // Only the list has the new size of the graph and the result of the sync.
      if (!isSyncing(sync) || sync.phase !== workspace.sync.phase) pollNow();
      if (isSyncing(sync)) learn(known.map((each) => (each === workspace ? { ...each, sync } : each)));
    },
    pollNow,
  );

  /** @returns {Promise<number>} milliseconds to the next poll */
  const poll = async () => {
    try {
      /** @type {WorkspaceList} */
      const { items } = await call("provider-graph/workspaces/", { signal });
      onPoll(null);
      learn(items);
      const syncing = items.filter(({ sync }) => isSyncing(sync));
      const [only, ...others] = syncing;
      // Several syncs are followed by polling, and a hidden page leaves its connection to other tabs.
      stream.follow(only && others.length === 0 && !document.hidden ? only.id : null);
      return syncing.length > 0 && !stream.isOpen() && !document.hidden ? syncPollMs : idlePollMs;
    } catch (error) {
      if (!signal.aborted && !(error instanceof SessionOver)) onPoll(error);
      return retryPollMs;
    }
  };
  const keepPolling = async () => {
    while (!signal.aborted) {
      asked = Promise.withResolvers();
      const delay = await poll();
      await Promise.race([asked.promise, new Promise((resolve) => setTimeout(resolve, delay))]);
    }
  };
  document.addEventListener("visibilitychange", pollNow, { signal });
  keepPolling();

  return {
    pollNow,
    amend(change) {
      learn(change(known ?? []));
      pollNow();
    },
  };
}
