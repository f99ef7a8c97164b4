import type { Edge, Neighbors, Node } from "@clew/client";
import type { LinkKind } from "../../../api/link-kinds.ts";
import { isTitleOf } from "../marked-pieces.ts";

type Neighbour = Neighbors["items"][number];
type Excerpt = NonNullable<Edge["excerpts"]>[number];

/** Linked pages whose links are in the same sentence, with the sentences around them. */
export interface LinkGroup {
  readonly nodes: readonly Node[];
  /** Their links, if no sentence says more about them. */
  readonly relations: readonly Edge[];
  readonly sentences: readonly Excerpt[];
}

/**
 * Groups linked pages by the sentence in which their first links are: each sentence is listed once, with the marks of all
 * links in it. Pages without a sentence, or with one that is only a title, stand for themselves.
 */
export function groupBySentence(neighbours: readonly Neighbour[], kind: LinkKind): readonly LinkGroup[] {
  const groups = new Map<string, { nodes: Node[]; relations: Edge[] }>();
  const sentences = new Map<string, Map<string, Excerpt>>();
  const groupOf = new Map<string, string>();
  for (const { node, edges } of neighbours) {
    const links = edges.filter(({ type }) => type === kind);
    const found = links.flatMap(({ from, excerpts = [] }) =>
      excerpts
        .filter(({ text }) => !isTitleOf(node, text))
        .map((excerpt) => ({ place: `${from} ${excerpt.offset}`, excerpt })),
    );
    const [first] = found;
    const key = (first && groupOf.get(first.place)) ?? first?.place ?? node.id;
    const group = groups.get(key) ?? { nodes: [], relations: [] };
    groups.set(key, group);
    group.nodes.push(node);
    group.relations.push(...links.filter(({ type, name }) => type === "relation" && name !== null));
    for (const { place, excerpt } of found) {
      const owner = groupOf.get(place) ?? key;
      groupOf.set(place, owner);
      const listed = sentences.get(owner) ?? new Map<string, Excerpt>();
      sentences.set(owner, listed);
      listed.set(place, withMarks(excerpt, listed.get(place)?.marks ?? []));
    }
  }
  return [...groups].map(([key, group]) => ({
    ...group,
    sentences: [...(sentences.get(key)?.values() ?? [])],
  }));
}

/** An excerpt with further marks, in their order. */
function withMarks(excerpt: Excerpt, marks: Excerpt["marks"]): Excerpt {
  return { ...excerpt, marks: [...excerpt.marks, ...marks].toSorted(([a = 0], [b = 0]) => a - b) };
}
