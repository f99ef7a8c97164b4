import type { Entry } from "../workspace/entry.ts";
import { isEmoji } from "../workspace/icon.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { dataSourceIdOf } from "../workspace/workspace.ts";
import type { JsonObject } from "./json.ts";

/** An icon as JSON: an emoji or a picture elsewhere. */
export function iconJson(icon: string | null): JsonObject | null {
  if (icon === null) return null;
  return isEmoji(icon) ? { type: "emoji", emoji: icon } : { type: "external", external: { url: icon } };
}

/** Where a page or database hangs (https://developers.notion.com/reference/parent-object). */
export function parentJson({ parent }: Entry): JsonObject {
  if (parent === null) return { type: "workspace", workspace: true };
  if (parent.kind === "page") return { type: "page_id", page_id: parent.id };
  return { type: "data_source_id", data_source_id: dataSourceIdOf(parent), database_id: parent.id };
}

/** When an entry was made and changed, and by whom: the workspace's first person, for files name nobody. */
export function historyJson(entry: Entry, workspace: Workspace): JsonObject {
  const author = { object: "user", id: workspace.people[0]?.id ?? workspace.id };
  return {
    created_time: new Date(entry.createdAt).toISOString(),
    last_edited_time: new Date(entry.editedAt).toISOString(),
    created_by: author,
    last_edited_by: author,
  };
}
