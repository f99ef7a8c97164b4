import { endSessionsOf } from "../auth/end-sessions.ts";
import { withInstallation } from "./installation.ts";
import type { Surroundings } from "./surroundings.ts";

/** Ends everybody's sessions, at once on every instance. Service tokens go on. */
export async function endAllSessions(surroundings: Surroundings): Promise<void> {
  const { clock, print } = surroundings;
  await withInstallation(surroundings, async ({ database }) => {
    const ended = await database.transaction((trx) => endSessionsOf(trx, null, clock()));
    print(`${ended} ${ended === 1 ? "session" : "sessions"} ended: everybody has to sign in again.`);
    print("Service tokens are not affected.");
  });
}
