import { type GraphNode, type SearchHit, search } from "@clew/graph";
import { fold } from "@clew/text/basics";
import type { LocatedNode, ReadableGraph } from "../graphs/readable.ts";
import { holdsAll } from "../model/caller.ts";
import { content } from "./nodes.ts";
import { nameInPlace, workspaceName } from "./page-names.ts";
import { placeIn } from "./page-references.ts";
import type { RequestContext } from "./request-context.ts";

/*
 * Pages by their titles and by the titles above them, for tokens that may search (AGT-3).
 */

/** A call, and the newest graphs that its caller may read. */
export interface Reading {
  readonly ctx: RequestContext;
  readonly graphs: readonly ReadableGraph[];
}

const longestTitle = 200;

interface FoundTitle {
  readonly located: LocatedNode;
  readonly match: SearchHit["match"];
}

/** The pages whose titles match a text best: `limit` of each workspace at most. */
export function titlesLike({ graphs }: Pick<Reading, "graphs">, text: string, limit: number): FoundTitle[] {
  const query = [...text.trim()].slice(0, longestTitle).join("");
  if (query === "") return [];
  return graphs.flatMap((source) =>
    search(source.graph, { query, limit }).map(({ node, match }) => ({ located: { source, node }, match })),
  );
}

/** Pages of one title that are compared. */
const maxOfTitle = 10;

/** The pages that a title means: pages before folders, folders before tags, then those whose title it is before those that have it as an alias. */
export async function pagesTitled(reading: Reading, title: string): Promise<readonly LocatedNode[]> {
  const exact = titlesLike(reading, title, maxOfTitle).filter(({ match }) => match === "exact");
  if (exact.length <= 1) return exact.map(({ located }) => located);
  const wanted = fold(title);
  const ranked = await Promise.all(
    exact.map(async ({ located }) => {
      const isAlias = fold(located.node.title) !== wanted;
      const isTag = located.node.type === "tag";
      return {
        located,
        rank: 4 * Number(isTag) + 2 * Number(await isFolder(reading, located)) + Number(isAlias),
      };
    }),
  );
  const best = Math.min(...ranked.map(({ rank }) => rank));
  return ranked.filter(({ rank }) => rank === best).map(({ located }) => located);
}

/** The text of a page that shows only what is in it. */
const onlyPages = /^(?:\s*<(page|database)\b[^<>]*>[^<>]*<\/\1>)*\s*$/;

/** Whether a page only holds others. A token that may not read texts does not learn it (GRAPH-10). */
async function isFolder({ ctx }: Reading, { source: { graph }, node }: LocatedNode): Promise<boolean> {
  if (
    !holdsAll(ctx.caller, ["graph:read"]) ||
    node.type !== "page" ||
    graph.edgesByType(node.id).child.out === 0
  )
    return false;
  const { markdown } = await content(ctx, { id: node.id });
  return onlyPages.test(markdown);
}

/** Pages of one title among which the one at a place is. */
const maxAtPlace = 500;

/** The pages at a place: of its last title, and below pages of the others; if several are, those directly below. */
export function pagesAtPlace(reading: Reading, text: string): readonly LocatedNode[] {
  const place = placeIn(text);
  const last = place?.at(-1);
  if (place === null || last === undefined) return [];
  const above = place.slice(0, -1);
  const below = titlesLike(reading, last.replace(/…$/, ""), maxAtPlace)
    .filter(({ located, match }) => match === "exact" || isTitle(last, located.node))
    .map(({ located }) => located)
    .filter((located) => isWithin(above, ancestorsOf(located)));
  const directly = below.filter((located) => isWithin(above, ancestorsOf(located).slice(-above.length)));
  return directly.length > 0 ? directly : below;
}

type Titled = Pick<GraphNode, "title">;

/** The ancestors of a page: its workspace, then the pages from the top. */
const ancestorsOf = ({ source: { graph, connection }, node }: LocatedNode): readonly Titled[] => [
  { title: workspaceName(connection) },
  ...graph.breadcrumb(node.id),
];

/** Whether nodes of these titles are among others, in their order. */
function isWithin(titles: readonly string[], among: readonly Titled[]): boolean {
  let found = 0;
  for (const node of among) if (found < titles.length && isTitle(titles[found] ?? "", node)) found += 1;
  return found === titles.length;
}

/** Whether a text is a title, also one that was cut as places show it. */
const isTitle = (text: string, { title }: Titled): boolean =>
  fold(text) === fold(title) || text === nameInPlace(title);
