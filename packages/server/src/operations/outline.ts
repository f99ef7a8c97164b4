import { ApiError } from "../model/api-error.ts";
import type { Text } from "../present/graph.ts";
import { type Outline, readOutline } from "../queries/jobs.ts";
import type { RequestContext } from "./request-context.ts";

/** Longer texts are read in a thread. */
const maxUnitsAtOnce = 32 * 1024;

/** The start of a part of a text: an offset in code points, 0 by default, or a heading. */
interface PartStart {
  readonly offset?: number | undefined;
  readonly heading?: string | undefined;
}

/**
 * Finds the start of a part of a text, and the text's headings if they are wanted (GRAPH-5). Throws `ApiError`:
 * `invalid_request` for two starts, `not_found` for a heading that the text does not have, and `unavailable` if too many
 * searches wait.
 */
export async function locatePart(
  ctx: RequestContext,
  text: Pick<Text, "nodeId" | "markdown">,
  { offset = 0, heading }: PartStart,
  wantsOutline: boolean,
): Promise<{ readonly offset: number; readonly outline: Outline | null }> {
  if (heading === undefined)
    return { offset, outline: wantsOutline ? await outlineOf(ctx, text.markdown, null) : null };
  if (offset > 0) throw twoStarts();
  const outline = await outlineOf(ctx, text.markdown, heading);
  if (outline.start === null) throw headingNotFound(text.nodeId, outline);
  return { offset: outline.start, outline: wantsOutline ? outline : null };
}

async function outlineOf(
  { services: { queryThreads }, caller, signal }: RequestContext,
  markdown: string,
  heading: string | null,
): Promise<Outline> {
  const input = { markdown, heading };
  if (markdown.length <= maxUnitsAtOnce) return readOutline(input);
  return queryThreads.run("outline", input, { caller: caller.userId, sources: [], signal });
}

function twoStarts(): ApiError {
  return new ApiError("invalid_request", "A part of a text starts at a heading or at an offset.", {
    errors: [{ path: "?heading", message: "cannot be used together with an offset" }],
  });
}

const namedHeadings = 20;
const maxNameUnits = 60;

function headingNotFound(nodeId: string, { headings }: Outline): ApiError {
  const names = headings
    .slice(0, namedHeadings)
    .map(({ text }) => `“${text.slice(0, maxNameUnits).toWellFormed()}”`);
  const more = headings.length > namedHeadings ? " and more" : "";
  const known = names.length === 0 ? "It has no headings." : `Its headings: ${names.join(", ")}${more}.`;
  return new ApiError("not_found", `The text of the node ${nodeId} has no such heading. ${known}`);
}
