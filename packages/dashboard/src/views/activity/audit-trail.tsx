import type { AuditLine } from "@clew/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useApi } from "../../api/app-context.ts";
import { AuditTable } from "../../ui/audit-table.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import { Loaded } from "../../ui/states.tsx";
import { activityWords } from "../../words.ts";

type Filter = keyof typeof activityWords.filters;

const filters: Readonly<Record<Filter, (line: AuditLine) => boolean>> = {
  all: () => true,
  sessions: ({ event }) => event.startsWith("signed_") || event.startsWith("session_"),
  tokens: ({ event }) => event.startsWith("token_"),
  refused: ({ event }) => event === "token_refused",
};

/** The events of the account and its tokens, latest first. */
export function AuditTrail() {
  const api = useApi();
  const headingId = useId();
  const filterId = useId();
  const [filter, setFilter] = useState<Filter>("all");
  const query = useInfiniteQuery({
    queryKey: ["audit"],
    queryFn: ({ pageParam, signal }) =>
      api.listAuditTrail(pageParam === null ? {} : { cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  return (
    <section aria-labelledby={headingId} className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id={headingId} className="text-lg font-semibold">
          {activityWords.trail}
        </h2>
        <label htmlFor={filterId} className="flex items-center gap-2">
          <span className="text-quiet">{activityWords.filter}</span>
          <select
            id={filterId}
            className="input w-auto"
            value={filter}
            onChange={({ target }) => setFilter(target.value as Filter)}
          >
            {Object.entries(activityWords.filters).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Loaded query={query}>
        {({ pages }) => {
          const lines = pages.flatMap(({ items }) => items).filter(filters[filter]);
          return lines.length === 0 ? (
            <p className="text-quiet">{activityWords.nothingOfKind}</p>
          ) : (
            <AuditTable caption={activityWords.trail} lines={lines} />
          );
        }}
      </Loaded>
      <MoreButton query={query} label={activityWords.more} />
    </section>
  );
}
