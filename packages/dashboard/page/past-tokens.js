/** @import { ServiceTokenList, Workspace } from "@clew/contract" */
import { call, explain } from "./api.js";
import { disclosure } from "./disclosure.js";
import { element } from "./element.js";
import { notice } from "./notice.js";
import { tokenList } from "./token-list.js";

/**
 * Revoked and expired tokens, loaded page by page when the section is opened.
 * @param {() => Workspace[]} workspaces the connected workspaces, whose names are shown
 */
export function pastTokens(workspaces) {
  return disclosure("Revoked and expired tokens", (body) => addPage(body, workspaces, null));
}

/**
 * Reads one page of the list and appends it.
 * @param {HTMLElement} body
 * @param {() => Workspace[]} workspaces
 * @param {string | null} cursor null for the first page
 */
async function addPage(body, workspaces, cursor) {
  const more = (/** @type {string | null} */ next) => {
    body.lastElementChild?.remove();
    addPage(body, workspaces, next);
  };
  const waiting = element("p", { class: "quiet" }, "Reading…");
  body.append(waiting);
  try {
    const query = `is_active=false&limit=20${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
    /** @type {ServiceTokenList} */
    const { items, next_cursor } = await call(`tokens/?${query}`);
    body.append(
      tokenList(items, workspaces(), () => {}),
      ending(next_cursor, more),
    );
  } catch (error) {
    body.append(notice(explain(error), { label: "Try again", run: () => more(cursor) }));
  }
  waiting.remove();
}

/**
 * The end of a page of the list: a button for the next page, or a note that there is none.
 * @param {string | null} cursor of the next page
 * @param {(cursor: string) => void} more
 */
function ending(cursor, more) {
  if (cursor !== null) return element("button", { onclick: () => more(cursor) }, "Show more");
  return element("p", { class: "quiet" }, "Tokens leave this list 90 days after their end.");
}
