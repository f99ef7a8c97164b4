import type { Workspace } from "@clew/client";
import { useEffect, useRef } from "react";
import { isSyncing, useLiveWorkspaces } from "../../api/live-workspaces.ts";
import { signInUrl } from "../../session/place.ts";
import { announce } from "../../ui/announce.ts";
import { Empty, Loaded } from "../../ui/states.tsx";
import { View } from "../../ui/view.tsx";
import { workspaceWords } from "../../words.ts";
import { WorkspaceCard } from "./workspace-card.tsx";

/** The connected workspaces: how much of them Clew has, how fresh that is, and what can be done about it. */
export function WorkspacesView() {
  const query = useLiveWorkspaces();
  useSpokenEnds(query.data);
  const isAny = query.data !== undefined && query.data.length > 0;
  return (
    <View
      title={workspaceWords.title}
      actions={
        isAny ? (
          <a className="button" href={signInUrl}>
            {workspaceWords.connectAnother}
          </a>
        ) : undefined
      }
    >
      <Loaded query={query}>
        {(workspaces) =>
          workspaces.length === 0 ? (
            <Empty
              title={workspaceWords.none}
              action={
                <a className="button button-primary" href={signInUrl}>
                  {workspaceWords.connect}
                </a>
              }
            >
              {workspaceWords.noneWhat}
            </Empty>
          ) : (
            <div className="grid gap-4">
              {workspaces.map((workspace) => (
                <WorkspaceCard key={workspace.id} workspace={workspace} />
              ))}
            </div>
          )
        }
      </Loaded>
    </View>
  );
}

/** Says when a sync has ended. */
function useSpokenEnds(workspaces: readonly Workspace[] | undefined): void {
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
