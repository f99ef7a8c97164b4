import type { Graph } from "@clew/graph";
import type { TextPassage } from "@clew/text";
import { oneLine } from "@clew/text/basics";
import type { Candidate } from "./candidates.ts";
import type { ContextPort, VisibleText } from "./port.ts";

/** The reason why a page is part of a context. */
export type Reason = "asked" | "text" | "title" | "linked";

/** Headings and passages of a page as they are shown, in the order of its text. */
export interface ShownPassage extends Pick<TextPassage, "offset" | "chars"> {
  readonly shown: string;
  /** Hidden characters that were left out. */
  readonly hidden: number;
}

/** Bounds of the head of a page, which is shorter than the smallest context. */
const longestTitle = 100;
const nearestAncestors = 4;
const longestUrl = 200;

/** Texts have fewer hidden characters than this: it makes the longest note. */
const mostHidden = 99_999_999;

/** Writes pages and passages as a context shows them. */
export class Layout {
  /** The length of the longest note about hidden characters. */
  readonly longestNote: number;
  readonly #port: ContextPort;

  constructor(port: ContextPort) {
    this.#port = port;
    this.longestNote = port.hiddenNote(mostHidden).length;
  }

  /** Title, place, URL and reason of a page. */
  headOf({ source, node: index, via }: Candidate, why: Reason): string {
    const graph = this.#port.graphs[source] as Graph;
    const node = graph.nodeAt(index);
    const place = graph
      .breadcrumb(node.id)
      .slice(-nearestAncestors)
      .map(({ title }) => this.#shortTitle(title));
    const link = this.#port.shownUrl(node.url);
    const url = link === null || link.length > longestUrl ? null : this.#port.visible(link).text;
    const reasons = {
      asked: "the page that was asked about",
      text: "its text matches",
      title: "its title matches",
      linked: `linked with ${via === null ? "a page that matches" : this.#titleAt(graph, via)}`,
    };
    return [
      `# ${this.#titleAt(graph, index)}`,
      ...(place.length === 0 ? [] : [`Place: ${place.join(" › ")}`]),
      ...(url === null ? [] : [`URL: ${url}`]),
      `Why: ${reasons[why]}`,
    ].join("\n");
  }

  /** A passage as a reader sees it, with the sign of its kind: without tags of the provider, addresses of links and hidden characters. */
  shown(passage: TextPassage): ShownPassage {
    const { text, removed }: VisibleText = this.#port.visible(withMarker(passage));
    return { offset: passage.offset, chars: passage.chars, shown: text, hidden: removed.length };
  }

  /** The part of a context that is about one page. */
  pageOf(head: string, passages: readonly ShownPassage[]): string {
    const hidden = hiddenIn(passages);
    const note = hidden === 0 ? [] : [this.#port.hiddenNote(hidden)];
    return [head, ...passages.map(({ shown }) => shown), ...note].join("\n\n");
  }

  #titleAt(graph: Graph, node: number): string {
    return this.#shortTitle(graph.nodeAt(node).title) || "Untitled";
  }

  /** The first characters of a title, on one line. */
  #shortTitle(title: string): string {
    return [...oneLine(this.#port.visible(title).text)].slice(0, longestTitle).join("");
  }
}

/** The number of hidden characters that were left out of passages. */
export const hiddenIn = (passages: readonly ShownPassage[]): number =>
  passages.reduce((sum, { hidden }) => sum + hidden, 0);

function withMarker({ kind, source, marker, text }: TextPassage): string {
  if (kind === "code") return source.trim();
  return kind === "row" ? `| ${text} |` : `${marker}${text}`;
}
