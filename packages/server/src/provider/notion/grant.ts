import { type Grant, ProviderError, type RenewedGrant } from "../port.ts";
import { iconOfText } from "./icon.ts";
import { at, textAt } from "./json.ts";
import { lastingUrl } from "./lasting-url.ts";

/**
 * Reads the answer to a code: the grant and whose it is. Name, address and picture of the person are null where
 * the provider does not disclose them. Throws `ProviderError` `unsupported_owner` where the grant is a
 * workspace's instead of a person's, and `nonsense` where something is missing.
 * https://developers.notion.com/reference/create-a-token
 */
export function grantOf(answer: unknown): Grant {
  const owner = at(answer, "owner");
  if (textAt(owner, "type") === "workspace" || at(owner, "workspace") === true)
    throw new ProviderError("unsupported_owner", "The grant belongs to a workspace instead of a person");
  const user = at(owner, "user");
  return {
    accessToken: required(answer, "access_token"),
    refreshToken: textAt(answer, "refresh_token") || null,
    botId: required(answer, "bot_id"),
    workspace: {
      id: required(answer, "workspace_id"),
      name: textAt(answer, "workspace_name"),
      icon: iconOfText(textAt(answer, "workspace_icon")),
    },
    person: {
      id: required(user, "id"),
      name: textAt(user, "name"),
      email: textAt(user, "person", "email"),
      avatarUrl: lastingUrl(textAt(user, "avatar_url")),
    },
  };
}

/**
 * Reads the answer to a refresh token. Where it holds no new one, that of before goes on serving (RFC 6749, section 6).
 * Throws `ProviderError` `nonsense` where there is no access token.
 * https://developers.notion.com/reference/refresh-a-token
 */
export function renewedGrantOf(answer: unknown, refreshToken: string): RenewedGrant {
  return {
    accessToken: required(answer, "access_token"),
    refreshToken: textAt(answer, "refresh_token") || refreshToken,
  };
}

function required(value: unknown, field: string): string {
  const found = textAt(value, field);
  if (found) return found;
  throw new ProviderError("nonsense", `The grant has no ${field}`);
}
