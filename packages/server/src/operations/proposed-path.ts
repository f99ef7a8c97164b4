import type { Node, Path, ProposedPath } from "@clew/contract";
import { nodes } from "./nodes.ts";
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

/** The path of the sample that the README shows: from Jupiter to Hōkūleʻa. */
const samplePath = {
  from: "9a4beed0-598c-87bb-8c0b-fe76636500e3",
  to: "5c404f20-9293-8e91-97d8-9d9a0d13fa70",
} as const;

/**
 * Proposes a path between two pages that people know, which leads through others: of those from the most important page, the one
 * with the most links that people wrote (GRAPH-15). The same graph has the same proposal.
 */
export async function proposedPath(ctx: RequestContext): Promise<ProposedPath> {
  const important = (await search(ctx, { sort: "importance", limit: listed })).items.map(({ node }) => node);
  const [start] = important;
  if (start === undefined) return { path: null };
  const ofSample = await pathOfSample(ctx);
  if (ofSample !== null) return { path: ofSample };
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
    found.push(...(await paths(ctx, { from: start.id, to: end.id, avoid: "hubs" })).paths);
  const [best] = found.toSorted((a, b) => writtenLinks(b) - writtenLinks(a) || b.length - a.length);
  return { path: best ?? null };
}

/** The path of the sample; null if the caller cannot read both of its ends. */
async function pathOfSample(ctx: RequestContext): Promise<Path | null> {
  const { items } = await nodes(ctx, { ids: `${samplePath.from},${samplePath.to}` });
  return items.length < 2 ? null : ((await paths(ctx, { ...samplePath, avoid: "hubs" })).paths[0] ?? null);
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
