import { dashboardUrl } from "../session/urls.ts";
import { reachability } from "./reachability.ts";

/** Milliseconds between tries to load a part while Clew cannot be reached. */
const retryMs = 3_000;

/** The time at which the page was last loaded again because a part was gone. */
const reloadedKey = "clew.reloaded";

/** Milliseconds within which it is not loaded again for the same reason. */
const reloadMs = 60_000;

/**
 * Loads a part of the application. While Clew cannot be reached, it waits and tries again, so that the caller continues once Clew
 * is back. If Clew answers but the part is gone, an upgrade has replaced it: the page is reloaded once, and then it throws.
 */
export async function loadChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  let attempt = load;
  let refusals = 0;
  for (;;) {
    try {
      const module = await attempt();
      reachability.set(true);
      return module;
    } catch (error) {
      const served = await isServed();
      reachability.set(served);
      if (served) refusals += 1;
      if (refusals > 1) return reload(error);
      if (!served) await nextTry();
      attempt = () => loadAfresh(error, load);
    }
  }
}

/** Browsers keep the failure of a module, by its address: it is asked for at another one. */
async function loadAfresh<Module>(failure: unknown, load: () => Promise<Module>): Promise<Module> {
  const [address] = /https?:\S+\.js/.exec(String(failure)) ?? [];
  // Safari does not say which module failed.
  return address === undefined ? load() : import(/* @vite-ignore */ `${address}?again=${Date.now()}`);
}

/** Whether Clew serves the dashboard now. */
async function isServed(): Promise<boolean> {
  try {
    return (await fetch(dashboardUrl, { method: "HEAD", cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

/** Waits, at most until another request has reached Clew or the person asks to try again. */
function nextTry(): Promise<void> {
  return new Promise((resolve) => {
    const stop = reachability.subscribe(() => done());
    const timer = setTimeout(done, retryMs);
    function done() {
      stop();
      clearTimeout(timer);
      resolve();
    }
  });
}

function reload(error: unknown): Promise<never> {
  const last = Number(sessionStorage.getItem(reloadedKey));
  if (Date.now() - last < reloadMs) throw new Error("a part of the dashboard is gone", { cause: error });
  sessionStorage.setItem(reloadedKey, String(Date.now()));
  location.reload();
  return new Promise(() => {});
}

/**
 * Loads parts one after the other while the browser has nothing else to do, so that they are there if Clew is not. A failure is
 * left to the view that needs the part. Does nothing if the person saves data.
 */
export function preloadWhenIdle(loads: readonly (() => Promise<unknown>)[]): void {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } };
  if (connection?.saveData) return;
  const [next, ...rest] = loads;
  if (next === undefined) return;
  whenIdle(() => {
    next()
      .catch(() => {})
      .then(() => preloadWhenIdle(rest));
  });
}

/** Safari has no idle callbacks. */
const whenIdle = (run: () => void): void =>
  void ("requestIdleCallback" in globalThis ? requestIdleCallback(run) : setTimeout(run, 200));
