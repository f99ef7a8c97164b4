import type { NodeId } from "../node.ts";
import type { GraphInput, NamedNode } from "./graph-input.ts";
import { id, page, reference } from "./samples.ts";

/** Numbers from 0 to 1 (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A workspace of groups of very different sizes: most links of a page are within its group, and the first page of each group is a
 * hub of all pages. The tree says nothing about groups: page 0 has the folders 1 to 9, in which all others lie at random.
 */
export function linkedGroups(seed: number, groups: number, size: number): GraphInput {
  const random = randomNumbers(seed);
  const any = (from: number, to: number) => from + Math.floor(random() * (to - from));
  const folders = 10;
  // Group g has the pages from `starts[g]` on: twice as many in each second one.
  const weights = Array.from({ length: groups }, (_, group) => 1 + (group % 4));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const starts = [folders];
  for (const weight of weights)
    starts.push((starts.at(-1) ?? 0) + Math.floor(((size - folders) * weight) / whole));
  const nodes: NamedNode[] = [];
  const references: GraphInput["references"][number][] = [];
  for (let n = 0; n < (starts.at(-1) ?? size); n += 1) {
    const parent = n === 0 ? null : id(n < folders ? 0 : any(1, folders));
    nodes.push(page(n, { parentId: parent, createdAt: n, updatedAt: any(0, 1e9) }));
  }
  const linksOf = (n: number, from: number, to: number) =>
    [
      ...[0, 1, 2].map(() => any(from, to)),
      ...(random() < 0.2 ? [any(folders, size)] : []),
      ...(random() < 0.05 ? [starts[any(0, groups)] ?? from] : []),
    ].map((to) => reference(n, to));
  for (const [group, from] of starts.slice(0, -1).entries()) {
    const to = starts[group + 1] ?? size;
    for (let n = from; n < to; n += 1) references.push(...linksOf(n, from, to));
  }
  return { nodes, references };
}

/** The same workspace after a share of its pages was removed, a share was added, and a share has other links. */
export function changed(input: GraphInput, share: number, seed: number): GraphInput {
  const random = randomNumbers(seed);
  const { length } = input.nodes;
  const times = Math.ceil((length * share) / 3);
  const any = (): NamedNode => input.nodes[Math.floor(random() * length)] as NamedNode;
  const isParent = new Set(input.nodes.map(({ parentId }) => parentId));
  const gone = new Set<NodeId>();
  const nodes = [...input.nodes];
  const references = [...input.references];
  for (let time = 0; time < times; time += 1) {
    const removed = any();
    if (!isParent.has(removed.id)) gone.add(removed.id);
    const like = any();
    const added = newId(seed, time);
    nodes.push({ ...like, id: added, title: `New ${time}`, createdAt: 2e9 });
    references.push({ from: added, reference: { type: "link", targetId: like.id, name: null, count: 1 } });
    references.push({
      from: any().id,
      reference: { type: "link", targetId: any().id, name: null, count: 1 },
    });
    references.splice(Math.floor(random() * references.length), 1);
  }
  return { nodes: nodes.filter((node) => !gone.has(node.id)), references };
}

/** An id that no page of the workspace has. */
const newId = (seed: number, time: number): NodeId =>
  `f0000000-0000-4000-8000-${(seed * 100_000 + time).toString(16).padStart(12, "0")}`;
