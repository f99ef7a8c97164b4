/** @import { CreatedToken, ServiceToken, ServiceTokenList, Workspace } from "@clew/contract" */
import { call, explain } from "./api.js";
import { announce, element } from "./element.js";
import { notice } from "./notice.js";
import { pastTokens } from "./past-tokens.js";
import { confirmRevocation } from "./revoke-dialog.js";
import { tokenForm } from "./token-form.js";
import { tokenList } from "./token-list.js";
import { tokenReveal } from "./token-reveal.js";

/** @type {typeof import("@clew/contract").tokenLimits.usablePerUser} */
const usableTokens = 10;

/**
 * Creates, lists and revokes service tokens.
 * @param {AbortSignal} signal aborted when the view is removed
 * @returns {{ view: HTMLElement, offer: (workspaces: Workspace[]) => void }} `offer` sets the workspaces that tokens can open
 */
export function tokensView(signal) {
  const heading = element("h2", { id: "tokens", tabindex: "-1" }, "Service tokens");
  const used = element("span", { class: "quiet" });
  const make = element(
    "button",
    { class: "primary", disabled: true, onclick: () => openForm() },
    "Create a token",
  );
  const maker = element("div");
  const trouble = element("div");
  const list = element("div", {}, element("p", { class: "quiet" }, "Reading…"));
  const past = pastTokens(() => workspaces);
  /** @type {Workspace[]} */
  let workspaces = [];
  /** @type {ServiceToken[] | null} the usable tokens; null until they are loaded */
  let tokens = null;

  const settle = () => {
    const room = tokens !== null && tokens.length < usableTokens;
    make.disabled = !room || workspaces.length === 0;
    make.hidden = maker.childElementCount > 0;
  };
  /** @param {...Node} parts */
  const fillMaker = (...parts) => {
    maker.replaceChildren(...parts);
    settle();
  };
  const closeMaker = () => {
    fillMaker();
    (make.disabled ? heading : make).focus();
  };
  const openForm = () => {
    fillMaker(tokenForm(workspaces, reveal, closeMaker));
    maker.querySelector("input")?.focus();
  };
  /** @param {CreatedToken} created */
  const reveal = (created) => {
    const panel = tokenReveal(created, signal, closeMaker);
    fillMaker(panel);
    panel.focus();
    read();
  };
  const render = () => {
    if (tokens === null) return;
    const full = tokens.length < usableTokens ? "" : ": revoke one to make another";
    used.textContent = `${tokens.length} of ${usableTokens} used${full}`;
    list.replaceChildren(tokens.length === 0 ? emptyState() : tokenList(tokens, workspaces, revoke));
    settle();
  };
  const read = async () => {
    try {
      /** @type {ServiceTokenList} */
      const { items } = await call("tokens/?is_active=true");
      tokens = items;
      render();
    } catch (error) {
      list.replaceChildren(notice(explain(error), { label: "Try again", run: read }));
    }
  };
  /** @param {ServiceToken} token */
  const revoke = async (token) => {
    if (!(await confirmRevocation(token))) return;
    trouble.replaceChildren();
    try {
      await call(`tokens/${token.id}/`, { method: "DELETE" });
    } catch (error) {
      const text = `“${token.name}” is not revoked. ${explain(error)}`;
      trouble.append(notice(text, { label: "Try again", run: () => revoke(token) }));
      return;
    }
    announce(`${token.name} is revoked.`);
    past.renew();
    await read();
    heading.focus();
  };
  read();

  return {
    view: element(
      "section",
      { "aria-labelledby": "tokens" },
      element("div", { class: "heading" }, heading, used, make),
      maker,
      trouble,
      list,
      past.view,
    ),
    offer(offered) {
      // The progress of a sync makes no difference here.
      if (namesOf(offered) === namesOf(workspaces)) return;
      const isOneGone = workspaces.some(({ id }) => !offered.some((each) => each.id === id));
      workspaces = offered;
      render();
      if (!isOneGone) return;
      // Disconnecting removes the workspace from every token, and revokes tokens that have no other.
      past.renew();
      read();
    },
  };
}

/** @param {Workspace[]} workspaces */
const namesOf = (workspaces) => JSON.stringify(workspaces.map(({ id, name }) => [id, name]));

function emptyState() {
  return element(
    "p",
    { class: "card quiet" },
    "No token yet. Create one for each agent or script, so that you can revoke each on its own.",
  );
}
