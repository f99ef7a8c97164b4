import type { Graph } from "@clew/graph";
import type { TextPassage } from "@clew/text";
import { oneLine } from "@clew/text/basics";
import type { Candidate } from "./candidates.ts";
import type { MatchedGroup, MatchedSection } from "./pages.ts";
import type { ContextPort, VisibleText } from "./port.ts";
import type { RankedPage } from "./scores.ts";

/** The reason why a page is part of a context. */
export type Reason = "asked" | "text" | "title" | "linked";

/** A page of a context, and which of its passages are shown. */
export interface ShownPage {
  readonly page: RankedPage;
  readonly why: Reason;
  /** Positions of passages on the page. */
  readonly shown: ReadonlySet<number>;
  /** The last passage that is shown, if there is room for its first code units alone. */
  readonly cut: { readonly position: number; readonly at: number } | null;
  /** Pages with nearly the same passages. */
  readonly alike: readonly Candidate[];
}

/** Stands where a part of the text is left out. */
const gap = "[…]";

/** Bounds of the lines around a page's text. */
const longestTitle = 100;
const nearestAncestors = 4;
const longestUrl = 200;
const longestCutHeading = 60;
const mostAlike = 5;

/** Writes pages as a context shows them. */
export class Layout {
  readonly #port: ContextPort;
  readonly #shown = new Map<TextPassage, VisibleText>();

  constructor(port: ContextPort) {
    this.#port = port;
  }

  /** Clew's own lines about a page, its passages within a fence, and the notes about them. */
  pageOf(shown: ShownPage): string {
    const text = this.#body(shown);
    const fence = fenceAround(text);
    return [this.#head(shown), fence, text, fence, ...this.#notes(shown)].join("\n");
  }

  /** The visible text of a passage on the page. */
  textOf(block: TextPassage): string {
    return this.#visible(block).text;
  }

  #head({ page: { candidate }, why }: ShownPage): string {
    const { source, node: index, via } = candidate;
    const graph = this.#port.graphs[source] as Graph;
    const node = graph.nodeAt(index);
    const place = this.#placeOf(graph, index);
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

  /** The shown passages below their headings, with a sign wherever something is left out between them. */
  #body(shownPage: ShownPage): string {
    const { page, shown, cut } = shownPage;
    const parts: string[] = [];
    let open: readonly TextPassage[] = [];
    /** Whether passages after the last one shown were left out. */
    let isGap = false;
    const add = (part: string) => {
      if (isGap) parts.push(gap);
      isGap = false;
      parts.push(part);
    };
    for (const section of page.sections) {
      const isShown = ({ introduction, items }: MatchedGroup) =>
        (introduction !== null && shown.has(introduction)) ||
        items.some((item) => item.some((position) => shown.has(position)));
      if (!section.groups.some(isShown)) {
        isGap ||= parts.length > 0 && section.groups.length > 0;
        continue;
      }
      const headings = section.headings.filter((heading) => !open.includes(heading));
      open = section.headings;
      if (headings.length > 0) add(cut === null ? this.#headings(headings) : this.#cutHeading(headings));
      for (const group of section.groups) {
        const { introduction } = group;
        isGap ||= !isShown(group) || (introduction !== null && !shown.has(introduction));
        if (isShown(group)) add(this.#groupOf(shownPage, group));
      }
    }
    const text = parts.join("\n\n");
    return cut === null && endsWithinSection(page, shown) ? `${text}\n\n${gap}` : text;
  }

  #headings(headings: readonly TextPassage[]): string {
    return headings.map((heading) => this.textOf(heading)).join("\n");
  }

  /** The nearest heading above a passage that is cut. Only its beginning is sure to have room. */
  #cutHeading(headings: readonly TextPassage[]): string {
    const text = this.#headings(headings.slice(-1));
    const first = firstOf(text, longestCutHeading);
    return first === text ? text : `${first} ${gap}`;
  }

  /** A list or table says how many of its items or rows are shown, if not all are. */
  #groupOf(page: ShownPage, group: MatchedGroup): string {
    const { introduction, items, kind } = group;
    const textsOf = (positions: readonly number[]) =>
      positions.filter((position) => page.shown.has(position)).map((at) => this.#textAt(page, at));
    const lines = introduction === null ? [] : textsOf([introduction]);
    let shownItems = 0;
    let isAfterGap = false;
    for (const item of items) {
      const texts = textsOf(item);
      if (texts.length > 0) shownItems += 1;
      // An item may go on with what the one before it says; a row does not.
      else if (kind === "list" && !isAfterGap) lines.push(gap);
      isAfterGap = texts.length === 0;
      lines.push(...texts);
    }
    const headers = kind === "table" && this.#blockAt(page, items[0]?.[0])?.row?.isHeader === true ? 1 : 0;
    const [count, all] = [shownItems - headers, items.length - headers];
    if (count > 0 && count < all) lines.push(`[${count} of ${all} ${kind === "table" ? "rows" : "items"}]`);
    return lines.join("\n");
  }

