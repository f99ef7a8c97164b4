import type { FastifyInstance } from "fastify";
import { blockJson, entryBlockJson } from "../notion/block-json.ts";
import type { JsonObject } from "../notion/json.ts";
import type { View } from "../notion/view.ts";
import { ApiError, notFound } from "./api-error.ts";
import type { ApiParts } from "./api-parts.ts";
import { listJson, pageOf, readPaging } from "./paging.ts";
import { readId } from "./reading.ts";
import { visibleBlock } from "./visible-block.ts";

/** Blocks, a page and a database among them. */
export async function blockRoutes(app: FastifyInstance, { viewOf }: ApiParts): Promise<void> {
  app.get("/v1/blocks/:block_id", async (request) => {
    const view = viewOf(request);
    return findBlock(view, readId("block_id", request.params));
  });

  app.get("/v1/blocks/:block_id/children", async (request) => {
    const view = viewOf(request);
    const { page, blocks } = findChildren(view, readId("block_id", request.params));
    const part = pageOf(blocks, ({ id }) => id, readPaging("query", request.query));
    return listJson(
      "block",
      part.items.map((placed) => blockJson(page, placed, view)),
      part.next,
    );
  });
}

function findBlock(view: View, id: string): JsonObject {
  const entry = view.entry(id);
  if (entry !== null) return entryBlockJson(entry, view);
  const found = visibleBlock(view, id);
  if (found === null) throw notFound("block", id);
  return blockJson(found.page, found.placed, view);
}

function findChildren(view: View, id: string) {
  const entry = view.entry(id);
  if (entry !== null) return { page: entry, blocks: view.workspace.blocks(entry) };
  const found = visibleBlock(view, id);
  if (found === null) throw notFound("block", id);
  if (found.placed.block.type === "unsupported") {
    throw new ApiError("validation_error", "Block type unsupported is not supported via the API.");
  }
  return { page: found.page, blocks: found.placed.children };
}
