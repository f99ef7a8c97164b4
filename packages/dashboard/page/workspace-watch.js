/** @import { Workspace, WorkspaceList } from "@clew/contract" */
import { call, SessionOver } from "./api.js";
import { isSyncing } from "./sync-state.js";
import { syncStream } from "./sync-stream.js";

/** Milliseconds to the next look: while a sync runs that no stream tells of, otherwise, and after one that failed. */
const soon = 1_000;
const later = 30_000;
const afterFailure = 3_000;

/**
 * Keeps up with the workspaces: by looking again and again, and by the stream of the one that is being synced.
 * @param {AbortSignal} signal ends that
 * @param {{ onChange: (now: Workspace[], before: Workspace[]) => void, onLook: (failure: unknown) => void }} listeners
 *   `onChange` is told of the first look and of all news, `onLook` after each look why it failed, null where it did not
 * @returns {{ lookNow: () => void, amend: (change: (known: Workspace[]) => Workspace[]) => void }} `amend` takes in
 *   what the page has brought about
 */
export function watchWorkspaces(signal, { onChange, onLook }) {
  /** @type {Workspace[] | null} null until the first look */
  let known = null;
  let asked = Promise.withResolvers();
  const lookNow = () => asked.resolve(undefined);

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
      // How large the graph is now, and what came of the sync, the list says.
      if (!isSyncing(sync) || sync.phase !== workspace.sync.phase) lookNow();
      if (isSyncing(sync)) learn(known.map((each) => (each === workspace ? { ...each, sync } : each)));
    },
    lookNow,
  );

  /** @returns {Promise<number>} milliseconds to the next look */
  const look = async () => {
    try {
      /** @type {WorkspaceList} */
      const { items } = await call("provider-graph/workspaces/", { signal });
      onLook(null);
      learn(items);
      const syncing = items.filter(({ sync }) => isSyncing(sync));
      const [only, ...others] = syncing;
      // The list tells of several at once, and a page that nobody sees leaves the connection to others.
      stream.follow(only && others.length === 0 && !document.hidden ? only.id : null);
      return syncing.length > 0 && !stream.isOpen() && !document.hidden ? soon : later;
    } catch (error) {
      if (!signal.aborted && !(error instanceof SessionOver)) onLook(error);
      return afterFailure;
    }
  };
  const keepLooking = async () => {
    while (!signal.aborted) {
      asked = Promise.withResolvers();
      const delay = await look();
      await Promise.race([asked.promise, new Promise((resolve) => setTimeout(resolve, delay))]);
    }
  };
  document.addEventListener("visibilitychange", lookNow, { signal });
  keepLooking();

  return {
    lookNow,
    amend(change) {
      learn(change(known ?? []));
      lookNow();
    },
  };
}
