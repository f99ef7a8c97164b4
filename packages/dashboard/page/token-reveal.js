/** @import { CreatedToken } from "@clew/contract" */
import { apiBase } from "./api.js";
import { announce, element } from "./element.js";

/** What a token with a scope can try first. */
const firstCalls = {
  "graph:search": "search/?q=a",
  "graph:read": "workspaces/",
  "graph:neighbors": "workspaces/",
};

/**
 * Shows a new token: this once, with a line that uses it.
 * @param {CreatedToken} created
 */
export function tokenReveal({ token, name, scopes }) {
  const scope = scopes[0] ?? "graph:read";
  const url = new URL(`v1/${firstCalls[scope]}`, apiBase);
  const line = `curl -H "Authorization: Bearer ${token}" "${url}"`;
  const panel = element(
    "section",
    { class: "card reveal", tabindex: "-1", "aria-label": "The new token" },
    element("h3", {}, `Token “${name}”`),
    element(
      "p",
      {},
      element("strong", {}, "Copy it now. "),
      "Clew keeps only a hash of it and can never show it again.",
    ),
    copyable("Token", token),
    copyable("Try it", line),
    element("button", { onclick: () => panel.remove() }, "I have stored it"),
  );
  return panel;
}

/**
 * @param {string} label
 * @param {string} text
 */
function copyable(label, text) {
  const button = element("button", {}, "Copy");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
    announce(`${label} copied.`);
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2_000);
  });
  return element(
    "div",
    { class: "copyable" },
    element("span", { class: "quiet" }, label),
    element("code", {}, text),
    button,
  );
}
