import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/app-context.ts";
import { MoreButton } from "../../ui/more-button.tsx";
import { Loaded } from "../../ui/states.tsx";
import { allTokens } from "./lists.ts";
import { TokenTable } from "./token-table.tsx";
import { tokenWords } from "./words.ts";

const pageSize = 20;

/** Revoked and expired tokens, loaded page by page when the section is opened. */
export function PastTokens() {
  const api = useApi();
  const [isOpen, setOpen] = useState(false);
  const query = useInfiniteQuery({
    queryKey: [...allTokens.queryKey, "past"],
    queryFn: ({ pageParam, signal }) =>
      api.listServiceTokens(
        { is_active: false, limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    enabled: isOpen,
  });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="w-fit py-1 text-quiet hover:text-ink">{tokenWords.past}</summary>
      <div className="grid gap-3 pt-3">
        <Loaded query={query}>
          {({ pages }) => {
            const tokens = pages.flatMap(({ items }) => items);
            return tokens.length === 0 ? (
              <p className="text-quiet">{tokenWords.pastNone}</p>
            ) : (
              <TokenTable caption={tokenWords.past} tokens={tokens} />
            );
          }}
        </Loaded>
        <MoreButton query={query} label={tokenWords.more} />
        {query.hasNextPage ? null : <p className="text-sm text-quiet">{tokenWords.pastKept}</p>}
      </div>
    </details>
  );
}
