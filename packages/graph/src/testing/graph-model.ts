import type { Direction, EdgeType, NodeTrait, NodeType } from "@clew/contract/vocabulary";
import { edgeTypes as edgeTypeOrder, nodeTraits } from "@clew/contract/vocabulary";
import { fold } from "@clew/text/basics";
import type { GraphEdge } from "../edge.ts";
import type { NodeId } from "../node.ts";
import type { NodeFilter } from "../search/node-filter.ts";
import type { GraphInput, NamedNode } from "./graph-input.ts";

/** The graph as plain lists: slow, and simple enough to be trusted. Tests compare the real graph with it. */
export interface GraphModel {
  readonly nodes: readonly NamedNode[];
  readonly edges: readonly GraphEdge[];
}

const byText = (a: string, b: string) => (a < b ? -1 : Number(a > b));

function compareEdges(a: GraphEdge, b: GraphEdge): number {
  return (
    byText(a.from, b.from) ||
    byText(a.to, b.to) ||
    edgeTypeOrder.indexOf(a.type) - edgeTypeOrder.indexOf(b.type) ||
    Number(a.name !== null) - Number(b.name !== null) ||
    byText(a.name ?? "", b.name ?? "")
  );
}

export function modelOf({ nodes, references }: GraphInput): GraphModel {
  const ids = new Set(nodes.map(({ id }) => id));
  const known = (id: NodeId | null): id is NodeId => id !== null && ids.has(id);
  const single: GraphEdge[] = [
    ...nodes.flatMap(({ id, parentId }) =>
      known(parentId) && parentId !== id
        ? [{ from: parentId, to: id, type: "child" as const, name: null, count: 1 }]
        : [],
    ),
    ...references
      .filter(
        ({ from, reference }) => known(from) && known(reference.targetId) && from !== reference.targetId,
      )
      .map(({ from, reference: { targetId, type, name, count } }) => ({
        from,
        to: targetId,
        type,
        name,
        count,
      })),
  ];
  const coalesced = new Map<string, GraphEdge>();
  for (const edge of single) {
    const key = JSON.stringify([edge.from, edge.to, edge.type, edge.name]);
    coalesced.set(key, { ...edge, count: edge.count + (coalesced.get(key)?.count ?? 0) });
  }
  return {
    nodes: nodes
      .map((node) => ({ ...node, parentId: known(node.parentId) ? node.parentId : null }))
      .sort((a, b) => byText(a.id, b.id)),
    edges: [...coalesced.values()].sort(compareEdges),
  };
}

function nodeOf({ nodes }: GraphModel, id: NodeId): NamedNode {
  const node = nodes.find((candidate) => candidate.id === id);
  if (!node) throw new Error(`no node ${id}`);
  return node;
}

export function modelDegree({ edges }: GraphModel, id: NodeId, type?: EdgeType): { in: number; out: number } {
  const counted = edges.filter((edge) => edge.from !== edge.to && (!type || edge.type === type));
  return {
    in: counted.filter(({ to }) => to === id).length,
    out: counted.filter(({ from }) => from === id).length,
  };
}

export function modelBreadcrumb(model: GraphModel, id: NodeId): NodeId[] {
  const crumbs: NodeId[] = [];
  for (let next = nodeOf(model, id).parentId; next && next !== id && !crumbs.includes(next); ) {
    crumbs.unshift(next);
    next = nodeOf(model, next).parentId;
  }
  return crumbs;
}

export interface Filter {
  readonly direction: Direction;
  readonly edgeTypes?: readonly EdgeType[] | undefined;
}

/** The edges of a step from `a` to `b`: those that point along it, and those that point against it. */
function edgesOfStep({ edges }: GraphModel, a: NodeId, b: NodeId, { direction, edgeTypes }: Filter) {
  const allowed = edges.filter(({ type }) => !edgeTypes || edgeTypes.includes(type));
  return {
    along: direction === "in" ? [] : allowed.filter(({ from, to }) => from === a && to === b),
    against: direction === "out" ? [] : allowed.filter(({ from, to }) => from === b && to === a),
  };
}

/** The nodes that a step reaches: along edges, then against edges, each in the order of ids. */
function stepsFrom(model: GraphModel, id: NodeId, filter: Filter): NodeId[] {
  const steps = model.nodes.map((node) => ({ id: node.id, ...edgesOfStep(model, id, node.id, filter) }));
  return [
    ...steps.filter(({ along }) => along.length > 0),
    ...steps.filter(({ against }) => against.length > 0),
  ].map((step) => step.id);
}

