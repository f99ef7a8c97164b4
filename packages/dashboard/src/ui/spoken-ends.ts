import type { Workspace } from "@clew/client";
import { useEffect, useRef } from "react";
import { isSyncing } from "../api/sync-progress.ts";
import { workspaceWords } from "../words.ts";
import { announce } from "./announce.ts";

/** Says when a sync has ended. */
export function useSpokenEnds(workspaces: readonly Workspace[] | undefined): void {
  const syncing = useRef(new Set<string>());
  useEffect(() => {
    for (const { id, name, sync } of workspaces ?? []) {
      const called = name ?? workspaceWords.nameless;
      if (isSyncing(sync)) syncing.current.add(id);
      else if (syncing.current.delete(id))
        announce(
          sync.state === "failed" ? workspaceWords.isNotSynced(called) : workspaceWords.isSynced(called),
        );
    }
  }, [workspaces]);
}
