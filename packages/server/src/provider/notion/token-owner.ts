import { createHash } from "node:crypto";
import { type Grant, ProviderError } from "../port.ts";
import { at, textAt } from "./json.ts";
import { lastingUrl } from "./lasting-url.ts";

/** Whose a token is, and which workspace it opens. */
export type TokenOwner = Pick<Grant, "botId" | "workspace" | "person">;

/**
 * Reads what Notion says of the token that asks (`GET /v1/users/me`): a bot, which belongs to the person who made a
 * personal access token, or to the workspace where the token is an internal connection's. Of the latter the bot itself is
 * the user (SIGN-12). Throws `ProviderError` `nonsense` where it does not say whose the token is.
 * https://developers.notion.com/reference/get-self
 */
export function tokenOwnerOf(answer: unknown): TokenOwner {
  const botId = required(answer, "id");
  const person = personOf(answer, botId);
  const workspaceId = textAt(answer, "bot", "workspace_id") || derivedWorkspaceId(person.id);
  const workspace = { id: workspaceId, name: textAt(answer, "bot", "workspace_name"), icon: null };
  return { botId, workspace, person };
}

function personOf(answer: unknown, botId: string): Grant["person"] {
  const owner = at(answer, "bot", "owner");
  if (textAt(owner, "type") === "workspace" || at(owner, "workspace") === true) {
    return { id: botId, name: textAt(answer, "name"), email: null, avatarUrl: null };
  }
  const user = textAt(answer, "type") === "person" ? answer : at(owner, "user");
  return {
    id: required(user, "id"),
    name: textAt(user, "name"),
    email: textAt(user, "person", "email"),
    avatarUrl: lastingUrl(textAt(user, "avatar_url")),
  };
}

/** Where Notion does not name the workspace: a UUID that follows from whose the token is, since a token opens one. */
function derivedWorkspaceId(personId: string): string {
  const bytes = createHash("sha256").update(`notion workspace of ${personId}`).digest();
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

function required(value: unknown, field: string): string {
  const found = textAt(value, field);
  if (found) return found;
  throw new ProviderError("nonsense", "Notion does not say whose the token is");
}
