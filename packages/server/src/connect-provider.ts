import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { embedStandIn, sampleDirectory } from "@clew/stand-in";
import type { FastifyBaseLogger } from "fastify";
import type { DemoSite } from "./api/demo.ts";
import { callbackUrl, codeUrl } from "./auth/sign-in/redirect.ts";
import type { Config } from "./config/config.ts";
import { demoUrl } from "./config/demo-url.ts";
import { ConfigError } from "./config/read-settings.ts";
import type { Clock, RandomBytes } from "./model/runtime.ts";
import { createNotionProvider } from "./provider/notion/provider.ts";
import { createTokenProvider } from "./provider/notion/token-provider.ts";
import type { Provider } from "./provider/port.ts";
import { createTurns } from "./sync/jobs/turns.ts";

/** Calls to the provider under way at a time, of all syncs: each takes a socket. */
const callsAtOnce = 256;

interface Runtime {
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly fetch: typeof globalThis.fetch;
  readonly log: FastifyBaseLogger;
  /** Watches the calls of the provider; left out where nobody asks for that. */
  readonly watchCalls?: ((fetch: typeof globalThis.fetch) => typeof globalThis.fetch) | undefined;
}

/** A provider that can be used until it is closed. */
interface ConnectedProvider {
  readonly provider: Provider;
  /** What the demo workspace shows in browsers; null where it does not serve. */
  readonly demo: DemoSite | null;
  close(): Promise<void>;
}

/** Notion where its token or its credentials are set, otherwise the demo workspace. */
export async function connectProvider(config: Config, runtime: Runtime): Promise<ConnectedProvider> {
  const { clock, random, watchCalls = (calls) => calls } = runtime;
  const inTurn = createTurns({ atOnce: callsAtOnce }).take;
  const network = { clock, random, fetch: watchCalls(runtime.fetch), inTurn };
  if (config.notionToken !== null) {
    const own = {
      token: config.notionToken,
      apiUrl: config.notionApiUrl,
      codeUrl: new URL(codeUrl(config.publicUrl)),
    };
    return { provider: createTokenProvider({ ...own, ...network }), demo: null, close: async () => {} };
  }
  if (config.notion === null) return openDemo(config, runtime);
  const provider = createNotionProvider({
    slug: "notion",
    aliases: [],
    name: "Notion",
    standIn: false,
    ...config.notion,
    apiUrl: config.notionApiUrl,
    ...network,
  });
  return { provider, demo: null, close: async () => {} };
}

/**
 * Serves a folder of Markdown as if it were Notion, inside of Clew and through the same provider code (SIGN-11). Its API
 * has no port: only the site is for browsers, and `demoRoutes` mounts it.
 */
async function openDemo(config: Config, runtime: Runtime): Promise<ConnectedProvider> {
  const { clock, random, log, watchCalls = (calls) => calls } = runtime;
  const client = { clientId: "clew", clientSecret: Buffer.from(random(32)).toString("base64url") };
  const siteUrl = demoUrl(config.publicUrl);
  const directory = config.workspaceDir ?? sampleDirectory;
  await readdir(directory).catch(() => {
    throw new ConfigError(["WORKSPACE_DIR does not name a folder that can be read"]);
  });
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const standIn = await embedStandIn({
    ...client,
    clock,
    random,
    log,
    siteUrl,
    directory,
    redirectUris: [callbackUrl(config.publicUrl)],
    onwardOrigins: [config.dashboardUrl.origin],
    stateFile: join(config.dataDir, "stand-in.json"),
    rateLimit: 0,
  });
  const provider = createNotionProvider({
    ...client,
    clock,
    random,
    slug: "stand-in",
    aliases: ["notion"],
    name: "demo workspace",
    standIn: true,
    // Never resolved: the calls stay in this process.
    apiUrl: new URL("http://demo.invalid"),
    consentUrl: new URL(siteUrl),
    demoUrl: new URL(`${siteUrl}/`),
    fetch: watchCalls(standIn.fetch),
    requestsPerMinute: Number.POSITIVE_INFINITY,
  });
  return { provider, demo: standIn.site, close: () => standIn.close() };
}
