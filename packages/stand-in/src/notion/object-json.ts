import { dataSourceIdOf, type Entry, isEmoji, type Person, type Workspace } from "@clew/folder";

/** A JSON value as the API answers it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** An icon: an emoji or an external image. */
export function iconJson(icon: string | null): JsonObject | null {
  if (icon === null) return null;
  return isEmoji(icon) ? { type: "emoji", emoji: icon } : { type: "external", external: { url: icon } };
}

/** The parent of a page or database (https://developers.notion.com/reference/parent-object). */
export function parentJson({ parent }: Entry): JsonObject {
  if (parent === null) return { type: "workspace", workspace: true };
  if (parent.kind === "page") return { type: "page_id", page_id: parent.id };
  return { type: "data_source_id", data_source_id: dataSourceIdOf(parent), database_id: parent.id };
}

/** The times and authors of an object. Files have no author, so it is always the workspace's first person. */
export function historyJson(entry: Entry, workspace: Workspace): JsonObject {
  const author = { object: "user", id: workspace.people[0]?.id ?? workspace.id };
  return {
    created_time: new Date(entry.createdAt).toISOString(),
    last_edited_time: new Date(entry.editedAt).toISOString(),
    created_by: author,
    last_edited_by: author,
  };
}

/** A person as a user object (https://developers.notion.com/reference/user). */
export function personJson({ id, name, email }: Person): JsonObject {
  return { object: "user", id, name, avatar_url: null, type: "person", person: { email } };
}

/** The bot that acts for a person who granted access. */
export function botJson(botId: string, name: string, owner: Person, workspace: Workspace): JsonObject {
  return {
    object: "user",
    id: botId,
    name,
    avatar_url: null,
    type: "bot",
    bot: {
      owner: { type: "user", user: personJson(owner) },
      workspace_id: workspace.id,
      workspace_name: workspace.name,
      workspace_limits: { max_file_upload_size_in_bytes: 0 },
    },
  };
}
