import type { SearchResults } from "@clew/contract";

/** Values from earlier responses, by the name of the shell variable that holds them. */
export type Known = Map<string, string>;

/** One request of the tour. */
export interface Stop {
  readonly title: string;
  /** The path below `/api/v1/`; `$NAME` stands for the value of that variable. */
  readonly path: string;
  /** The variable that will hold the id of the first page found. */
  readonly finds?: string;
}

export const stops: readonly Stop[] = [
  { title: "What may this token read?", path: "token/" },
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
  { title: "The shortest path between the two", path: "paths/?from=$JUPITER&to=$CANOE" },
];

/** The path with values in place of variables. Throws if a variable has no value. */
export function resolvePath({ path }: Pick<Stop, "path">, known: Known): string {
  return path.replaceAll(/\$([A-Z]+)/g, (_, name: string) => {
    const value = known.get(name);
    if (value === undefined) throw new Error(`$${name} has no value.`);
    return value;
  });
}

/** The id of the first page that a search found. Throws if it found none. */
export function firstFound(response: unknown, { path }: Pick<Stop, "path">): string {
  const { items } = response as SearchResults;
  const id = items[0]?.node.id;
  if (id === undefined)
    throw new Error(`${path} finds nothing: the tour needs the sample workspace that comes with Clew.`);
  return id;
}
