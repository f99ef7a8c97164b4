import { endSessionsOf } from "../auth/live-sessions.ts";
import type { CliContext } from "./context.ts";
import { withInstallation } from "./installation.ts";

/** Ends everybody's sessions, at once on every instance. Service tokens go on. */
export async function endAllSessions(context: CliContext): Promise<void> {
  const { clock, print } = context;
  await withInstallation(context, async ({ database }) => {
    const ended = await database.transaction((trx) => endSessionsOf(trx, null, clock()));
    print(`${ended} ${ended === 1 ? "session" : "sessions"} ended: everybody has to sign in again.`);
    print("Service tokens are not affected.");
  });
}