  #blockAt({ page }: ShownPage, position: number | undefined): TextPassage | undefined {
    return position === undefined ? undefined : page.passages[position]?.block;
  }

  /** The visible text of a passage that is shown, or the beginning of it. */
  #textAt(page: ShownPage, position: number): string {
    const block = this.#blockAt(page, position);
    const text = block === undefined ? "" : this.textOf(block);
    if (page.cut?.position !== position) return text;
    return `${text.slice(0, page.cut.at).replace(/[\ud800-\udbff]$/, "")} ${gap}`;
  }

  #notes({ page, shown, alike }: ShownPage): string[] {
    const hidden = [...shown].reduce((sum, position) => {
      const block = page.passages[position]?.block;
      return sum + (block === undefined ? 0 : this.#visible(block).hidden);
    }, 0);
    const names = alike.slice(0, mostAlike).map(({ source, node }) => {
      const graph = this.#port.graphs[source] as Graph;
      return [...this.#placeOf(graph, node), this.#titleAt(graph, node)].join(" › ");
    });
    const more = alike.length - names.length;
    return [
      ...(page.truncated ? [this.#port.truncatedNote] : []),
      ...(hidden === 0 ? [] : [this.#port.hiddenNote(hidden)]),
      ...(names.length === 0
        ? []
        : [`(Nearly the same in ${names.join("; ")}${more > 0 ? `; and ${more} more` : ""})`]),
    ];
  }

  /** A block with the sign of its kind: without tags of the provider, addresses of links and hidden characters. */
  #visible(block: TextPassage): VisibleText {
    const known = this.#shown.get(block);
    if (known !== undefined) return known;
    const visible = this.#port.visible(withMarker(block));
    this.#shown.set(block, visible);
    return visible;
  }

  #placeOf(graph: Graph, node: number): string[] {
    const place = graph.breadcrumb(graph.nodeAt(node).id).slice(-nearestAncestors);
    return place.map(({ title }) => this.#shortTitle(title));
  }

  #titleAt(graph: Graph, node: number): string {
    return this.#shortTitle(graph.nodeAt(node).title) || "Untitled";
  }

  /** The first characters of a title, on one line. */
  #shortTitle(title: string): string {
    return firstOf(oneLine(this.#port.visible(title).text), longestTitle);
  }
}

/** Whether the section of the last passage shown goes on after it, other than with rows or items of the same group. */
function endsWithinSection({ passages, sections }: RankedPage, shown: ReadonlySet<number>): boolean {
  const last = Math.max(...shown);
  const section = sections.find((each) => each === passages[last]?.section);
  const groups = section?.groups ?? [];
  const own = groups.findIndex((group) => positionsOf(group).includes(last));
  return own >= 0 && own < groups.length - 1;
}

const firstOf = (text: string, codePoints: number) => [...text].slice(0, codePoints).join("");

/** The positions of the passages of a group, ascending. */
export function positionsOf({ introduction, items }: MatchedGroup): number[] {
  return [...(introduction === null ? [] : [introduction]), ...items.flat()];
}

/** The headings above a section, as a reader sees them, outermost first. */
export const headingsOf = ({ headings }: MatchedSection): string[] => headings.map(({ text }) => text);

/** A line of tildes that is longer than any in the text, which therefore cannot close it. */
function fenceAround(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/~{3,}/g)].map(([run]) => run.length));
  return "~".repeat(longest + 1);
}

/** A row, with what makes the rows below it a table: its header is empty if it has none. */
function linesOfRow({ cells, isFirst, isHeader }: NonNullable<TextPassage["row"]>): string[] {
  const lineOf = (each: readonly string[]) => `| ${each.join(" | ")} |`;
  const line = lineOf(cells.map(inPipes));
  const separator = lineOf(cells.map(() => "---"));
  if (isHeader) return [line, separator];
  return isFirst ? [lineOf(cells.map(() => "")), separator, line] : [line];
}

const inPipes = (cell: string) => cell.replaceAll("\n", " ").replaceAll("|", "\\|");

function withMarker({ kind, source, depth, marker, text, row }: TextPassage): string {
  const indentation = "\t".repeat(depth);
  if (kind === "code") return `${indentation}${source.trim()}`;
  if (row !== undefined)
    return linesOfRow(row)
      .map((line) => indentation + line)
      .join("\n");
  return `${kind === "item" || kind === "paragraph" ? indentation : ""}${marker}${text.replaceAll("\n", `\n${indentation}`)}`;
}
