import { mkdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { NotionNetwork } from "@clew/notion";
import { createNotionProvider, createTokenProvider, notionIdentity, notionSetup } from "@clew/notion";
import type { Provider } from "@clew/provider";
import type { EmbeddedSite, EmbedOptions } from "@clew/stand-in";
import {
  type PlainAnswer as DemoAnswer,
  type PlainRequest as DemoRequest,
  inProcessFetch,
} from "@clew/stand-in/in-process-fetch";
import { createTurns } from "../model/turns.ts";
import { type ProviderCall, timedFetch } from "./timed-fetch.ts";

export type { DemoAnswer, DemoRequest };

/** Calls to the provider under way at a time, over all syncs: each takes a socket. */
const callsAtOnce = 256;

/** A provider outside of Clew, and the credentials for it. */
export interface ConnectedSettings {
  /** One token instead of an OAuth app (SIGN-12). */
  readonly token: string | null;
  readonly app: Credentials | null;
}

interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

interface ProviderOptions extends ConnectedSettings {
  /** The page on which a sign-in with a token asks for its code. */
  readonly codeUrl: URL;
  readonly network: NotionNetwork;
  /** Receives each call, the network's or the demo workspace's own, once it was answered. */
  readonly onCall: ((call: ProviderCall) => void) | undefined;
}

interface DemoOptions
  extends Pick<EmbedOptions, "log" | "look" | "redirectUris" | "onwardOrigins" | "signInUrl"> {
  readonly siteUrl: string;
  /** The folder of Markdown; null for the sample that comes with Clew. */
  readonly directory: string | null;
  readonly dataDir: string;
}

/** The demo workspace of this process. Its API has no port. */
export interface OpenDemo {
  /** Its pages for browsers, which `demoRoutes` mounts. */
  readonly site: EmbeddedSite;
  /** Answers calls of its API. */
  readonly answer: (request: DemoRequest) => Promise<DemoAnswer>;
  readonly client: DemoClient;
  close(): Promise<void>;
}

/** The client of the demo workspace, as a thread needs it. */
export interface DemoClient extends Credentials {
  readonly siteUrl: string;
  /** The name of the operator's own folder; null for the sample. */
  readonly folder: string | null;
}

/** Connects to Notion with a token or an OAuth app; null if neither is set. */
export function connectProvider({ token, app, codeUrl, ...options }: ProviderOptions): Provider | null {
  const network = {
    inTurn: createTurns({ atOnce: callsAtOnce }),
    ...options.network,
    fetch: timedFetch(options.network.fetch, options.onCall),
  };
  if (token !== null) return createTokenProvider({ token, codeUrl, ...network });
  if (app !== null) return createNotionProvider({ ...notionIdentity, ...app, ...network });
  return null;
}

/** Serves a folder of Markdown as if it were Notion, in a thread of this process (SIGN-11). */
export async function openDemo(
  { directory, dataDir, ...options }: DemoOptions,
  { clock, random }: Pick<NotionNetwork, "clock" | "random">,
): Promise<OpenDemo> {
  // Most installations need none of it.
  const { embedStandIn, sampleDirectory } = await import("@clew/stand-in");
  const credentials = { clientId: "clew", clientSecret: Buffer.from(random(32)).toString("base64url") };
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const standIn = await embedStandIn({
    ...options,
    ...credentials,
    clock,
    directory: directory ?? sampleDirectory,
    isOwnFolder: directory !== null,
    stateFile: join(dataDir, "stand-in.json"),
    rateLimit: 0,
  });
  const folder = directory === null ? null : basename(resolve(directory));
  const client = { ...credentials, siteUrl: options.siteUrl, folder };
  return { site: standIn.site, answer: standIn.answer, client, close: () => standIn.close() };
}

/** Connects to the demo workspace through the same code as to Notion. */
export function connectDemo(
  { siteUrl, folder, ...client }: DemoClient,
  answer: OpenDemo["answer"],
  { clock, random, onCall }: Pick<NotionNetwork, "clock" | "random"> & Pick<ProviderOptions, "onCall">,
): Provider {
  return createNotionProvider({
    ...client,
    clock,
    random,
    slug: "stand-in",
    aliases: ["notion"],
    name: "demo workspace",
    standIn: true,
    folder,
    setup: notionSetup,
    // Never resolved: the calls stay in this process.
    apiUrl: new URL("http://demo.invalid"),
    consentUrl: new URL(siteUrl),
    demoUrl: new URL(`${siteUrl}/`),
    fetch: timedFetch(inProcessFetch(answer), onCall),
    requestsPerMinute: Number.POSITIVE_INFINITY,
  });
}
