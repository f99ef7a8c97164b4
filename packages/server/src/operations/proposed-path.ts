import type { Node, Path, ProposedPath } from "@clew/contract";
import { recent } from "./recent.ts";
import type { RequestContext } from "./request-context.ts";
import { search } from "./search.ts";
import { neighbors, paths } from "./walks.ts";

/** The number of important pages, and of changes, among which ends are looked for. */
const listed = 8;

/** The ends that are tried, and how many of them may be far away. */
const triedEnds = 4;
const triedFar = 2;

/** A walk that only follows what people wrote. */
const walk = { depth: 3, edge_type: "link,mention,relation", limit: 200 } as const;

/**
 * Proposes a path between two pages that people know, which leads through others: of those from the most important page, the one
 * with the most links that people wrote (GRAPH-15). The same graph has the same proposal.
 */
export async function proposedPath(ctx: RequestContext): Promise<ProposedPath> {
  const important = (await search(ctx, { sort: "importance", limit: listed })).items.map(({ node }) => node);
  const [start] = important;
  if (start === undefined) return { path: null };
  const changes = await recent(ctx, { since: "90d", limit: listed });
  const changed = changes.items.flatMap(({ node }) => node ?? []);
  // Around a hub all that is found may be near. Pages that changed and are of little importance are rarely linked with it.
  const far = await farthestFrom(ctx, start);
  const near = [...changed, ...important].toSorted((a, b) => a.importance - b.importance || byId(a, b));
  const ends = [...far.slice(0, triedFar), ...near].filter(
    ({ id, type }, index, all) =>
      type === "page" && id !== start.id && all.findIndex((each) => each.id === id) === index,
  );
  const found: Path[] = [];
  for (const end of ends.slice(0, triedEnds))
    found.push(...(await paths(ctx, { from: start.id, to: end.id })).paths);
  const [best] = found.toSorted((a, b) => writtenLinks(b) - writtenLinks(a) || b.length - a.length);
  return { path: best ?? null };
}

/** The pages at the end of the walk, the most important ones first. */
async function farthestFrom(ctx: RequestContext, { id }: Node): Promise<Node[]> {
  const { items } = await neighbors(ctx, { id, ...walk });
  const depth = Math.max(2, ...items.map((item) => item.depth));
  return items
    .filter((item) => item.depth === depth)
    .map(({ node }) => node)
    .toSorted((a, b) => b.importance - a.importance || byId(a, b));
}

const byId = (a: Node, b: Node): number => (a.id < b.id ? -1 : 1);

/** The steps that people wrote: that one page contains another tells less. */
const writtenLinks = ({ edges }: Path): number => edges.filter(({ type }) => type !== "child").length;
