/** @import { Me } from "@clew/contract" */

import { accountView } from "./account.js";
import { call, explain, SessionOver } from "./api.js";
import { arrival } from "./arrival.js";
import { announce, element, place } from "./element.js";
import { note, notice } from "./notice.js";
import { forgetSession, keepSession, readSession } from "./session.js";
import { failureNotice, signInView } from "./sign-in.js";
import { tokensView } from "./tokens.js";
import { workspacesView } from "./workspaces.js";

/** Aborts the background work of the current view. */
let shown = new AbortController();

/** Whether the person is signing out or deleting their account. The end of the session is then expected. */
let isLeaving = false;

document.addEventListener("session-over", () => {
  if (!isLeaving) showSessionOver();
});

function showSessionOver() {
  return attempt(async () => {
    await openSignIn();
    place("notices").replaceChildren(notice(new SessionOver().message));
  });
}

await attempt(async () => {
  const arrived = await arrival;
  if (arrived && "access" in arrived) keepSession(arrived);
  const failure = arrived && "error" in arrived ? arrived.error : null;
  if (readSession() === null) await openSignIn({ again: failure !== null });
  else await openDashboard();
  if (failure !== null) place("notices").replaceChildren(failureNotice(failure));
});

/** @param {() => Promise<void>} open opens a view; if it throws, the page shows why */
async function attempt(open) {
  try {
    await open();
  } catch (error) {
    // The page already shows the sign-in.
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
    accountView(deleteAccount),
  );
}

async function signOut() {
  const body = { refresh: readSession()?.refresh };
  const hasLeft = await leave(() => call("auth/logout/", { method: "POST", body }), {
    failure: "You are still signed in.",
    remedy: { label: "Sign out", run: signOut },
  });
  if (hasLeft) announce("You are signed out.");
}

async function deleteAccount() {
  const hasLeft = await leave(() => call("auth/me/", { method: "DELETE" }), {
    failure: "Your account is not deleted.",
    remedy: { label: "Try again", run: deleteAccount },
  });
  if (!hasLeft) return;
  const text = "Your account is deleted, with all that Clew knew of your workspaces.";
  place("notices").replaceChildren(note(text));
  announce(text);
}

/**
 * Forgets the session only after Clew has ended it; without its tokens it could no longer be ended.
 * @param {() => Promise<unknown>} end
 * @param {{ failure: string, remedy: { label: string, run: () => void } }} onFailure
 * @returns {Promise<boolean>} whether the session has ended; the caller announces it
 */
async function leave(end, { failure, remedy }) {
  isLeaving = true;
  try {
    await end();
  } catch (error) {
    if (readSession() === null) await showSessionOver();
    else place("notices").replaceChildren(notice(`${failure} ${explain(error)}`, remedy));
    return false;
  } finally {
    isLeaving = false;
  }
  forgetSession();
  await attempt(() => openSignIn());
  place("content").focus();
  return true;
}

/**
 * Replaces the content of the page.
 * @param {...Node} parts
 * @returns {AbortSignal} aborted when the content is replaced
 */
function show(...parts) {
  shown.abort();
  shown = new AbortController();
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  place("notices").replaceChildren();
  place("content").replaceChildren(...parts);
  return shown.signal;
}
