import { randomBytes } from "node:crypto";
import type { Provider } from "@clew/provider";
import { createNotionProvider, type NotionOptions } from "../provider.ts";

/** A provider whose time passes only while it waits; `waits` has the milliseconds of each wait. */
export function timelessProvider(
  apiUrl: URL,
  options: Partial<NotionOptions> = {},
): { provider: Provider; waits: number[]; clock: () => number } {
  const waits: number[] = [];
  let now = Date.UTC(2026, 0, 1);
  const clock = () => now;
  const provider = createNotionProvider({
    slug: "notion",
    aliases: [],
    name: "Notion",
    standIn: false,
    apiUrl,
    clientId: "client",
    clientSecret: "client-secret",
    fetch,
    clock,
    random: randomBytes,
    sleep: async (milliseconds, signal) => {
      signal.throwIfAborted();
      waits.push(milliseconds);
      now += milliseconds;
    },
    ...options,
  });
  return { provider, waits, clock };
}
