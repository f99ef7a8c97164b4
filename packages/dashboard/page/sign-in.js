/** @import { SignInStatus } from "@clew/contract" */
import { apiBase, call } from "./api.js";
import { element } from "./element.js";

/**
 * The page for nobody yet: one button, and why the last attempt failed, if one did.
 * @param {{ error: string, description: string } | null} failure
 */
export async function signInView(failure) {
  /** @type {SignInStatus} */
  const status = await call("integrations/auth/provider/status");
  return element(
    "section",
    { class: "card hero" },
    failure &&
      element(
        "div",
        { class: "notice error", role: "alert" },
        element("strong", {}, "You are not signed in. "),
        failure.description,
      ),
    element("h1", {}, "Follow every thread between your pages"),
    element(
      "p",
      {},
      "Clew reads the pages that you share with it, and every link, mention and relation between them, " +
        "so that agents and scripts can walk them with a token that you can take back.",
    ),
    status.stand_in
      ? element(
          "p",
          { class: "quiet" },
          "No provider is set up yet. The built-in workspace lets you try everything with pages from this machine.",
        )
      : null,
    element(
      "a",
      { class: "button primary", href: new URL("integrations/auth/provider/", apiBase).href },
      `${failure ? "Try again with" : "Sign in with"} ${status.name}`,
    ),
  );
}
