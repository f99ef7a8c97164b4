/** @import { ServiceTokenList, Workspace } from "@clew/contract" */
import { call, explain } from "./api.js";
import { element } from "./element.js";
import { notice } from "./notice.js";
import { tokenList } from "./token-list.js";

/**
 * Tokens that are revoked or expired: read, page by page, when somebody wants to see them.
 * @param {Workspace[]} workspaces
 */
export function pastTokens(workspaces) {
  const body = element("div");
  /** @param {string | null} cursor of the next page, null for the first */
  const more = async (cursor) => {
    body.lastElementChild?.remove();
    body.append(element("p", { class: "quiet" }, "Reading…"));
    const outcome = await page(cursor);
    body.lastElementChild?.remove();
    body.append(...outcome);
  };
  /** @param {string | null} cursor */
  const page = async (cursor) => {
    try {
      const query = `is_active=false&limit=20${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
      /** @type {ServiceTokenList} */
      const { items, next_cursor } = await call(`tokens/?${query}`);
      const list = tokenList(items, workspaces, () => {});
      if (next_cursor !== null)
        return [list, element("button", { onclick: () => more(next_cursor) }, "Show more")];
      return [list, element("p", { class: "quiet" }, "Tokens leave this list 90 days after their end.")];
    } catch (error) {
      return [notice(explain(error), { label: "Try again", run: () => more(cursor) })];
    }
  };
  const details = element("details", {}, element("summary", {}, "Revoked and expired tokens"), body);
  details.addEventListener("toggle", () => more(null), { once: true });
  return details;
}
