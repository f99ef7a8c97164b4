/** @import { CreatedToken, ServiceToken, ServiceTokenList, Workspace } from "@clew/contract" */
import { call } from "./api.js";
import { announce, element } from "./element.js";
import { timeElement } from "./time.js";
import { tokenForm } from "./token-form.js";
import { tokenReveal } from "./token-reveal.js";

/**
 * Making, listing and revoking service tokens.
 * @returns {{ view: HTMLElement, offer: (workspaces: Workspace[]) => void }} `offer` says which workspaces a token may name
 */
export function tokensView() {
  const list = element("div", {}, element("p", { class: "quiet" }, "Reading…"));
  const reveal = element("div", {});
  const maker = element("div", {});
  let offered = "";

  const refresh = async () => {
    /** @type {ServiceTokenList} */
    const { items } = await call("tokens/");
    list.replaceChildren(table(items, revoke));
  };
  /** @param {ServiceToken} token */
  const revoke = async (token) => {
    if (!(await confirmed(token))) return;
    await call(`tokens/${token.id}/`, { method: "DELETE" });
    announce(`${token.name} is revoked.`);
    await refresh();
  };
  /** @param {CreatedToken} created */
  const created = (created) => {
    const panel = tokenReveal(created);
    reveal.replaceChildren(panel);
    panel.focus();
    refresh();
  };
  refresh();
  return {
    view: element(
      "section",
      { "aria-labelledby": "tokens" },
      element("h2", { id: "tokens" }, "Service tokens"),
      reveal,
      maker,
      list,
    ),
    offer(workspaces) {
      const ids = workspaces.map(({ id }) => id).join();
      // What somebody is filling in is not taken from under their hands.
      if (ids !== offered) maker.replaceChildren(tokenForm(workspaces, created));
      offered = ids;
    },
  };
}

/**
 * @param {ServiceToken[]} tokens
 * @param {(token: ServiceToken) => void} revoke
 */
function table(tokens, revoke) {
  if (tokens.length === 0)
    return element("p", { class: "quiet" }, "No token yet. Make one for each agent or script that reads.");
  const usable = tokens.filter(({ is_active }) => is_active).length;
  return element(
    "div",
    { class: "scrolling" },
    element(
      "table",
      {},
      element("caption", {}, `${usable} of 10 used`),
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          ...["Name", "Token", "Status", "Scopes", "Made", "Last used", "Expires", ""].map((text) =>
            element("th", { scope: "col" }, text),
          ),
        ),
      ),
      element("tbody", {}, ...tokens.map((token) => row(token, revoke))),
    ),
  );
}

const statusWords = { active: "● active", expired: "◌ expired", revoked: "✕ revoked" };

/**
 * @param {ServiceToken} token
 * @param {(token: ServiceToken) => void} revoke
 */
function row(token, revoke) {
  const { name, prefix, status, scopes, created_at, last_used_at, expires_at, is_active } = token;
  const cells = [
    name,
    element("code", {}, `${prefix}…`),
    statusWords[status],
    scopes.join(", "),
    timeElement(created_at),
    last_used_at === null ? "never" : timeElement(last_used_at),
    expires_at === null ? "never" : timeElement(expires_at),
    is_active
      ? element(
          "button",
          { class: "danger", "aria-label": `Revoke ${name}`, onclick: () => revoke(token) },
          "Revoke",
        )
      : "",
  ];
  return element("tr", { class: status }, ...cells.map((cell) => element("td", {}, cell)));
}

/**
 * Asks before a token is revoked for good.
 * @param {ServiceToken} token
 * @returns {Promise<boolean>}
 */
function confirmed({ name, last_used_at }) {
  const use = last_used_at === null ? "It was never used." : "It was last used ";
  const dialog = element(
    "dialog",
    {},
    element(
      "form",
      { method: "dialog" },
      element("h3", {}, `Revoke “${name}”?`),
      element(
        "p",
        {},
        use,
        last_used_at === null ? null : timeElement(last_used_at),
        " Whoever holds it loses access at once, and for good.",
      ),
      element(
        "div",
        { class: "buttons" },
        element("button", { value: "" }, "Keep it"),
        element("button", { class: "danger", value: "revoke" }, "Revoke"),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "revoke");
    });
  });
}
