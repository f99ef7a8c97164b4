import { pick, type Random, seededRandom } from "@clew/stand-in/testing/random";
import { below, mix } from "./workspace/random.ts";
import { titleOf } from "./workspace/titles.ts";
import { joinedPages, type Workspace } from "./workspace/workspace.ts";

/** Number of questions of each kind: enough to ask each only once. */
const count = 1_500;

/** Kinds of search queries, drawn from titles of the workspace. */
export const queryKinds = [
  "one letter",
  "two letters",
  "prefix",
  "several words",
  "infix",
  "typo",
  "no hit",
  "other scripts",
] as const;
export type QueryKind = (typeof queryKinds)[number];

/** Two pages to find a path between. */
export type Pair = readonly [from: number, to: number];

export function somePages(workspace: Workspace, seed: number): number[] {
  const random = seededRandom(mix(seed, 1));
  return Array.from({ length: count }, () => below(random, workspace.size));
}

export function somePairs(workspace: Workspace, seed: number): Pair[] {
  const random = seededRandom(mix(seed, 2));
  return Array.from({ length: count }, () => [below(random, workspace.size), below(random, workspace.size)]);
}

/** Pairs of pages that each have an edge with one of the five largest hubs. */
export function pairsAtHubs(workspace: Workspace, seed: number): Pair[] {
  const random = seededRandom(mix(seed, 3));
  const hubs = new Set(workspace.hubs.slice(0, 5));
  const beside: number[] = [];
  for (const [one, other] of joinedPages(workspace)) {
    if (hubs.has(other)) beside.push(one);
    else if (hubs.has(one)) beside.push(other);
  }
  return Array.from({ length: count }, () => [pick(random, beside), pick(random, beside)]);
}

/** Queries of one kind, drawn at random. */
export function someQueries({ seed, size }: Workspace, kind: QueryKind, querySeed: number): string[] {
  const random = seededRandom(mix(querySeed, queryKinds.indexOf(kind) + 10));
  const someTitle = (wanted: (title: ReturnType<typeof titleOf>) => boolean) => {
    for (;;) {
      const title = titleOf(seed, below(random, size));
      if (title.words.length > 0 && wanted(title)) return title;
    }
  };
  const longWord = () => {
    const title = someTitle(
      ({ script, words }) => script === "Latin" && words.some((word) => word.length >= 6),
    );
    return title.words.find((word) => word.length >= 6) ?? "";
  };
  const make: Readonly<Record<QueryKind, () => string>> = {
    "one letter": () => start(pick(random, someTitle(() => true).words), 1),
    "two letters": () => start(pick(random, someTitle(() => true).words), 2),
    prefix: () => start(longWord(), 3 + below(random, 3)).toLowerCase(),
    "several words": () => {
      const { words } = someTitle(({ words: { length }, script }) => length > 1 && script === "Latin");
      const chosen = [words.at(-1) ?? "", words[0] ?? ""];
      return chosen.map((word) => start(word, 2 + below(random, 3))).join(" ");
    },
    infix: () => [...longWord()].slice(1, 5).join(""),
    typo: () => misspelt(random, longWord()),
    "no hit": () =>
      `${start(longWord(), 4)}${pick(random, ["qxz", "xwq", "zzkx", "jjq"])}${below(random, 1000)}`,
    "other scripts": () => start(pick(random, someTitle(({ script }) => script !== "Latin").words), 2),
  };
  return Array.from({ length: count }, make[kind]);
}

const start = (word: string, letters: number) => [...word].slice(0, letters).join("");

/** Omits, doubles or replaces one letter after the first. */
function misspelt(random: Random, word: string): string {
  const letters = [...word];
  const place = 1 + below(random, letters.length - 1);
  const put = pick(random, ["", `${letters[place]}${letters[place]}`, "x", "e"]);
  return letters.with(place, put).join("");
}
