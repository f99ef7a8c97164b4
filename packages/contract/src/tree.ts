import { type Static, Type } from "typebox";
import { Node } from "./node.ts";
import { nodeReference } from "./page-filters.ts";
import { closed, inWorkspace, listOf, named, paging, ref } from "./schema.ts";
import { graphLimits } from "./vocabulary.ts";

export const TreeQuery = closed({
  workspace_id: inWorkspace,
  under: Type.Optional(nodeReference("List what is in this page or database")),
  depth: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: graphLimits.tree.maxDepth,
      default: graphLimits.tree.standardDepth,
      description: "Levels to list",
    }),
  ),
  ...paging(graphLimits.tree),
});
export type TreeQuery = Static<typeof TreeQuery>;

/**
 * The tree of pages as one list, each page before what is in it, siblings by title (GRAPH-25). Rows of a database are counted,
 * and listed only under their database itself.
 */
export const Tree = named(
  "Tree",
  listOf(
    Type.Object({
      node: ref(Node),
      depth: Type.Integer({ description: "1 at the top of the list" }),
      children: Type.Integer({ description: "How many pages and databases are directly in it" }),
      below: Type.Integer({ description: "How many are in it altogether" }),
    }),
  ),
);
export type Tree = Static<typeof Tree>;