export interface ModelNeighbor {
  readonly id: NodeId;
  readonly depth: number;
  readonly edges: readonly GraphEdge[];
}

/** All neighbours up to a depth, in order. */
export function modelNeighbors(
  model: GraphModel,
  start: NodeId,
  { depth, nodeTypes, ...filter }: Filter & { depth: number; nodeTypes?: readonly NodeType[] | undefined },
): ModelNeighbor[] {
  const depths = new Map([[start, 0]]);
  // Iterating over a Map includes entries that are added during the iteration.
  for (const [id, here] of depths) {
    if (here === depth) continue;
    for (const next of stepsFrom(model, id, filter)) if (!depths.has(next)) depths.set(next, here + 1);
  }
  const listed = [...depths].filter(
    ([id]) => id !== start && (!nodeTypes || nodeTypes.includes(nodeOf(model, id).type)),
  );
  return listed.map(([id, here]) => {
    const nearer = model.nodes.filter((node) => depths.get(node.id) === here - 1);
    const steps = nearer.map((node) => edgesOfStep(model, node.id, id, filter));
    const edges = [...steps.flatMap(({ along }) => along), ...steps.flatMap(({ against }) => against)];
    return { id, depth: here, edges };
  });
}

export interface ModelPath {
  readonly nodes: readonly NodeId[];
  readonly edges: readonly GraphEdge[];
}

/** All simple paths between two nodes, in order. */
export function modelPaths(model: GraphModel, from: NodeId, to: NodeId, filter: Filter): ModelPath[] {
  const found: ModelPath[] = [];
  const walk = (nodes: readonly NodeId[], edges: readonly GraphEdge[]) => {
    const last = nodes.at(-1) ?? from;
    if (last === to) {
      found.push({ nodes, edges });
      return;
    }
    for (const { id } of model.nodes) {
      const { along, against } = edgesOfStep(model, last, id, filter);
      const edge = along[0] ?? against[0];
      if (edge && !nodes.includes(id)) walk([...nodes, id], [...edges, edge]);
    }
  };
  walk([from], []);
  return found.sort((a, b) => a.edges.length - b.edges.length || byText(a.nodes.join(), b.nodes.join()));
}

/**
 * The importance of every node, in the order of ids (GRAPH-20): the least and the most that it can be, depending on which
 * of the PageRanks that are equal but for rounding count as lower.
 */
export function modelImportance({ nodes, edges }: GraphModel): { least: number; most: number }[] {
  const weightOf = ({ type }: GraphEdge) => (type === "child" ? 0.1 : 1);
  const leaving = new Map(nodes.map(({ id }) => [id, edges.filter(({ from }) => from === id)]));
  let ranks = new Map(nodes.map(({ id }) => [id, 1 / nodes.length]));
  for (let round = 0; round < 16; round += 1) {
    const next = new Map(nodes.map(({ id }) => [id, 0]));
    let passedOn = 0;
    for (const { id } of nodes) {
      const out = leaving.get(id) ?? [];
      const whole = out.reduce((sum, edge) => sum + weightOf(edge), 0);
      for (const edge of out) {
        const share = (0.85 * (ranks.get(id) ?? 0) * weightOf(edge)) / whole;
        next.set(edge.to, (next.get(edge.to) ?? 0) + share);
        passedOn += share;
      }
    }
    ranks = new Map([...next].map(([id, rank]) => [id, rank + (1 - passedOn) / nodes.length]));
  }
  return nodes.map(({ id }) => {
    const own = ranks.get(id) ?? 0;
    const share = (bound: number) => {
      const lower = nodes.filter((other) => other.id !== id && (ranks.get(other.id) ?? 0) < bound);
      return Number((lower.length / Math.max(1, nodes.length - 1)).toFixed(4));
    };
    return { least: share(own - 1e-9), most: share(own + 1e-9) };
  });
}

/** Whether a node passes a filter (GRAPH-19). */
export function modelPasses(input: GraphInput, id: NodeId, filter: NodeFilter): boolean {
  const model = modelOf(input);
  const { type, createdAt, updatedAt } = nodeOf(model, id);
  const traits = modelTraits(input, id);
  const { is = [], isNot = [], under } = filter;
  return (
    (filter.type === undefined || filter.type === type) &&
    (under === undefined || under === id || modelBreadcrumb(model, id).includes(under)) &&
    !(updatedAt < (filter.updatedAfter ?? updatedAt)) &&
    !(updatedAt >= (filter.updatedBefore ?? updatedAt + 1)) &&
    !(createdAt < (filter.createdAfter ?? createdAt)) &&
    !(createdAt >= (filter.createdBefore ?? createdAt + 1)) &&
    is.every((trait) => traits.includes(trait)) &&
    !isNot.some((trait) => traits.includes(trait))
  );
}

