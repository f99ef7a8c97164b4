import type { SearchResults } from "@clew/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useApi } from "./app-context.ts";

/** Milliseconds without a key after which what was typed is looked for. */
export const typingPauseMs = 150;

/** The most characters that the search in titles takes. */
export const maxTitleQuery = 200;

/** The pages that were found for what a person types. */
export interface TitleMatches {
  /** Undefined until the first answer. While an answer is on its way, those of the words before it. */
  readonly items: SearchResults["items"] | undefined;
  /** Whether `items` are those of the words as they stand. */
  readonly isCurrent: boolean;
  readonly error: Error | null;
}

/**
 * The pages whose titles or aliases match, once the person pauses: one request, which is given up when other words follow. Null
 * and blank words ask for nothing.
 */
export function useTitleMatches(words: string | null, limit: number): TitleMatches {
  const api = useApi();
  const wanted = [...(words?.trim() ?? "")].slice(0, maxTitleQuery).join("");
  const [paused, setPaused] = useState("");
  useEffect(() => {
    // Nothing is left of the words before: the next ones start anew.
    if (wanted === "") return setPaused("");
    const timer = setTimeout(setPaused, typingPauseMs, wanted);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ["title matches", paused, limit],
    queryFn: async ({ signal }) =>
      (await api.searchPages({ q: paused, limit, breadcrumb: true }, { signal })).items,
    enabled: paused !== "",
    placeholderData: keepPreviousData,
  });
  const items = paused === "" ? undefined : data;
  return { items, isCurrent: items !== undefined && !isPlaceholderData && paused === wanted, error };
}
