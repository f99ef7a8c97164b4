import type { ParentRef } from "../port.ts";
import { idAt, textAt } from "./json.ts";

/**
 * Where a page, database, data source or block hangs. A type that is not known is `unknown`.
 * https://developers.notion.com/reference/parent-object
 */
export function parentOf(node: unknown, field = "parent"): ParentRef {
  const type = textAt(node, field, "type");
  if (type === "workspace") return { kind: "workspace" };
  const id = type === null ? null : idAt(node, field, type);
  if (id === null) return { kind: "unknown" };
  switch (type) {
    case "page_id":
      return { kind: "node", id, type: "page" };
    case "database_id":
      return { kind: "node", id, type: "database" };
    case "block_id":
      return { kind: "block", id };
    case "data_source_id":
      return { kind: "data-source", id, databaseId: idAt(node, field, "database_id") };
    default:
      return { kind: "unknown" };
  }
}
