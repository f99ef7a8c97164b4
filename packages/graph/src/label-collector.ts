import { type EdgeType, edgeTypes } from "@clew/contract";
import type { EdgeLabel, EdgeLabels } from "./edge-labels.ts";

/** Collects the distinct labels of edges. */
export interface LabelCollector {
  /** A number for the label, the same whenever it comes up. */
  numberOf(type: EdgeType, name: string | null): number;
  /** The labels in order, and by their numbers where each came to stand. */
  sorted(): { labels: EdgeLabels; ranks: Uint32Array };
}

export function collectLabels(): LabelCollector {
  const labels: (EdgeLabel & { readonly number: number })[] = [];
  const numbers = new Map(edgeTypes.map((type) => [type, new Map<string | null, number>()]));
  return {
    numberOf(type, name) {
      const ofType = numbers.get(type);
      const known = ofType?.get(name);
      if (known !== undefined) return known;
      const number = labels.length;
      ofType?.set(name, number);
      labels.push({ type, name, number });
      return number;
    },
    sorted() {
      const inOrder = labels.toSorted(compareLabels);
      const ranks = new Uint32Array(labels.length);
      inOrder.forEach(({ number }, rank) => {
        ranks[number] = rank;
      });
      return {
        labels: {
          labels: inOrder.map(({ type, name }) => ({ type, name })),
          types: Uint8Array.from(inOrder, ({ type }) => edgeTypes.indexOf(type)),
        },
        ranks,
      };
    },
  };
}

/** By type, then by name in the order of code units, no name first. */
function compareLabels(a: EdgeLabel, b: EdgeLabel): number {
  if (a.type !== b.type) return edgeTypes.indexOf(a.type) - edgeTypes.indexOf(b.type);
  if (a.name === null || b.name === null) return Number(b.name === null) - Number(a.name === null);
  return a.name < b.name ? -1 : Number(a.name > b.name);
}
