import type { SyncReport, Workspace } from "@clew/client";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useApi } from "../../api/app-context.ts";
import { ConnectSource } from "../../ui/connect-source.tsx";
import { Loaded } from "../../ui/states.tsx";
import { ExactTime } from "../../ui/time.tsx";
import { FailedPages } from "./failed-pages.tsx";
import { reportWords } from "./words.ts";

/** The report of the last sync: whether Clew has everything, what it lacks and why, in sentences. */
export function SyncReportDetails({ workspace }: { workspace: Workspace }) {
  const { id, provider, sync } = workspace;
  const api = useApi();
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({
    queryKey: ["syncs", id, sync.finished_at],
    queryFn: async ({ signal }) => (await api.listSyncs({ id }, { signal })).items[0] ?? null,
    enabled: isOpen,
  });
  return (
    <details className="min-w-0" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="w-fit py-1 text-quiet hover:text-ink">{reportWords.title}</summary>
      <div className="grid gap-4 pt-3 pb-1">
        <Loaded query={query} loading={null}>
          {(report) =>
            report === null ? <p>{reportWords.none}</p> : <Report report={report} provider={provider} />
          }
        </Loaded>
      </div>
    </details>
  );
}

function Report({ report, provider }: { report: SyncReport; provider: string }) {
  const { kind, outcome, error, fetched, removed, finished_at, failed, failed_total } = report;
  const done = [
    fetched > 0 ? reportWords.read(fetched) : null,
    removed > 0 ? reportWords.removed(removed) : null,
  ].filter((each) => each !== null);
  return (
    <>
      <div className="grid gap-1">
        <p className="font-medium">
          {outcome === "failed" ? reportWords.failed(error) : reportWords[outcome]}
        </p>
        <p className="text-quiet">
          {reportWords.kinds[kind]}, {reportWords.ended.toLowerCase()} <ExactTime value={finished_at} />.{" "}
          {done.length > 0 ? `${done.join(", ")}.` : null}
          {done.length === 0 && outcome === "complete" ? reportWords.unchanged : null}
        </p>
      </div>
      <Reading report={report} />
      {failed_total === 0 ? null : <FailedPages failed={failed} total={failed_total} />}
      <Gaps report={report} provider={provider} />
    </>
  );
}

/** How a folder was read, and which of its files were not. */
function Reading({ report: { source } }: { report: SyncReport }) {
  if (source === null) return null;
  const { dialect, unread, named } = source;
  const types = unread.map(({ type, count }) => `${count.toLocaleString("en")}\u00a0${type}`).join(", ");
  return (
    <div className="grid gap-1 text-quiet">
      {dialect === null ? null : <p>{reportWords.dialect(dialect)}</p>}
      {types === "" ? null : <p className="wrap-anywhere">{reportWords.unread(types)}</p>}
      {named.length === 0 ? null : (
        <details>
          <summary className="w-fit">{reportWords.named(named.length)}</summary>
          <ul className="pl-4 text-sm">
            {named.map(({ path, message }) => (
              <li key={`${path} ${message}`} className="wrap-anywhere">
                <span className="text-ink">{path}</span>: {message}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** The parts that the graph lacks through no fault of the sync, with the one thing that helps. */
function Gaps({ report, provider }: { report: SyncReport; provider: string }) {
  const { unanswered, unsupported, not_shared, unresolved, orphans } = report;
  // All of a folder is shared.
  const isFolder = report.source !== null;
  const unsupportedParts = unsupported.reduce((sum, { count }) => sum + count, 0);
  const types = [...new Set(unsupported.map(({ type }) => type.replaceAll("_", " ")))].join(", ");
  const gaps: ReactNode[] = [
    unanswered.length > 0 ? <Unanswered key="unanswered" requests={unanswered} /> : null,
    unresolved > 0 ? reportWords[isFolder ? "missing" : "unresolved"](unresolved) : null,
    orphans > 0 ? reportWords.orphans(orphans) : null,
    not_shared > 0 ? reportWords.notShared(not_shared) : null,
    unsupportedParts > 0 ? reportWords.unsupported(unsupportedParts, types) : null,
  ].filter((each) => each !== null);
  if (gaps.length === 0) return null;
  const helpsToShare = !isFolder && unresolved + orphans + not_shared > 0;
  return (
    <div className="grid justify-items-start gap-3">
      <ul className="grid list-disc gap-1 pl-5">
        {gaps.map((gap, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
          <li key={index}>{gap}</li>
        ))}
      </ul>
      {helpsToShare ? <ConnectSource label={reportWords.share} provider={provider} look="link" /> : null}
    </div>
  );
}

function Unanswered({ requests }: { requests: readonly string[] }) {
  return (
    <>
      {reportWords.unanswered(requests.length)}
      <details>
        <summary className="w-fit text-quiet">{reportWords.details}</summary>
        <ul className="pl-4 text-sm">
          {requests.map((request) => (
            <li key={request}>{request}</li>
          ))}
        </ul>
      </details>
    </>
  );
}
