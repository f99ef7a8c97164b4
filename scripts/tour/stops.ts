import type { Neighbors, SearchResults } from "@clew/contract";

/** What earlier answers taught. */
export type Known = Map<"page" | "neighbor", string>;

/** One request of the tour. */
export interface Stop {
  readonly title: string;
  /** The request below `/api/v1/`. */
  path(known: Known): string;
  /** Keeps what later stops need of the answer, which is a JSON text. */
  learn?(known: Known, answer: string): void;
}

const word = "jupiter";

export const stops: readonly Stop[] = [
  { title: "What does this token open?", path: () => "token/" },
  {
    title: "Search by title",
    path: () => `search/?q=${word}&limit=2`,
    learn(known, answer) {
      const { items }: SearchResults = JSON.parse(answer);
      const found = items[0];
      if (!found) throw new Error(`No title matches “${word}”; the tour wants the sample workspace.`);
      known.set("page", found.node.id);
    },
  },
  { title: "One page in detail", path: (known) => `nodes/${known.get("page")}/` },
  {
    title: "The beginning of its text",
    path: (known) => `nodes/${known.get("page")}/content/?max_chars=300`,
  },
  {
    title: "Pages that link to it",
    path: (known) => `nodes/${known.get("page")}/neighbors/?direction=in&edge_type=link,mention&limit=2`,
  },
  {
    title: "Pages three steps away",
    path: (known) => `nodes/${known.get("page")}/neighbors/?depth=3&limit=200`,
    learn(known, answer) {
      const { items }: Neighbors = JSON.parse(answer);
      const farthest = items.at(-1);
      if (farthest) known.set("neighbor", farthest.node.id);
    },
  },
  {
    title: "The shortest path to the farthest of them",
    path: (known) => `paths/?from=${known.get("page")}&to=${known.get("neighbor")}`,
  },
];
