import { buildGraph, id, page, reference } from "@clew/graph/testing";
import type { ContextPort } from "../port.ts";

/** Pages 0, 1, … with these texts, and links between them. Every page that has a word of the query is found, all equally. */
export function portOf(
  texts: readonly string[],
  links: readonly (readonly [from: number, to: number])[] = [],
) {
  const graph = buildGraph({
    nodes: texts.map((_, number) => page(number)),
    references: links.map(([from, to]) => reference(from, to)),
  });
  const port: ContextPort = {
    graphs: [graph],
    async search({ words }, limit) {
      const terms = words.flatMap((word) => word.terms);
      const found = texts.flatMap((text, number) =>
        terms.some((term) => text.includes(term))
          ? { source: 0, node: graph.indexOf(id(number)), relevance: 1 }
          : [],
      );
      return { found: found.slice(0, limit), weights: words.map(() => 1), ignored: [], truncated: false };
    },
    async readPage({ node }) {
      const { title, id: own } = graph.nodeAt(node);
      const markdown = texts.find((_, number) => id(number) === own);
      return markdown === undefined ? null : { title, aliases: [], markdown, truncated: false };
    },
    shownUrl: (url) => url,
    visible: (text) => ({
      text: text.replaceAll("\u200b", ""),
      hidden: text.split("\u200b").length - 1,
    }),
    hiddenNote: (characters) => `(${characters} left out)`,
    truncatedNote: "(not whole)",
  };
  return { port, pageAt: (node: number) => Number(graph.nodeAt(node).title.slice("Page ".length)) };
}
