import { useEffect, useState } from "react";
import { useApi } from "../../../api/app-context.ts";

/** The ids that one request looks up. */
const idsPerRequest = 100;

/** The titles of pages by their ids; null for a page that the person cannot see any more. Those that are not known yet are missing. */
export function usePageTitles(ids: readonly string[]): ReadonlyMap<string, string | null> {
  const api = useApi();
  const [titles, setTitles] = useState<ReadonlyMap<string, string | null>>(new Map());
  const wanted = [...new Set(ids)].filter((id) => !titles.has(id)).slice(0, idsPerRequest);
  const key = wanted.join(",");
  useEffect(() => {
    if (key === "") return;
    const ended = new AbortController();
    api.getPages({ ids: key }, { signal: ended.signal }).then(
      ({ items, missing }) =>
        setTitles((before) => {
          const found = items.map(({ id, title }) => [id, title] as const);
          return new Map([...before, ...found, ...missing.map((id) => [id, null] as const)]);
        }),
      // The next call that is shown asks again.
      () => {},
    );
    return () => ended.abort();
  }, [api, key]);
  return titles;
}
