import type { FastifyInstance } from "fastify";
import type { PlacedBlock } from "../document/placed-block.ts";
import { enhancedMarkdown } from "../notion/enhanced-markdown.ts";
import { pageJson } from "../notion/page-json.ts";
import type { View } from "../notion/view.ts";
import type { Entry } from "../workspace/entry.ts";
import { notFound } from "./api-error.ts";
import type { ApiParts } from "./api-parts.ts";
import { readId } from "./reading.ts";
import { visibleBlock } from "./visible-block.ts";

/** Pages, as objects and as Markdown. */
export async function pageRoutes(
  app: FastifyInstance,
  { viewOf, markdownBlockLimit }: ApiParts,
): Promise<void> {
  app.get("/v1/pages/:page_id", async (request) => {
    const view = viewOf(request);
    return pageJson(findPage(view, readId("page_id", request.params)), view);
  });

  app.get("/v1/pages/:page_id/markdown", async (request) => {
    const view = viewOf(request);
    const id = readId("page_id", request.params);
    const { page, blocks } = findText(view, id);
    const { markdown, leftOut } = enhancedMarkdown(page, blocks, view, markdownBlockLimit);
    return {
      object: "page_markdown",
      id,
      markdown,
      truncated: leftOut.length > 0,
      unknown_block_ids: leftOut,
    };
  });
}

/** The page of this id, where the grant sees it. */
export function findPage(view: View, id: string): Entry {
  const page = view.entry(id);
  if (page?.kind !== "page") throw notFound("page", id);
  return page;
}

/** A page's text, or the part of one that an earlier answer left out. */
function findText(view: View, id: string): { page: Entry; blocks: readonly PlacedBlock[] } {
  const page = view.entry(id);
  if (page?.kind === "page") return { page, blocks: view.workspace.blocks(page) };
  const part = visibleBlock(view, id);
  if (part === null) throw notFound("page", id);
  return { page: part.page, blocks: [part.placed] };
}
