import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  createFolderProvider,
  type FolderOptions,
  grantOf,
  readWorkspaceIdentity,
} from "@clew/folder/provider";
import type { NotionNetwork } from "@clew/notion";
import { createNotionProvider, createTokenProvider, notionIdentity, notionSetup } from "@clew/notion";
import type { Provider } from "@clew/provider";
import type { EmbeddedSite, EmbedOptions } from "@clew/stand-in";
import {
  type PlainAnswer as DemoAnswer,
  type PlainRequest as DemoRequest,
  inProcessFetch,
} from "@clew/stand-in/in-process-fetch";
import { demoSlug, type FolderConfig, type ServedFolder } from "../model/folders.ts";
import { createTurns } from "../model/turns.ts";
import { Sources } from "./sources.ts";
import { type ProviderCall, timedFetch } from "./timed-fetch.ts";

export type { DemoAnswer, DemoRequest };

/** Calls to the provider under way at a time, over all syncs: each takes a socket. */
const callsAtOnce = 256;

/** Notion, and the credentials for it; the folders that are sources; and where a sign-in to them goes on. */
export interface SourceSettings {
  /** One token instead of an OAuth app (SIGN-12). */
  readonly token: string | null;
  readonly app: Credentials | null;
  readonly folders: readonly ServedFolder[];
  /** Whether the folder's person needs a one-time code (SIGN-12). */
  readonly foldersAskForCode: boolean;
  /** The folder in which Clew keeps what it remembers of them. */
  readonly dataDir: string;
  /** The page on which a sign-in with a token or to a folder asks for its code. */
  readonly codeUrl: string;
  /** The address at which a sign-in without a code goes on. */
  readonly callbackUrl: string;
}

interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

interface ConnectOptions {
  readonly network: NotionNetwork;
  /** Receives each call, the network's or the demo workspace's own, once it was answered. */
  readonly onCall: ((call: ProviderCall) => void) | undefined;
  /** Receives what was ignored in folders. */
  readonly log: FolderOptions["log"];
}

interface DemoOptions
  extends Pick<EmbedOptions, "log" | "look" | "redirectUris" | "onwardOrigins" | "signInUrl"> {
  readonly siteUrl: string;
  /** A folder of Markdown in place of the sample that comes with Clew, for tests. */
  readonly directory: string | undefined;
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
}

/** Connects to the sources that are set up: Notion, then folders. null if there are none. */
export function connectSources(settings: SourceSettings, options: ConnectOptions): Sources | null {
  const notion = connectNotion(settings, options);
  const folders = settings.folders.map((folder, index) => connectFolder(folder, index, settings, options));
  const [first, ...others] = [...(notion === null ? [] : [notion]), ...folders];
  return first === undefined ? null : new Sources(first, ...others);
}

/** Connects to Notion with a token or an OAuth app; null if neither is set. */
function connectNotion(
  { token, app, codeUrl }: SourceSettings,
  { network: { fetch, ...others }, onCall }: ConnectOptions,
): Provider | null {
  const network = {
    inTurn: createTurns({ atOnce: callsAtOnce }),
    ...others,
    fetch: timedFetch(fetch, onCall),
  };
  if (token !== null) return createTokenProvider({ token, codeUrl: new URL(codeUrl), ...network });
  if (app !== null) return createNotionProvider({ ...notionIdentity, ...app, ...network });
  return null;
}

/** Connects to a folder. The first one can also be called `folder` in paths. */
function connectFolder(
  { slug, name, path, workspaceId }: ServedFolder,
  index: number,
  { foldersAskForCode: asksForCode, dataDir, codeUrl, callbackUrl }: SourceSettings,
  { network: { clock, random }, log }: ConnectOptions,
): Provider {
  const provider = createFolderProvider({
    slug,
    aliases: index === 0 ? ["folder"] : [],
    name,
    path,
    workspaceId,
    stateDir: join(dataDir, "folders", workspaceId),
    // Without a code, the press that began the sign-in is all that is asked of the person.
    signInUrl: new URL(asksForCode ? codeUrl : callbackUrl),
    asksForCode,
    clock,
    random,
    log,
  });
  return { ...provider, folder: name };
}

/** The state that earlier versions left, which served a folder as the demo workspace. It is read only if it is asked for. */
export function formerDemo({
  folders,
  dataDir,
}: Pick<SourceSettings, "dataDir"> & { readonly folders: readonly FolderConfig[] }) {
  return {
    folders: () =>
      Promise.all(
        folders.map(async ({ slug, path }) => {
          const { id } = await readWorkspaceIdentity(path);
          return { slug, workspaceId: id, grant: grantOf(id) };
        }),
      ),
    wholeGrants: async () => (await import("@clew/stand-in")).wholeGrants(join(dataDir, demoStateFile)),
  };
}

/** The file in which the demo workspace keeps what people allow. */
const demoStateFile = "stand-in.json";

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
    isOwnFolder: false,
    stateFile: join(dataDir, demoStateFile),
    rateLimit: 0,
  });
  const client = { ...credentials, siteUrl: options.siteUrl };
  return { site: standIn.site, answer: standIn.answer, client, close: () => standIn.close() };
}

/** Connects to the demo workspace through the same code as to Notion. */
export function connectDemo(
  { siteUrl, ...client }: DemoClient,
  answer: OpenDemo["answer"],
  { clock, random, onCall }: Pick<NotionNetwork, "clock" | "random"> & Pick<ConnectOptions, "onCall">,
): Provider {
  return createNotionProvider({
    ...client,
    clock,
    random,
    slug: demoSlug,
    aliases: ["notion"],
    name: "demo workspace",
    standIn: true,
    setup: notionSetup,
    // Never resolved: the calls stay in this process.
    apiUrl: new URL("http://demo.invalid"),
    consentUrl: new URL(siteUrl),
    demoUrl: new URL(`${siteUrl}/`),
    fetch: timedFetch(inProcessFetch(answer), onCall),
    requestsPerMinute: Number.POSITIVE_INFINITY,
  });
}
