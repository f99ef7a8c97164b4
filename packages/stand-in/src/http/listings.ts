import type { View } from "../notion/view.ts";
import type { Entry } from "../workspace/entry.ts";

/** The list that a question is answered with, made anew where it is not known. */
export type Listings = (view: View, question: unknown, make: () => readonly Entry[]) => readonly Entry[];

const mostKept = 20;

/** Keeps the lists that are paged through: each is filtered and sorted once, and not for every page of it. */
export function createListings(): Listings {
  const lists = new WeakMap<View, Map<string, readonly Entry[]>>();
  return (view, question, make) => {
    const known = lists.get(view) ?? new Map<string, readonly Entry[]>();
    lists.set(view, known);
    const key = JSON.stringify(question);
    const list = known.get(key) ?? make();
    if (known.size >= mostKept) known.clear();
    known.set(key, list);
    return list;
  };
}
