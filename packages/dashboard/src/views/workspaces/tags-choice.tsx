import type { Workspace } from "@clew/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../api/app-context.ts";
import { explain } from "../../api/explain.ts";
import { workspacesQuery } from "../../api/queries.ts";
import { Notice } from "../../ui/notice.tsx";
import { workspaceWords } from "../../words.ts";

/** Whether the tags of a workspace are nodes. A sync follows a change. */
export function TagsChoice({ workspace: { id, name, tags } }: { workspace: Workspace }) {
  const api = useApi();
  const client = useQueryClient();
  const { queryKey } = workspacesQuery(api);
  const change = useMutation({
    mutationFn: (wanted: boolean) => api.changeWorkspace({ id, tags: wanted }),
    onSuccess: (next) =>
      client.setQueryData(queryKey, (list) => list?.map((each) => (each.id === id ? next : each))),
    onError: () => client.invalidateQueries({ queryKey }),
  });
  if (tags === null) return null;
  const shown = change.isPending ? change.variables : tags;
  return (
    <div className="grid gap-2">
      <label className="flex min-h-8 items-center gap-3">
        <input
          type="checkbox"
          className="size-5 shrink-0"
          aria-label={`${workspaceWords.tags}: ${name ?? workspaceWords.nameless}`}
          checked={shown}
          onChange={({ target }) => change.isPending || change.mutate(target.checked)}
        />
        <span>
          {workspaceWords.tags} <span className="text-quiet">{workspaceWords.tagsWhat}</span>
        </span>
      </label>
      {change.error === null ? null : <Notice kind="danger">{explain(change.error)}</Notice>}
    </div>
  );
}
