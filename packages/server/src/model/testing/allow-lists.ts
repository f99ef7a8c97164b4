import type { AllowList, ServedSource } from "../allow-list.ts";

/** Sources by the names that tests give them, all with people of their own, whom the lists are about. */
function servedSources(...slugs: readonly string[]): AllowList["sources"] {
  return Object.fromEntries(
    slugs.map((slug): [string, ServedSource] => [slug, { people: slug, isListed: true }]),
  );
}

/** The allow list that lets anyone use Clew, at the sources that tests have. */
export const everybody: AllowList = {
  workspaces: [],
  emails: [],
  anyone: true,
  sources: servedSources("notion", "stand-in", "some"),
};

/** An allow list of those alone who are on one of these lists. */
export function onLists(lists: Partial<Pick<AllowList, "workspaces" | "emails">>): AllowList {
  return { ...everybody, anyone: false, ...lists };
}

/** Lets anyone use Clew at these sources alone. */
export function onlyAt(...slugs: readonly string[]): AllowList {
  return { ...everybody, sources: servedSources(...slugs) };
}
