import { setTimeout } from "node:timers/promises";
import { ReadingError } from "@clew/cli";
import { type Config, readConfig } from "../config/config.ts";
import { reasonOf } from "../model/thrown.ts";
import type { CliContext } from "./installation.ts";

const timeoutMs = 5_000;

/** Milliseconds between two questions to a Clew that is not ready yet. */
const pauseMs = 250;

/** How `health` waits. */
interface Waits {
  /** Milliseconds on a clock that is never set. */
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

const realWaits: Waits = { now: () => performance.now(), sleep: (ms) => setTimeout(ms) };

interface HealthContext extends Pick<CliContext, "env" | "print"> {
  readonly fetch: typeof globalThis.fetch;
  readonly waits?: Waits;
}

/**
 * Asks the Clew on this machine whether it is ready, for containers and units that have no other program to ask with. Asks
 * again for up to `wait` seconds while it is not. Throws with the exit code of a service that is away if it is not ready then.
 */
export async function health(
  { env, print, fetch, waits = realWaits }: HealthContext,
  { wait = 0 }: { wait?: number } = {},
): Promise<void> {
  const config = readConfig(env);
  const end = waits.now() + wait * 1000;
  for (;;) {
    const remainingMs = end - waits.now();
    const timeLimitMs = remainingMs > 0 ? Math.min(remainingMs, timeoutMs) : timeoutMs;
    const { address, fault } = await askReadiness(config, fetch, timeLimitMs);
    if (fault === null) return print(`Clew is ready at ${address}.`);
    if (waits.now() + pauseMs >= end) {
      const after = wait === 0 ? "" : ` after ${wait} s`;
      throw new ReadingError("unavailable", `Clew is not ready at ${address}${after}: ${fault}.`);
    }
    await waits.sleep(pauseMs);
  }
}

/** Asks `GET /readyz` where Clew listens, not at PUBLIC_URL. `fault` is null if it is ready. */
export async function askReadiness(
  { host, port }: Pick<Config, "host" | "port">,
  fetch: typeof globalThis.fetch,
  timeLimitMs = timeoutMs,
): Promise<{ readonly address: string; readonly fault: string | null }> {
  const address = `http://${reachable(host)}:${port}`;
  try {
    const response = await fetch(`${address}/readyz`, {
      signal: AbortSignal.timeout(Math.ceil(timeLimitMs)),
      redirect: "manual",
    });
    const text = await response.text();
    if (response.status === 200) return { address, fault: null };
    const [, detail] = /"detail":"([^"\\]+?)\.?"/.exec(text) ?? [];
    return { address, fault: detail ?? `status ${response.status}` };
  } catch (error) {
    const reason = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return { address, fault: reasonOf(reason) };
  }
}

/** A name for requests to a host that Clew listens on. */
function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
