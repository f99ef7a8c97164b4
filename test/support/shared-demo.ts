import { startRunning } from "./running-clew.ts";
import { signIn, waitForSync } from "./session.ts";
import { shared } from "./shared.ts";

/** The PUBLIC_URL of a Clew over the demo workspace. Accounts, sessions and tokens of other tests stay in it. */
export const sharedDemo: () => Promise<URL> = shared(async (stage) => {
  const demo = await startRunning();
  stage.defer(() => demo.stop());
  return demo.url;
});

/** The same, when its first person has signed in and the workspace is synced. */
export const syncedDemo: () => Promise<URL> = shared(async () => {
  const url = await sharedDemo();
  await waitForSync(url, await signIn(url));
  return url;
});
