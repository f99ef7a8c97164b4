import { createHash } from "node:crypto";
import { type Grant, ProviderError, type RenewedGrant } from "@clew/provider";
import { uuidOf } from "@clew/text/basics";
import { iconOfText } from "./icon.ts";
import { at, textAt } from "./json.ts";
import { permanentUrl } from "./urls.ts";

/*
 * Reads answers of Notion about a grant and its owner. A field that is missing throws `ProviderError` `malformed`; name, email
 * and picture of a person are null if Notion does not disclose them.
 */

/**
 * Reads the answer to an authorization code. Throws `unsupported_owner` if the grant belongs to a workspace instead of a
 * person. https://developers.notion.com/reference/create-a-token
 */
export function grantOf(answer: unknown): Grant {
  const owner = at(answer, "owner");
  if (isWorkspace(owner))
    throw new ProviderError("unsupported_owner", "The grant belongs to a workspace instead of a person");
  return {
    id: required(answer, "bot_id"),
    accessToken: required(answer, "access_token"),
    refreshToken: textAt(answer, "refresh_token") || null,
    workspace: {
      id: required(answer, "workspace_id"),
      name: textAt(answer, "workspace_name"),
      icon: iconOfText(textAt(answer, "workspace_icon")),
    },
    person: personOf(at(owner, "user")),
  };
}

/**
 * Reads the answer to a refresh token. Without a new refresh token the old one stays valid (RFC 6749, section 6).
 * https://developers.notion.com/reference/refresh-a-token
 */
export function renewedGrantOf(answer: unknown, refreshToken: string): RenewedGrant {
  return {
    accessToken: required(answer, "access_token"),
    refreshToken: textAt(answer, "refresh_token") || refreshToken,
  };
}

/** The owner of a token, and the workspace that it gives access to. */
export type TokenOwner = Pick<Grant, "id" | "workspace" | "person">;

/**
 * Reads `GET /v1/users/me`: a bot, which belongs to the person who created a personal access token, or to the workspace
 * of an internal connection. In the latter case the bot itself is the user (SIGN-12).
 * https://developers.notion.com/reference/get-self
 */
export function tokenOwnerOf(answer: unknown): TokenOwner {
  const botId = required(answer, "id");
  const owner = at(answer, "bot", "owner");
  const person = isWorkspace(owner)
    ? { id: botId, name: textAt(answer, "name"), email: null, avatarUrl: null }
    : personOf(textAt(answer, "type") === "person" ? answer : at(owner, "user"));
  const workspaceId = textAt(answer, "bot", "workspace_id") || derivedWorkspaceId(person.id);
  const workspace = { id: workspaceId, name: textAt(answer, "bot", "workspace_name"), icon: null };
  return { id: botId, workspace, person };
}

function isWorkspace(owner: unknown): boolean {
  return textAt(owner, "type") === "workspace" || at(owner, "workspace") === true;
}

function personOf(user: unknown): Grant["person"] {
  return {
    id: required(user, "id"),
    name: textAt(user, "name"),
    email: textAt(user, "person", "email"),
    avatarUrl: permanentUrl(textAt(user, "avatar_url")),
  };
}

/** If Notion does not name the workspace: a UUID derived from the owner, since a token opens one workspace. */
function derivedWorkspaceId(personId: string): string {
  const bytes = createHash("sha256").update(`notion workspace of ${personId}`).digest();
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return uuidOf(bytes.toString("hex", 0, 16));
}

function required(value: unknown, field: string): string {
  const found = textAt(value, field);
  if (found) return found;
  throw new ProviderError("malformed", `failed to read the grant from Notion's answer: it has no ${field}`);
}
