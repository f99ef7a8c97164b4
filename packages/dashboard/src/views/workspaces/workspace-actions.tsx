import type { Workspace } from "@clew/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/app-context.ts";
import { explain } from "../../api/explain.ts";
import { workspacesQuery } from "../../api/queries.ts";
import { isSyncing } from "../../api/sync-progress.ts";
import { announce } from "../../ui/announce.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { focusTitle } from "../../ui/focus.ts";
import { Notice } from "../../ui/notice.tsx";
import { workspaceWords } from "../../words.ts";

/** Syncs a workspace, and disconnects it. */
export function WorkspaceActions({ workspace }: { workspace: Workspace }) {
  const { id, nodes, sync, status } = workspace;
  const name = workspace.name ?? workspaceWords.nameless;
  const api = useApi();
  const client = useQueryClient();
  const { queryKey } = workspacesQuery(api);
  const [isAsking, setAsking] = useState(false);
  const start = useMutation({
    mutationFn: () => api.startSync({ id }),
    onSuccess: (next) =>
      client.setQueryData(queryKey, (list) => list?.map((each) => (each.id === id ? next : each))),
    // The page may show an outdated state.
    onError: () => client.invalidateQueries({ queryKey }),
  });
  const remove = () => {
    announce(workspaceWords.disconnected(name));
    focusTitle();
    client.setQueryData(queryKey, (list) => list?.filter((each) => each.id !== id));
    // Its tokens have lost it, and some are revoked.
    void client.invalidateQueries();
  };
  return (
    <div className="flex flex-wrap gap-3">
      {status === "needs_reauth" ? null : (
        // A disabled button would lose the focus.
        <button
          type="button"
          className="button"
          aria-disabled={isSyncing(sync)}
          aria-label={`${workspaceWords.syncNow} ${name}`}
          onClick={() => isSyncing(sync) || start.mutate()}
        >
          {workspaceWords.syncNow}
        </button>
      )}
      <button
        type="button"
        className="button"
        aria-label={`${workspaceWords.disconnect} ${name}`}
        onClick={() => setAsking(true)}
      >
        {workspaceWords.disconnect}
      </button>
      {start.error === null ? null : (
        <div className="basis-full">
          <Notice kind="danger">{workspaceWords.notStarted(explain(start.error))}</Notice>
        </div>
      )}
      {isAsking ? (
        <Confirm
          title={workspaceWords.disconnectTitle(name)}
          action={workspaceWords.disconnectAction}
          typed={name}
          onConfirm={() => api.disconnectWorkspace({ id })}
          onDone={remove}
          onClose={() => setAsking(false)}
        >
          <p>{workspaceWords.disconnectLoss(nodes)}</p>
          <p className="text-quiet">{workspaceWords.disconnectKept}</p>
        </Confirm>
      ) : null}
    </div>
  );
}