/** The traits of a node, in the order of the contract (GRAPH-19). */
export function modelTraits(input: GraphInput, id: NodeId): NodeTrait[] {
  const model = modelOf(input);
  const { parentId, contentState, marks = [] } = nodeOf(model, id);
  const edges = model.edges.filter(({ from, to, type }) => type !== "child" && (from === id || to === id));
  const known = new Set(model.nodes.map((node) => node.id));
  const has: Readonly<Record<NodeTrait, boolean>> = {
    orphan: edges.length === 0,
    unreferenced: edges.every(({ to }) => to !== id),
    dead_end: edges.every(({ from }) => from !== id),
    broken: input.references.some(({ from, reference }) => from === id && !known.has(reference.targetId)),
    empty: contentState === "empty",
    failed: contentState === "failed",
    archived: marks.includes("archived"),
    verified: marks.includes("verified"),
    expired: marks.includes("expired"),
    row: parentId !== null && parentId !== id && nodeOf(model, parentId).type === "database",
  };
  return nodeTraits.filter((trait) => has[trait]);
}

interface ModelRelated {
  readonly id: NodeId;
  readonly score: number;
  readonly reasons: readonly {
    type: "same_targets" | "same_sources";
    count: number;
    via: readonly NodeId[];
  }[];
}

/** The nodes that share links with a node, best first, in a graph without nodes of more than a thousand edges (GRAPH-21). */
export function modelRelated(model: GraphModel, id: NodeId, linked: boolean): ModelRelated[] {
  const edges = model.edges.filter(({ type }) => type !== "child");
  const targetsOf = (node: NodeId) => [
    ...new Set(edges.filter(({ from }) => from === node).map(({ to }) => to)),
  ];
  const sourcesOf = (node: NodeId) => [
    ...new Set(edges.filter(({ to }) => to === node).map(({ from }) => from)),
  ];
  const degreeOf = (node: NodeId) => modelDegree(model, node).in + modelDegree(model, node).out;
  const sum = (nodes: readonly NodeId[]) =>
    nodes.reduce((total, node) => total + 1 / Math.log(2 + degreeOf(node)), 0);
  const [targets, sources] = [targetsOf(id), sourcesOf(id)];
  const own = sum([...targets, ...sources]);
  const isDirect = (node: NodeId) => targets.includes(node) || sources.includes(node);
  return model.nodes
    .filter((node) => node.id !== id && (linked || !isDirect(node.id)))
    .map((node) => {
      const shared = {
        same_targets: targetsOf(node.id).filter((target) => targets.includes(target)),
        same_sources: sourcesOf(node.id).filter((source) => sources.includes(source)),
      };
      const reasons = (["same_targets", "same_sources"] as const).map((type) => {
        const via = shared[type].toSorted((a, b) => degreeOf(a) - degreeOf(b) || byText(a, b));
        return { type, count: via.length, via: via.slice(0, 3) };
      });
      return {
        id: node.id,
        score: sum([...shared.same_targets, ...shared.same_sources]) / own,
        reasons: reasons.filter(({ count }) => count > 0),
      };
    })
    .filter(({ reasons }) => reasons.length > 0)
    .sort((a, b) => (Math.abs(a.score - b.score) < 1e-9 ? byText(a.id, b.id) : b.score - a.score));
}

/** The tree of pages as one list (GRAPH-25), in a graph without cycles of parents. */
export function modelTree(
  model: GraphModel,
  { under = null, depth }: { under?: NodeId | null | undefined; depth: number },
): { id: NodeId; depth: number; children: number; below: number }[] {
  const inside = (id: NodeId | null) =>
    model.nodes
      .filter(({ parentId }) => parentId === id)
      .map((node) => ({ ...node, folded: fold(node.title) }))
      .sort((a, b) => byText(a.folded, b.folded) || byText(a.id, b.id));
  const below = (id: NodeId): number => inside(id).reduce((sum, child) => sum + 1 + below(child.id), 0);
  const listed = (id: NodeId | null, level: number): ReturnType<typeof modelTree> =>
    inside(id).flatMap((node) => [
      { id: node.id, depth: level, children: inside(node.id).length, below: below(node.id) },
      ...(level < depth && node.type !== "database" ? listed(node.id, level + 1) : []),
    ]);
  return listed(under, 1);
}
