/** @import { Me } from "@clew/contract" */

import { call, explain, SessionOver } from "./api.js";
import { arrival } from "./arrival.js";
import { announce, element, place } from "./element.js";
import { notice } from "./notice.js";
import { forgetSession, keepSession, readSession } from "./session.js";
import { failureNotice, signInView } from "./sign-in.js";
import { tokensView } from "./tokens.js";
import { workspacesView } from "./workspaces.js";

/** Ends what the view on the page does in the background. */
let shown = new AbortController();

document.addEventListener("session-over", () => {
  attempt(async () => {
    await openSignIn();
    place("notices").replaceChildren(notice(new SessionOver().message));
  });
});

await attempt(async () => {
  const arrived = await arrival;
  if (arrived && "access" in arrived) keepSession(arrived);
  const failure = arrived && "error" in arrived ? arrived.error : null;
  if (readSession() === null) await openSignIn({ again: failure !== null });
  else await openDashboard();
  if (failure !== null) place("notices").replaceChildren(failureNotice(failure));
});

/** @param {() => Promise<void>} open opens a view; where it cannot, the page says why */
async function attempt(open) {
  try {
    await open();
  } catch (error) {
    // The page has turned to the sign-in already.
    if (error instanceof SessionOver) return;
    show(
      element("h1", { class: "visually-hidden" }, "This page could not be opened"),
      notice(explain(error), { label: "Try again", run: () => location.reload() }),
    );
  }
}

/** @param {{ again: boolean }} attempt */
async function openSignIn(attempt = { again: false }) {
  shown.abort();
  place("account").replaceChildren();
  show(await signInView(attempt));
}

async function openDashboard() {
  /** @type {Me} */
  const { name, email } = await call("auth/me/");
  place("account").replaceChildren(
    element("span", {}, name ?? email ?? "Signed in"),
    element("button", { onclick: signOut }, "Sign out"),
  );
  const signal = show();
  const tokens = tokensView(signal);
  place("content").append(
    element("h1", { class: "visually-hidden" }, "Your workspaces and tokens"),
    workspacesView(signal, tokens.offer),
    tokens.view,
  );
}

/** Signs out here once Clew has: a session that nobody can end any more would live on. */
async function signOut() {
  try {
    await call("auth/logout/", { method: "POST", body: { refresh: readSession()?.refresh } });
  } catch (error) {
    if (error instanceof SessionOver) return;
    const text = `You are still signed in. ${explain(error)}`;
    place("notices").replaceChildren(notice(text, { label: "Sign out", run: signOut }));
    return;
  }
  forgetSession();
  await attempt(() => openSignIn());
  place("content").focus();
  announce("You are signed out.");
}

/**
 * Replaces what the page shows.
 * @param {...Node} parts
 * @returns {AbortSignal} aborted when something else is shown
 */
function show(...parts) {
  shown.abort();
  shown = new AbortController();
  place("notices").replaceChildren();
  place("content").replaceChildren(...parts);
  return shown.signal;
}
