import type { SyncProgress, Workspace } from "@clew/client";
import type { QueryClient, QueryKey } from "@tanstack/react-query";

/*
 * The progress of a sync arrives in answers to polls and in events, which may overtake each other. Neither has the time at
 * which Clew read it.
 */

/** Whether a sync is under way. */
export const isSyncing = ({ state }: SyncProgress): boolean =>
  state === "queued" || state === "running" || state === "waiting";

/**
 * Takes an event's progress into the list. Progress that is lower than the list's is older, unless the sync has begun again.
 * The list, asked afterwards, shows which.
 */
export function learnProgress(client: QueryClient, queryKey: QueryKey, id: string, sync: SyncProgress): void {
  const known = client.getQueryData<Workspace[]>(queryKey)?.find((each) => each.id === id)?.sync;
  const isOlder = known !== undefined && isBehind(sync, known);
  // Only the list has the new size of the graph and the result of the sync.
  if (isOlder || !isSyncing(sync) || sync.phase !== known?.phase) {
    // An older event must not cancel what an earlier one asked for: the answer would never arrive.
    void client.invalidateQueries({ queryKey }, { cancelRefetch: !isOlder });
  }
  if (isOlder || !isSyncing(sync)) return;
  client.setQueryData<Workspace[]>(queryKey, (list) =>
    list?.map((each) => (each.id === id ? { ...each, sync } : each)),
  );
}

/**
 * The answer to a poll, with the progress that was learned while it was under way: that may be newer. `before` is the list as it
 * was when the poll was sent, and `now` when its answer arrived.
 */
export function keepLearned(
  answer: readonly Workspace[],
  before: readonly Workspace[] = [],
  now: readonly Workspace[] = [],
): Workspace[] {
  const progressBefore = new Map(before.map(({ id, sync }) => [id, sync]));
  const learned = new Map<string, SyncProgress>();
  for (const { id, sync } of now)
    if (isSyncing(sync) && progressBefore.get(id) !== sync) learned.set(id, sync);
  return answer.map((each) => ({ ...each, sync: learned.get(each.id) ?? each.sync }));
}

const phases: readonly SyncProgress["phase"][] = [null, "titles", "content"];

/** Whether `sync` is less far than `other`. Timestamps sort as text. */
function isBehind(sync: SyncProgress, other: SyncProgress): boolean {
  const [started, otherStarted] = [sync.started_at ?? "", other.started_at ?? ""];
  if (started !== otherStarted) return started < otherStarted;
  if (!isSyncing(other)) return isSyncing(sync);
  const ahead = phases.indexOf(sync.phase) - phases.indexOf(other.phase);
  return ahead < 0 || (ahead === 0 && sync.done < other.done);
}
