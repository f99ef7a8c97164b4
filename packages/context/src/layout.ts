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
  /** Null unless a single passage is shown that is too long: the code units of it that are shown. */
  readonly cutAt: number | null;
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
    const text = shown.cutAt === null ? this.#body(shown) : this.#cutBody(shown, shown.cutAt);
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
  #body({ page, shown }: ShownPage): string {
    const parts: string[] = [];
    let open: readonly TextPassage[] = [];
    /** Whether passages after the last one shown were left out. */
    let isGap = false;
    const add = (part: string) => {
      if (isGap && parts.length > 0) parts.push(gap);
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
      if (headings.length > 0) add(headings.map((heading) => this.textOf(heading)).join("\n"));
      for (const group of section.groups) {
        if (isShown(group)) add(this.#groupOf(page, group, shown));
        else isGap = true;
      }
    }
    const text = parts.join("\n\n");
    return endsWithinSection(page, shown) ? `${text}\n\n${gap}` : text;
  }

  /** The beginning of a passage, below its nearest heading, of which only the beginning is sure to have room. */
  #cutBody({ page, shown }: ShownPage, cutAt: number): string {
    const [position = 0] = shown;
    const passage = page.passages[position];
    if (passage === undefined) return gap;
    const heading = passage.section.headings.at(-1);
    const text = this.textOf(passage.block).slice(0, Math.max(0, cutAt));
    return [
      ...(heading === undefined ? [] : [firstOf(this.textOf(heading), longestCutHeading), ""]),
      `${text.replace(/[\ud800-\udbff]$/, "")} ${gap}`,
    ].join("\n");
  }

  /** A list or table says how many of its items or rows are shown, if not all are. */
  #groupOf({ passages }: RankedPage, group: MatchedGroup, shown: ReadonlySet<number>): string {
    const textAt = (position: number) => {
      const block = passages[position]?.block;
      return block === undefined ? "" : this.textOf(block);
    };
    const { introduction, kind } = group;
    const isShown = (item: readonly number[]) => item.some((position) => shown.has(position));
    const lines = group.items.flatMap((item, index) => {
      const before = group.items[index - 1];
      // An item may go on with what the one before it says; a row does not.
      if (!isShown(item)) return kind === "list" && before !== undefined && isShown(before) ? [gap] : [];
      return [item.map(textAt).join("\n")];
    });
    const [count, all] = [group.items.filter(isShown).length, group.items.length];
    if (kind === "table") {
      const header = passages[group.items[0]?.[0] ?? 0]?.block.row;
      lines.splice(1, 0, `|${" --- |".repeat(Math.max(1, header?.cells.length ?? 1))}`);
      // A table without a header begins with its first row.
      const headers = header?.isHeader === false ? 0 : 1;
      if (count < all) lines.push(`[${count - headers} of ${all - headers} rows]`);
    } else if (count < all) lines.push(`[${count} of ${all} items]`);
    if (introduction !== null && shown.has(introduction)) lines.unshift(textAt(introduction));
    return lines.join("\n");
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

const inPipes = (cell: string) => cell.replaceAll("\n", " ").replaceAll("|", "\\|");

function withMarker({ kind, source, depth, marker, text, row }: TextPassage): string {
  const indentation = "\t".repeat(depth);
  if (kind === "code") return `${indentation}${source.trim()}`;
  if (row !== undefined) return `| ${row.cells.map(inPipes).join(" | ")} |`;
  return `${kind === "item" || kind === "paragraph" ? indentation : ""}${marker}${text.replaceAll("\n", `\n${indentation}`)}`;
}
