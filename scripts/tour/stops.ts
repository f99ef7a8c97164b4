import type { SearchResults } from "@clew/contract";

/** What earlier answers taught, by the name of a shell variable that holds it. */
export type Known = Map<string, string>;

/** One request of the tour. */
export interface Stop {
  readonly title: string;
  /** The request below `/api/v1/`; `$NAME` stands for what is known by that name. */
  readonly path: string;
  /** The name by which the first page that a search finds is known from then on. */
  readonly finds?: string;
}

export const stops: readonly Stop[] = [
  { title: "What does this token open?", path: "token/" },
  { title: "Search by title", path: "search/?q=jupiter&limit=2", finds: "JUPITER" },
  { title: "One page in detail", path: "nodes/$JUPITER/" },
  { title: "The beginning of its text", path: "nodes/$JUPITER/content/?max_chars=300" },
  {
    title: "Pages that link to it",
    path: "nodes/$JUPITER/neighbors/?direction=in&edge_type=link,mention&limit=2",
  },
  {
    title: "Databases up to three steps away, nearest first",
    path: "nodes/$JUPITER/neighbors/?depth=3&node_type=database&limit=3",
  },
  { title: "Search forgives accents, and a typo", path: "search/?q=hokulea&limit=1", finds: "CANOE" },
  { title: "The shortest path from the one to the other", path: "paths/?from=$JUPITER&to=$CANOE" },
];

/** The request with what is known in the place of names. Throws where a name is not known. */
export function resolvePath({ path }: Pick<Stop, "path">, known: Known): string {
  return path.replaceAll(/\$([A-Z]+)/g, (_, name: string) => {
    const value = known.get(name);
    if (value === undefined) throw new Error(`Nothing is known by the name of ${name}.`);
    return value;
  });
}

/** The id of the first page in a search's answer. Throws where it found none. */
export function firstFound(answer: string, { path }: Pick<Stop, "path">): string {
  const { items }: SearchResults = JSON.parse(answer);
  const id = items[0]?.node.id;
  if (id === undefined)
    throw new Error(`${path} finds nothing: the tour wants the workspace that comes with Clew.`);
  return id;
}
