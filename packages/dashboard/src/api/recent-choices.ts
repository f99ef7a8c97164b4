import type { Node } from "@clew/client";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { SessionKeeper } from "../session/keeper.ts";
import { clewUrl } from "../session/urls.ts";
import { useApp } from "./app-context.ts";

/*
 * The latest choices of a person in this browser, for lists that begin with them. Only ids are stored, and they go with the
 * session: titles are asked for when they are shown, so that nothing appears that may no longer be read.
 */

/** A page by its id, or an action of the palette by its name. */
export type RecentChoice = { readonly page: string } | { readonly action: string };

const key = `clew.recent:${clewUrl.pathname}`;
const mostKept = 20;

interface Stored {
  readonly userId: string;
  readonly choices: readonly RecentChoice[];
}

/** The latest choices of who is signed in, the last one first. */
export function recentChoices(keeper: Pick<SessionKeeper, "read">): readonly RecentChoice[] {
  const userId = keeper.read()?.userId;
  try {
    const stored: Stored = JSON.parse(localStorage.getItem(key) ?? "null");
    return stored !== null && stored.userId === userId ? stored.choices : [];
  } catch {
    // Another version of Clew may have written it.
    return [];
  }
}

export function rememberChoice(keeper: Pick<SessionKeeper, "read">, choice: RecentChoice): void {
  const userId = keeper.read()?.userId;
  if (userId === undefined) return;
  const isOther = (each: RecentChoice) => JSON.stringify(each) !== JSON.stringify(choice);
  const choices = [choice, ...recentChoices(keeper).filter(isOther)].slice(0, mostKept);
  localStorage.setItem(key, JSON.stringify({ userId, choices } satisfies Stored));
}

export function forgetChoices(): void {
  localStorage.removeItem(key);
}

/**
 * The pages that were opened lately and can still be read, the last one first, without the one that is open. Asks for nothing
 * unless they are wanted.
 */
export function useRecentPages({ most, isWanted }: { most: number; isWanted: boolean }): readonly Node[] {
  const { api, keeper } = useApp();
  const { pageId: open } = useParams({ strict: false });
  const kept = isWanted ? recentChoices(keeper) : [];
  const pages = kept.flatMap((choice) => ("page" in choice ? [choice.page] : []));
  const ids = pages.filter((id) => id !== open).slice(0, most);
  const { data = [] } = useQuery({
    queryKey: ["recent pages", ids.toSorted().join()],
    queryFn: async ({ signal }) => (await api.getPages({ ids: ids.join() }, { signal })).items,
    enabled: ids.length > 0,
  });
  return ids.flatMap((id) => data.find((node) => node.id === id) ?? []);
}
