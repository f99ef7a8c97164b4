import type { Workspace } from "@clew/client";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { isSyncing } from "../../api/sync-progress.ts";
import { paths } from "../../paths.ts";
import { ConnectSource, useSourceName } from "../../ui/connect-source.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Pill } from "../../ui/pill.tsx";
import { SyncState } from "../../ui/sync-state.tsx";
import { Time } from "../../ui/time.tsx";
import { workspaceWords } from "../../words.ts";
import { SyncReportDetails } from "./sync-report.tsx";
import { TagsChoice } from "./tags-choice.tsx";
import { WorkspaceActions } from "./workspace-actions.tsx";

/** A workspace: the size of its graph, how fresh it is, and the actions on it. */
export function WorkspaceCard({ workspace }: { workspace: Workspace }) {
  const { name, icon, nodes, edges, last_synced_at, edits_as_of } = workspace;
  const titleId = useId();
  const condition = conditionOf(workspace);
  const source = useSourceName(workspace);
  return (
    <article className="card grid gap-5 p-5 sm:p-6" aria-labelledby={titleId}>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <span
          aria-hidden="true"
          className="grid size-12 shrink-0 place-items-center rounded-lg bg-sunken font-serif text-2xl text-thread"
        >
          {isEmoji(icon) ? icon : (name ?? "?").slice(0, 1).toUpperCase()}
        </span>
        <div className="grid min-w-40 flex-1 gap-0.5">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 id={titleId} className="font-serif text-xl font-semibold">
              {name ?? workspaceWords.nameless}
            </h2>
            <Pill kind={condition.kind}>{condition.word}</Pill>
          </div>
          <p className="flex flex-wrap gap-x-4 text-quiet">
            {source === undefined ? null : <span>{source}</span>}
            {nodes === 0 ? null : <span>{workspaceWords.size(nodes, edges)}</span>}
            {last_synced_at === null ? null : (
              <span>
                {workspaceWords.syncedAt} <Time value={last_synced_at} />
              </span>
            )}
            {edits_as_of === null ? null : (
              <span>
                {workspaceWords.editsAsOf} <Time value={edits_as_of} />
              </span>
            )}
          </p>
        </div>
        <WorkspaceActions workspace={workspace} />
      </div>
      <Condition workspace={workspace} />
      {workspace.status === "active" ? <TagsChoice workspace={workspace} /> : null}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-t border-line pt-3">
        <SyncReportDetails workspace={workspace} />
        {nodes === 0 ? null : (
          <Link to={paths.graph} className="link py-1">
            {workspaceWords.explore}
          </Link>
        )}
      </div>
    </article>
  );
}

/** The action that the state of the workspace asks for; nothing if all is well. */
function Condition({ workspace }: { workspace: Workspace }) {
  const { status, sync } = workspace;
  if (status === "needs_reauth")
    return (
      <Notice
        kind="warn"
        way={<ConnectSource label={workspaceWords.reconnect} provider={workspace.provider} isPrimary />}
      >
        {workspaceWords.withdrawnWhat}
      </Notice>
    );
  if (isSyncing(sync)) return <SyncState sync={sync} />;
  if (sync.state === "failed")
    return (
      <Notice kind="warn">{workspaceWords.lastFailed(sync.error ?? workspaceWords.unknownReason)}</Notice>
    );
  if (sharesNothing(workspace))
    return (
      <Notice
        kind="warn"
        way={<ConnectSource label={workspaceWords.choosePages} provider={workspace.provider} isPrimary />}
      >
        {workspaceWords.noPages}
      </Notice>
    );
  return null;
}

function conditionOf(workspace: Workspace): {
  kind: "good" | "warn" | "danger" | "busy" | "quiet";
  word: string;
} {
  const { status, sync, last_synced_at } = workspace;
  if (status === "needs_reauth") return { kind: "warn", word: workspaceWords.withdrawn };
  if (sync.state === "waiting") return { kind: "busy", word: workspaceWords.waiting };
  if (isSyncing(sync)) return { kind: "busy", word: workspaceWords.syncing };
  if (sync.state === "failed") return { kind: "danger", word: workspaceWords.failed };
  if (sharesNothing(workspace)) return { kind: "warn", word: workspaceWords.nothingShared };
  if (sync.outcome === "incomplete") return { kind: "warn", word: workspaceWords.incomplete };
  return last_synced_at === null
    ? { kind: "quiet", word: workspaceWords.neverSynced }
    : { kind: "good", word: workspaceWords.synced };
}

const sharesNothing = ({ nodes, status, sync, last_synced_at }: Workspace): boolean =>
  nodes === 0 && status === "active" && sync.state === "idle" && last_synced_at !== null;

/** The other icons are URLs of images, which this page does not load. */
const isEmoji = (icon: string | null): boolean => icon !== null && !icon.startsWith("https:");
