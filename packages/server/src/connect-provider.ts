import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { sampleDirectory, startStandIn } from "@clew/stand-in";
import { callbackUrl } from "./auth/sign-in/callback-url.ts";
import type { Config } from "./config/config.ts";
import { isLoopback } from "./config/loopback.ts";
import type { Clock } from "./model/clock.ts";
import type { RandomBytes } from "./model/random.ts";
import { createNotionProvider } from "./provider/notion/provider.ts";
import type { Provider } from "./provider/port.ts";

interface Network {
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly fetch: typeof globalThis.fetch;
}

/** A provider that can be used until it is closed. */
interface ConnectedProvider {
  readonly provider: Provider;
  close(): Promise<void>;
}

/** Notion where its credentials are set, otherwise the stand-in. */
export async function connectProvider(config: Config, network: Network): Promise<ConnectedProvider> {
  if (config.notion === null) return startOwnWorkspace(config, network);
  const name = { slug: "notion", aliases: [], name: "Notion", standIn: false };
  return { provider: createNotionProvider({ ...name, ...config.notion, ...network }), close: async () => {} };
}

/** Serves a folder of Markdown as if it were Notion, beside Clew and through the same provider code (SIGN-11). */
async function startOwnWorkspace(config: Config, network: Network): Promise<ConnectedProvider> {
  // No secret: it opens files of this machine to whoever may reach this machine.
  const client = { clientId: "clew", clientSecret: "stand-in" };
  // Off loopback browsers must find it, so it stands at the port after Clew's own.
  const local = isLoopback(config.host);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const standIn = await startStandIn({
    ...client,
    ...network,
    directory: config.workspaceDir ?? sampleDirectory,
    host: local ? "127.0.0.1" : config.host,
    port: local ? 0 : config.port + 1,
    redirectUris: [callbackUrl(config.publicUrl)],
    onwardOrigins: [config.dashboardUrl.origin],
    stateFile: join(config.dataDir, "stand-in.json"),
    rateLimit: 0,
  });
  const apiUrl = new URL(standIn.url);
  if (!local) apiUrl.hostname = "127.0.0.1";
  const consentUrl = new URL(apiUrl);
  if (!local) consentUrl.hostname = config.publicUrl.hostname;
  const provider = createNotionProvider({
    slug: "stand-in",
    aliases: ["notion"],
    name: "the built-in workspace",
    standIn: true,
    apiUrl,
    consentUrl,
    demoUrl: new URL(`${config.publicUrl.href.replace(/\/$/, "")}/demo/`),
    ...client,
    ...network,
    requestsPerMinute: Number.POSITIVE_INFINITY,
  });
  return { provider, close: () => standIn.close() };
}
