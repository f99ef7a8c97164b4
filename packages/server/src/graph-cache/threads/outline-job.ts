import { fold } from "@clew/graph";
import { outlineOf, type TextHeading } from "@clew/text-index";
import type { JobServices, Source } from "./job.ts";

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
  /** Where the heading that was looked for starts, in code points; null if there is none. */
  readonly start: number | null;
}

/** Code units of all headings together: they share a response with a part of the text. */
const maxUnits = 200_000;
/** What a heading takes beside its text. */
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
