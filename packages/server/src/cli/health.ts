import { ReadingError } from "@clew/cli";
import { type Config, readConfig } from "../config/config.ts";
import { reasonOf } from "../model/thrown.ts";
import type { CliContext } from "./installation.ts";

const timeoutMs = 5_000;

/**
 * Asks the Clew on this machine whether it is ready, for containers and units that have no other program to ask with. Throws
 * with the exit code of a service that is away if it is not.
 */
export async function health(
  context: CliContext & { readonly fetch: typeof globalThis.fetch },
): Promise<void> {
  const { address, fault } = await askReadiness(readConfig(context.env), context.fetch);
  if (fault !== null) throw new ReadingError("unavailable", `Clew is not ready at ${address}: ${fault}.`);
  context.print(`Clew is ready at ${address}.`);
}

/** Asks `GET /readyz` where Clew listens, not at PUBLIC_URL. `fault` is null if it is ready. */
export async function askReadiness(
  { host, port }: Pick<Config, "host" | "port">,
  fetch: typeof globalThis.fetch,
): Promise<{ readonly address: string; readonly fault: string | null }> {
  const address = `http://${reachable(host)}:${port}`;
  try {
    const response = await fetch(`${address}/readyz`, {
      signal: AbortSignal.timeout(timeoutMs),
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
