/** @import { CreatedToken } from "@clew/contract" */
import { apiBase } from "./api.js";
import { announce, element } from "./element.js";

/**
 * Shows a new token, only once, with a command that uses it. Leaving the page asks for confirmation until the person
 * has confirmed that they stored the token.
 * @param {CreatedToken} created
 * @param {AbortSignal} signal aborted when the panel is removed
 * @param {() => void} onStored
 */
export function tokenReveal({ token, name, scopes }, signal, onStored) {
  const stored = new AbortController();
  const over = { signal: AbortSignal.any([signal, stored.signal]) };
  const panel = element(
    "section",
    { class: "card reveal", tabindex: "-1", "aria-labelledby": "revealed" },
    element("h3", { id: "revealed" }, `The token of “${name}”`),
    element(
      "p",
      {},
      element("strong", {}, "Copy it now. "),
      "Clew keeps only a hash of it and can never show it again.",
    ),
    copyable("Token", "the token", token),
    copyable("Try it in a terminal", "the line", firstCall(token, scopes)),
    element(
      "button",
      {
        onclick: () => {
          stored.abort();
          onStored();
        },
      },
      "I have stored it",
    ),
  );
  addEventListener("beforeunload", (event) => event.preventDefault(), over);
  // The browser's back button must not show the token again.
  addEventListener("pagehide", () => panel.remove(), over);
  return panel;
}

/**
 * A request that the token allows, as a command for the terminal.
 * @param {string} token
 * @param {CreatedToken["scopes"]} scopes
 */
function firstCall(token, scopes) {
  const path = scopes.includes("graph:search") ? "search/?q=a" : "workspaces/";
  return `curl --fail-with-body -H "Authorization: Bearer ${token}" "${new URL(`v1/${path}`, apiBase)}"`;
}

/**
 * @param {string} label
 * @param {string} what the name that screen readers announce
 * @param {string} text
 */
function copyable(label, what, text) {
  const code = element("code", {}, text);
  const word = element("span", {}, "Copy");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      word.textContent = "Copied";
      announce(`${label}: copied.`);
    } catch {
      getSelection()?.selectAllChildren(code);
      word.textContent = "Selected";
      announce("This browser does not let pages copy. The text is selected for you to copy.");
    }
  };
  return element(
    "div",
    { class: "copyable" },
    element("span", { class: "quiet" }, label),
    code,
    element("button", { onclick: copy }, word, element("span", { class: "visually-hidden" }, ` ${what}`)),
  );
}
