/** @import { Me } from "@clew/contract" */
import { ApiError, call } from "./api.js";
import { element, place } from "./element.js";
import { takeFragment } from "./fragment.js";
import { accessToken, forgetSession, keepSession, refreshToken } from "./session.js";
import { signInView } from "./sign-in.js";
import { tokensView } from "./tokens.js";
import { workspacesView } from "./workspaces.js";

// Before anything else runs: what the sign-in left in the address bar is taken out of it.
const arrival = takeFragment();

try {
  await open();
} catch (error) {
  const what = error instanceof Error ? error.message : String(error);
  show(
    element(
      "div",
      { class: "card" },
      element("p", { class: "notice error", role: "alert" }, `Clew cannot be reached: ${what}`),
      element("button", { onclick: () => location.reload() }, "Try again"),
    ),
  );
}

async function open() {
  const arrived = await arrival;
  if (arrived && "tokens" in arrived) keepSession(arrived.tokens);
  const me = await whoAmI();
  if (me === null) return show(await signInView(arrived && "error" in arrived ? arrived : null));
  place("account").replaceChildren(
    element("span", {}, me.name ?? me.email ?? "Signed in"),
    element("button", { onclick: signOut }, "Sign out"),
  );
  const tokens = tokensView();
  show(workspacesView(tokens.offer), tokens.view);
}

/** @returns {Promise<Me | null>} */
async function whoAmI() {
  if (accessToken() === null) return null;
  try {
    return await call("auth/me/");
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    forgetSession();
    return null;
  }
}

async function signOut() {
  try {
    await call("auth/logout/", { method: "POST", body: { refresh: refreshToken() } });
  } finally {
    forgetSession();
    place("account").replaceChildren();
    show(await signInView(null));
  }
}

/** @param {...Node} views */
function show(...views) {
  place("content").replaceChildren(...views);
}
