// First: it cleans the address bar before anything else runs.

import { withEarlyAnswers } from "./api/early-answers.ts";
import { earlyRequests } from "./api/early-requests.ts";
import type { App } from "./app.tsx";
import { type Arrival, arrival } from "./session/arrival.ts";
import { type SessionEnd, SessionKeeper } from "./session/keeper.ts";
import type { Session } from "./session/session.ts";
import { appRequestAt, clewUrl, dashboardUrl } from "./session/urls.ts";
import { showSignIn, showUnreachable } from "./sign-in/page.ts";
import { connectFailed, signInFailed, signInWords, sourceWords } from "./words.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");

const keeper = new SessionKeeper({
  storage: localStorage,
  locks: navigator.locks,
  fetch: (...request) => fetch(...request),
  now: Date.now,
  url: clewUrl,
});

/** The signed-in application, with the user that it shows; null while the sign-in page is shown. */
let opened: { readonly userId: string; readonly app: App } | null = null;

addEventListener("storage", ({ key }) => keeper.heard(key));
keeper.onChange((session, end) => {
  if (session?.userId !== opened?.userId) show(session, end);
});

const arrived = await arrival;
const failure = arrived !== null && "error" in arrived ? arrived.error : null;
if (arrived !== null && "access" in arrived) keeper.start(arrived);
const session = keeper.read();
if (session === null) await openSignIn(failure === null ? {} : { failure: signInFailed(failure) });
else await openApp(session, noteOf(arrived));

/** The note for a signed-in person who came back from a source; null for none. */
function noteOf(came: Arrival): string | null {
  if (came === null || "access" in came) return null;
  return "error" in came ? connectFailed(came.error) : sourceWords.added;
}

/** Follows a change of the session, here or in another tab. */
function show(session: Session | null, end: SessionEnd): void {
  opened?.app.close();
  opened = null;
  if (session !== null) void openApp(session, null);
  else if (end === "over") void openSignIn({ failure: signInWords.over });
  else void openSignIn({ note: end === "deleted" ? signInWords.deleted : signInWords.signedOut });
}

function openSignIn(notices: Parameters<typeof showSignIn>[1]): Promise<void> {
  return showSignIn(root as HTMLElement, notices);
}

async function openApp(session: Session, note: string | null): Promise<void> {
  try {
    const here = new URL(location.href);
    const early = earlyRequests(here, dashboardUrl, appRequestAt(here));
    const send = withEarlyAnswers(
      keeper.fetch,
      early.map((path) => new URL(`api/${path}`, clewUrl)),
    );
    const { openApp: open } = await import("./app.tsx");
    // Another tab may have signed out while the application loaded.
    if (keeper.read()?.userId !== session.userId) return;
    opened = { userId: session.userId, app: open(root as HTMLElement, keeper, send, note) };
  } catch {
    showUnreachable(root as HTMLElement);
  }
}
