import type { ParentRef } from "../port.ts";
import { optionalId, requiredId, requiredText } from "./json.ts";

/**
 * Where a page, database, data source or block hangs. Throws `UnreadableError` where that is not said in a way that can
 * be read; a type that is new is `unknown`.
 * https://developers.notion.com/reference/parent-object
 */
export function parentOf(node: unknown, field = "parent"): ParentRef {
  const type = requiredText(node, field, "type");
  switch (type) {
    case "workspace":
      return { kind: "workspace" };
    case "page_id":
      return { kind: "node", id: requiredId(node, field, type), type: "page" };
    case "database_id":
      return { kind: "node", id: requiredId(node, field, type), type: "database" };
    case "block_id":
      return { kind: "block", id: requiredId(node, field, type) };
    case "data_source_id":
      return {
        kind: "data-source",
        id: requiredId(node, field, type),
        databaseId: optionalId(node, field, "database_id"),
      };
    default:
      return { kind: "unknown", type };
  }
}
