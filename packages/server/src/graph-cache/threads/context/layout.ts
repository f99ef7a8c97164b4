import type { Context } from "@clew/contract";
import type { Graph } from "@clew/graph";
import type { TextPassage } from "@clew/text-index";
import { leftOut, type VisibleText, visibleText } from "../../../model/visible-text.ts";
import { presentLink } from "../../../present/values.ts";
import type { Source } from "../job.ts";
import type { Candidate } from "./candidates.ts";

/** Why a page is part of a context. */
export type Reason = Context["items"][number]["why"];

/** Bounds of the head of a page, which is shorter than the smallest context. */
const longestTitle = 100;
const nearestAncestors = 4;
const longestUrl = 200;

/** Title, place, URL and reason of a page. */
export function headOf(sources: readonly Source[], candidate: Candidate, why: Reason): string {
  const { graph } = sources[candidate.source] as Source;
  const node = graph.nodeAt(candidate.node);
  const place = graph
    .breadcrumb(node.id)
    .slice(-nearestAncestors)
    .map(({ title }) => oneLine(title));
  const link = presentLink(node.url);
  const url = link === null || link.length > longestUrl ? null : visibleText(link).text;
  const reasons = {
    asked: "the page that was asked about",
    text: "its text matches",
    title: "its title matches",
    linked: `linked with ${candidate.via === null ? "a page that matches" : titleAt(graph, candidate.via)}`,
  };
  return [
    `# ${titleAt(graph, candidate.node)}`,
    ...(place.length === 0 ? [] : [`Place: ${place.join(" › ")}`]),
    ...(url === null ? [] : [`URL: ${url}`]),
    `Why: ${reasons[why]}`,
  ].join("\n");
}

const titleAt = (graph: Graph, node: number) => oneLine(graph.nodeAt(node).title) || "Untitled";

/** The first characters of a title, on one line. */
const oneLine = (title: string) =>
  [...visibleText(title).text.replaceAll(/\s+/g, " ")].slice(0, longestTitle).join("");

/** The length of the longest note of hidden characters that were left out: texts are shorter than this. */
export const longestLeftOut = leftOut(99_999_999).length;

/** A passage as a reader sees it, with the sign of its kind: without tags of the provider, addresses of links and hidden characters. */
export function shownAs(passage: TextPassage): VisibleText {
  return visibleText(withMarker(passage));
}

function withMarker({ kind, source, marker, text }: TextPassage): string {
  if (kind === "code") return source.trim();
  return kind === "row" ? `| ${text} |` : `${marker}${text}`;
}
