import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { explain } from "../api/explain.ts";
import { failureWords, shellWords } from "../words.ts";
import { Notice } from "./notice.tsx";

/** The answer of a query, or the reason why there is none yet. During an outage it shows the last answer. */
export function Loaded<Data>({
  query,
  loading = <Loading />,
  children,
}: {
  query: UseQueryResult<Data>;
  loading?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null)
    return (
      <Notice kind="danger" action={{ label: failureWords.tryAgain, run: () => void query.refetch() }}>
        {explain(query.error)}
      </Notice>
    );
  return loading;
}

/** A loading indicator. It appears after a short delay, so fast responses show nothing. */
export function Loading() {
  return (
    <div className="loading grid gap-3" role="status">
      <span className="sr-only">{shellWords.opening}</span>
      <span className="skeleton h-6 w-2/5" />
      <span className="skeleton h-24" />
      <span className="skeleton h-24" />
    </div>
  );
}

/** The message of an empty view: the reason, and what can be done. */
export function Empty({
  title,
  action,
  children,
}: {
  title: string;
  action?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="card grid justify-items-start gap-4 p-6 sm:p-8">
      <div className="grid max-w-prose gap-1">
        <h2 className="font-serif text-xl font-semibold">{title}</h2>
        {children === undefined ? null : <div className="text-quiet">{children}</div>}
      </div>
      {action}
    </div>
  );
}
