import { setImmediate } from "node:timers/promises";
import { type Edge, graphLimits } from "@clew/contract";
import type { GraphEdge, NodeId } from "@clew/graph";
import { excerptsAt, type TextExcerpt } from "@clew/text";
import { countCodePoints, unitAfter } from "@clew/text/basics";
import type { ReadableGraph } from "../graphs/readable.ts";
import type { Database } from "../store/port.ts";
import { textOfLinks } from "../store/queries/reference-offsets.ts";

type Excerpts = NonNullable<Edge["excerpts"]>;

/** Code units of texts that one request reads. Links in further texts have no excerpts. */
const maxReadUnits = 32 * 1024 * 1024;

/** Longer texts are read around each link alone: the work grows with what is read. */
const maxWholeUnits = 32 * 1024;

/** Code units of a line on each side of a link. An excerpt is much shorter. */
const maxLineUnits = 2000;

/** The excerpts of edges: of mentions and links where they stand, of all others none (GRAPH-24). */
export async function excerptsOf(
  database: Pick<Database, "snapshot">,
  { connection }: ReadableGraph,
  edges: readonly GraphEdge[],
): Promise<(edge: GraphEdge) => Excerpts> {
  const inTexts = edges.filter(({ type }) => type === "link" || type === "mention");
  const found = new Map<string, Excerpts>();
  const { maximum } = graphLimits.excerpts;
  let left = maxReadUnits;
  for (const [from, links] of Map.groupBy(inTexts, (edge) => edge.from)) {
    if (left <= 0) break;
    const targets = [...new Set(links.map(({ to }) => to))];
    const text = await database.snapshot((db) => textOfLinks(db, connection.id, from, targets));
    if (text === null) continue;
    left -= text.markdown.length;
    for (const { type, targetId, offsets } of text.links) {
      const key = keyOf({ from, type, to: targetId });
      found.set(key, [...(found.get(key) ?? []), ...excerptsIn(text.markdown, offsets)].slice(0, maximum));
    }
    // Between texts other requests have their turn.
    await setImmediate();
  }
  return (edge) => found.get(keyOf(edge)) ?? [];
}

function keyOf({ from, type, to }: { from: NodeId; type: string; to: NodeId }): string {
  return `${from} ${type} ${to}`;
}

/** The distinct excerpts around places in a text. Places in the same sentence are marks in one. */
function excerptsIn(markdown: string, offsets: readonly number[]): Excerpts {
  const excerpts =
    markdown.length <= maxWholeUnits
      ? excerptsAt(markdown, offsets)
      : offsets.map((offset) => excerptInLine(markdown, offset));
  const distinct = new Map<number, Excerpts[number]>();
  for (const { offset, text, mark } of excerpts.filter((one) => one !== null)) {
    const { marks } = distinct.get(offset) ?? { marks: [] };
    const isMarked = mark !== null && marks.length < graphLimits.excerpts.marks;
    distinct.set(offset, { offset, text, marks: isMarked ? [...marks, [...mark]] : marks });
  }
  return [...distinct.values()];
}

function excerptInLine(markdown: string, offset: number): TextExcerpt | null {
  const at = unitAfter(markdown, offset);
  const lineStart = markdown.lastIndexOf("\n", at - 1) + 1;
  const lineEnd = markdown.indexOf("\n", at);
  const start = Math.max(lineStart, at - maxLineUnits);
  const end = Math.min(lineEnd < 0 ? markdown.length : lineEnd, at + maxLineUnits);
  const before = countCodePoints(markdown.slice(start, at).toWellFormed());
  const [excerpt] = excerptsAt(markdown.slice(start, end).toWellFormed(), [before]);
  return excerpt ? { ...excerpt, offset: offset - before + excerpt.offset } : null;
}
