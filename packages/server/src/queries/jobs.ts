import { createHash } from "node:crypto";
import { folderMapOf, type Graph, type LinkMap, linkMapOf } from "@clew/graph";
import { outlineOf, type TextHeading } from "@clew/text";
import { fold } from "@clew/text/basics";
import type { BlockStore } from "@clew/text-index";
import type { ReadHandle } from "../store/port.ts";
import type { TextSnapshot } from "../texts/text-snapshots.ts";
import type { LastContext } from "./last-context.ts";

/*
 * A job is a function of services, sources and an input that runs in a query thread. Inputs and results are plain data.
 * query-worker.ts lists all jobs. Those for texts, contexts and rows have files of their own; the two small ones are here.
 */

/** The services of a query thread. */
export interface JobServices {
  readonly db: ReadHandle;
  /** Milliseconds on a clock that is never set. */
  readonly monotonic: () => number;
  readonly lastContext: LastContext;
  /**
   * Runs `work` on the stored text index as of one moment. Throws `ThreadError` `stale` if the sources' texts were
   * replaced.
   */
  withTexts<T>(sources: readonly Source[], work: (blocks: BlockStore) => Promise<T>): Promise<T>;
}

/** The graph and the texts of a connection. */
export interface Source {
  readonly connectionId: number;
  readonly graph: Graph;
  readonly texts: TextSnapshot;
}

/** Lays out one graph by folders (GRAPH-30), which takes a few seconds for a million pages. */
export async function folderMapJob(
  _services: JobServices,
  sources: readonly Source[],
  { version }: { readonly version: number },
): Promise<Uint8Array> {
  return folderMapOf(onlyGraph(sources).columns, version);
}

interface LinkMapInput {
  readonly version: number;
  /** The state of the map before. */
  readonly before: Uint8Array | null;
}

/** Lays out one graph by links (GRAPH-30), which takes about 15 s for a million pages. */
export async function linkMapJob(
  _services: JobServices,
  sources: readonly Source[],
  { version, before }: LinkMapInput,
): Promise<LinkMap & { readonly digest: string }> {
  const made = linkMapOf(onlyGraph(sources).columns, version, before);
  return { ...made, digest: createHash("sha256").update(made.map).digest("base64url") };
}

function onlyGraph([source]: readonly Source[]): Graph {
  if (source === undefined) throw new RangeError("a map is of one graph");
  return source.graph;
}

interface OutlineInput {
  readonly markdown: string;
  /** The heading to look for; null to look for none. */
  readonly heading: string | null;
}

/** The headings of a text (GRAPH-5). */
export interface Outline {
  readonly headings: readonly TextHeading[];
  /** Whether later headings were left out. */
  readonly truncated: boolean;
  /** The start of the heading that was looked for, in code points; null if there is none. */
  readonly start: number | null;
}

/** Code units of all headings together: they share a response with a part of the text. */
const maxUnits = 200_000;
/** Code units that each heading takes beside its text. */
const unitsOfHeading = 10;

/** Reads the headings of a text, and finds the first that equals another text when both are folded, as titles are. */
export function readOutline({ markdown, heading }: OutlineInput): Outline {
  const all = outlineOf(markdown);
  const wanted = heading === null ? null : fold(heading);
  const found = wanted === null ? undefined : all.find(({ text }) => fold(text) === wanted);
  let left = maxUnits;
  const tooLong = all.findIndex(({ text }) => {
    left -= text.length + unitsOfHeading;
    return left < 0;
  });
  const headings = tooLong < 0 ? all : all.slice(0, tooLong);
  return { headings, truncated: tooLong >= 0, start: found?.offset ?? null };
}

/** `readOutline` for long texts, which would delay other requests. */
export async function outlineJob(
  _services: JobServices,
  _sources: readonly Source[],
  input: OutlineInput,
): Promise<Outline> {
  return readOutline(input);
}
