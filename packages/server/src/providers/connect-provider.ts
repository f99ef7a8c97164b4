import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { NotionNetwork } from "@clew/notion";
import { createNotionProvider, createTokenProvider, notionIdentity, notionSetup } from "@clew/notion";
import type { Provider } from "@clew/provider";
import { type EmbeddedSite, type EmbedOptions, embedStandIn, sampleDirectory } from "@clew/stand-in";

interface ProviderOptions {
  /** One token instead of an OAuth app (SIGN-12). */
  readonly token: string | null;
  /** The page on which a sign-in with that token asks for its code. */
  readonly codeUrl: URL;
  readonly app: { readonly clientId: string; readonly clientSecret: string } | null;
  readonly network: NotionNetwork;
  /** Wraps what makes the calls, the network's or the demo workspace's own, to measure them. */
  readonly watchCalls: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;
  readonly demo: DemoOptions;
}

interface DemoOptions
  extends Pick<EmbedOptions, "log" | "look" | "redirectUris" | "onwardOrigins" | "signInUrl"> {
  readonly siteUrl: string;
  /** The folder of Markdown; null for the sample that comes with Clew. */
  readonly directory: string | null;
  readonly dataDir: string;
}

interface ConnectedProvider {
  readonly provider: Provider;
  /** The pages of the demo workspace for browsers; null if they are not served. */
  readonly demo: EmbeddedSite | null;
  close(): Promise<void>;
}

/** Connects to Notion if a token or an OAuth app is set, and opens the demo workspace otherwise. */
export async function connectProvider(options: ProviderOptions): Promise<ConnectedProvider> {
  const { token, codeUrl, app, watchCalls } = options;
  const network = { ...options.network, fetch: watchCalls(options.network.fetch) };
  if (token !== null) return connected(createTokenProvider({ token, codeUrl, ...network }));
  if (app !== null) return connected(createNotionProvider({ ...notionIdentity, ...app, ...network }));
  return openDemo(options);
}

const connected = (provider: Provider) => ({ provider, demo: null, close: async () => {} });

/**
 * Serves a folder of Markdown as if it were Notion, in a thread of this process and through the same provider code
 * (SIGN-11). Its API has no port. `demoRoutes` mounts the site for browsers.
 */
async function openDemo({ demo, network, watchCalls }: ProviderOptions): Promise<ConnectedProvider> {
  const { directory, dataDir, siteUrl, ...options } = demo;
  const { clock, random } = network;
  const client = { clientId: "clew", clientSecret: Buffer.from(random(32)).toString("base64url") };
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const standIn = await embedStandIn({
    ...options,
    ...client,
    clock,
    siteUrl,
    directory: directory ?? sampleDirectory,
    stateFile: join(dataDir, "stand-in.json"),
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
    setup: notionSetup,
    // Never resolved: the calls stay in this process.
    apiUrl: new URL("http://demo.invalid"),
    consentUrl: new URL(siteUrl),
    demoUrl: new URL(`${siteUrl}/`),
    fetch: watchCalls(standIn.fetch),
    requestsPerMinute: Number.POSITIVE_INFINITY,
  });
  return { provider, demo: standIn.site, close: () => standIn.close() };
}
