/** @import { SignInErrorCode, SignInStatus } from "@clew/contract" */
import { apiBase, call } from "./api.js";
import { element } from "./element.js";
import { notice } from "./notice.js";

/**
 * Explanations of failed sign-ins. The page never repeats text from the link itself.
 * @type {Record<SignInErrorCode | "foreign_sign_in", string>}
 */
const failures = {
  access_denied: "You cancelled, so nothing was shared.",
  invalid_state: "That took longer than ten minutes, was used before, or began in another browser.",
  exchange_failed: "The provider did not accept the sign-in.",
  provider_unavailable: "The provider could not be reached, or its answer could not be read.",
  unsupported_owner: "The provider connected a whole workspace instead of a person.",
  not_allowed: "This account or workspace may not sign in here. The operator of this Clew decides that.",
  rate_limited: "There were too many sign-ins from here. Wait a minute.",
  unavailable: "Clew cannot sign anyone in right now.",
  foreign_sign_in: "The link that you followed carries a sign-in from another browser, so it was not used.",
};

/**
 * Explains why a sign-in failed.
 * @param {string} code `error` in the fragment
 */
export function failureNotice(code) {
  const known = Object.entries(failures).find(([name]) => name === code);
  return notice(`The sign-in did not work. ${known?.[1] ?? "The reason is not known."}`);
}

/** Where a sign-in begins. A person who is already signed in can share more there. */
export const signInUrl = new URL("integrations/auth/provider/", apiBase).href;

/**
 * The page before the sign-in: one button.
 * @param {{ again: boolean }} attempt whether a sign-in has just failed
 */
export async function signInView({ again }) {
  /** @type {SignInStatus} */
  const status = await call("integrations/auth/provider/status");
  return element(
    "section",
    { class: "card hero" },
    element("h1", {}, "Follow every link between your pages"),
    element(
      "p",
      {},
      "Clew reads the pages that you share with it, and every link, mention and relation between them. " +
        "Agents and scripts walk them with a token that you can revoke.",
    ),
    element("a", { class: "button primary", href: signInUrl }, buttonWords(status, again)),
    status.stand_in
      ? element(
          "p",
          { class: "quiet" },
          "Clew is not connected to Notion yet. The demo workspace holds pages from this machine, so that you can try everything.",
        )
      : null,
  );
}

/**
 * @param {SignInStatus} status
 * @param {boolean} again
 */
function buttonWords({ name, stand_in }, again) {
  if (stand_in) return `Try the ${name}${again ? " again" : ""}`;
  return `${again ? "Try again" : "Sign in"} with ${name}`;
}
