import type { Person } from "../workspace/people.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { JsonObject } from "./json.ts";

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
