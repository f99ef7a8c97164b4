/** @import { ServiceToken, Workspace } from "@clew/contract" */
import { element } from "./element.js";
import { timeElement } from "./time.js";

/**
 * A list of service tokens.
 * @param {ServiceToken[]} tokens
 * @param {Workspace[]} workspaces the connected workspaces, whose names are shown
 * @param {(token: ServiceToken) => void} revoke
 */
export function tokenList(tokens, workspaces, revoke) {
  const names = new Map(workspaces.map(({ id, name }) => [id, name ?? id]));
  return element("ul", { class: "tokens" }, ...tokens.map((token) => item(token, names, revoke)));
}

const statusWords = { active: "● Active", expired: "◌ Expired", revoked: "✕ Revoked" };

/**
 * @param {ServiceToken} token
 * @param {Map<string, string>} names
 * @param {(token: ServiceToken) => void} revoke
 */
function item(token, names, revoke) {
  const { name, prefix, status, scopes, workspace_ids, is_active } = token;
  const opens = workspace_ids.map((id) => names.get(id) ?? "a workspace that is not connected");
  return element(
    "li",
    { class: `card ${status}` },
    element("h3", {}, name),
    element("p", {}, `${statusWords[status]} `, element("code", {}, `${prefix}…`)),
    element("p", {}, `Opens ${opens.join(", ")}`),
    element("p", { class: "scopes" }, ...scopes.map((scope) => element("code", {}, scope))),
    element("p", { class: "quiet" }, ...history(token)),
    is_active
      ? element(
          "button",
          { class: "danger", "aria-label": `Revoke ${name}`, onclick: () => revoke(token) },
          "Revoke",
        )
      : null,
  );
}

/**
 * @param {ServiceToken} token
 * @returns {(string | Node)[]}
 */
function history({ status, created_at, last_used_at, expires_at, revoked_at }) {
  const ends = () => {
    // In the future while a rotated token is still in its overlap.
    if (revoked_at !== null) return [status === "revoked" ? "revoked " : "stops ", timeElement(revoked_at)];
    if (expires_at === null) return ["never expires"];
    return [status === "expired" ? "expired " : "expires ", timeElement(expires_at)];
  };
  return [
    "Made ",
    timeElement(created_at),
    ...(last_used_at === null ? [", never used, "] : [", last used ", timeElement(last_used_at), ", "]),
    ...ends(),
  ];
}
