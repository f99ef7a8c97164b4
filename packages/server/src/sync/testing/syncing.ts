import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { createNotionProvider, type NotionOptions } from "@clew/notion";
import type { Provider } from "@clew/provider";
import {
  type ConsentChoice,
  giveConsent,
  startTestStandIn,
  type TestStandIn,
  type TestStandInOptions,
} from "@clew/stand-in/testing";
import { type Logger, pino } from "pino";
import { sealTokens } from "../../connections/grant.ts";
import type { SyncRequest } from "../../connections/request-sync.ts";
import { Graphs } from "../../graphs/graphs.ts";
import type { AllowList } from "../../model/allow-list.ts";
import type { Connection } from "../../model/connection.ts";
import type { DatabaseLocation } from "../../model/database-location.ts";
import type { Sleep } from "../../model/runtime.ts";
import type { SyncReport } from "../../model/sync-report.ts";
import { everybody } from "../../model/testing/allow-lists.ts";
import { Sources } from "../../providers/sources.ts";
import { createSecrets, type Secrets } from "../../secrets/secrets.ts";
import { openDatabase } from "../../store/database.ts";
import type { Database } from "../../store/port.ts";
import { findConnection, upsertConnection } from "../../store/queries/connections.ts";
import { syncReportsOf } from "../../store/queries/sync-reports.ts";
import { upsertUser } from "../../store/queries/users.ts";
import type { LockWait } from "../../store/wrappers/lock-wait.ts";
import { TextIndex } from "../../texts/text-index.ts";
import { SyncService, type SyncServiceOptions } from "../service.ts";

/** The provider's client, as both sides know it. */
const client = { clientId: "clew-under-test", clientSecret: "known to both" };

/** Serves a folder of Markdown to `openSyncing`, without a rate limit unless the options set one. */
export function serveWorkspace(
  directory: string,
  options: Partial<TestStandInOptions> = {},
): Promise<TestStandIn> {
  return startTestStandIn({ ...client, directory, ...options });
}

/** Without a rate limit unless `requestsPerMinute` sets one. */
interface SyncingOptions
  extends Partial<Omit<NotionOptions, "apiUrl" | keyof typeof client>>,
    Pick<
      Partial<SyncServiceOptions>,
      "memoryLimit" | "smallNodes" | "secondLookAfter" | "looks" | "storage" | "onEnded"
    > {
  readonly location: DatabaseLocation;
  /** The address of Notion, or of what stands in for it. Not used if `provider` is given. */
  readonly apiUrl?: string;
  /** Another provider than Notion. */
  readonly provider?: Provider;
  /** The key that seals grants, if several are to use the file. */
  readonly key?: Uint8Array;
  /** Wraps the database that syncs write to. */
  readonly wrapDatabase?: (database: Database) => Database;
  /** Waits between two polls of a sync service. */
  readonly betweenPolls?: Sleep;
  /** Milliseconds between two looks at whether a sync has ended; by default it is noticed at once. */
  readonly lookEveryMs?: number;
  readonly lockWait?: LockWait;
  /** Whether texts are indexed; by default they are not. */
  readonly indexesTexts?: boolean;
  /** Publishes a connection's graph; by default with `graphs`. */
  readonly publish?: (connectionId: number, graphs: Graphs) => Promise<void>;
  readonly log?: Logger;
}

/** All of Clew that it takes to sync, without a server. */
export interface Syncing {
  readonly database: Database;
  readonly graphs: Graphs;
  /** Null unless `indexesTexts`. */
  readonly texts: TextIndex | null;
  readonly provider: Provider;
  readonly secrets: Secrets;
  readonly sync: SyncService;
  /** Another sync service over the same database, as after a restart. */
  createService(allowed?: AllowList, provider?: Provider): SyncService;
  /** Signs in at the stand-in and connects, without requesting a sync; a second time the grant is replaced. */
  connect(choice?: ConsentChoice): Promise<Connection>;
  /** Stores a connection of a new user with this access token. */
  connectWithToken(person: string, accessToken: string): Promise<Connection>;
  connection(id: number): Promise<Connection>;
  /** Requests a sync and waits for its end, successful or not. */
  run(id: number, wish?: SyncRequest): Promise<{ connection: Connection; report: SyncReport }>;
  /** Waits until the connection's sync has ended. */
  end(id: number): Promise<Connection>;
  close(): Promise<void>;
}

export async function openSyncing(options: SyncingOptions): Promise<Syncing> {
  const {
    location,
    apiUrl = "http://localhost/",
    key = randomBytes(32),
    clock = Date.now,
    wrapDatabase = (same) => same,
  } = options;
  const { publish = (id, graphs) => graphs.publish(id) } = options;
  const {
    memoryLimit,
    smallNodes,
    secondLookAfter = null,
    looks = false,
    storage,
    onEnded,
    indexesTexts,
    betweenPolls,
    lookEveryMs = 2,
    lockWait,
    ...notion
  } = options;
  const { log = pino({ level: process.env.LOG_LEVEL ?? "silent" }) } = options;
  const createNotion = () =>
    createNotionProvider({
      slug: "stand-in",
      aliases: [],
      name: "Stand-in",
      standIn: true,
      random: randomBytes,
      fetch: globalThis.fetch,
      requestsPerMinute: Number.POSITIVE_INFINITY,
      ...notion,
      ...client,
      clock,
      apiUrl: new URL(apiUrl),
    });
  const { provider = createNotion() } = options;
  const database = wrapDatabase(await openDatabase({ location, ...(lockWait && { lockWait }) }));
  const secrets = createSecrets(key, randomBytes);
  const texts = indexesTexts ? new TextIndex({ database, log }) : null;
  const graphs = new Graphs({ database, clock, ...(texts && { texts }) });
  const services: SyncService[] = [];
  const { slug, people } = provider;
  const ownAllowed = { ...everybody, sources: { [slug]: { people, isListed: true } } };
  const createService = (allowed: AllowList = ownAllowed, readsFrom = provider) => {
    const service = new SyncService({
      database,
      sources: new Sources(readsFrom),
      secrets,
      allowed,
      clock,
      graphs: { publish: (id) => publish(id, graphs) },
      random: randomBytes,
      secondLookAfter,
      looks,
      storage,
      onEnded,
      sleep: betweenPolls,
      log,
      ...(memoryLimit !== undefined && { memoryLimit }),
      ...(smallNodes !== undefined && { smallNodes }),
    });
    services.push(service);
    return service;
  };
  const sync = createService();

  const store = (
    userId: string,
    workspaceId: string,
    grant: Parameters<typeof sealTokens>[2] & { grantId: string },
  ) =>
    database.transaction(async (trx) => {
      const person = { newId: userId, provider: provider.people, providerUserId: userId };
      const user = await upsertUser(trx, { ...person, name: null, email: null, avatarUrl: null }, clock());
      const owner = { userId: user.id, workspaceId };
      const tokens = {
        provider: provider.slug,
        grantId: grant.grantId,
        ...sealTokens(secrets, owner, grant),
      };
      return upsertConnection(trx, { ...owner, ...tokens, name: null, icon: null }, clock());
    });
  const connection = async (id: number) => {
    const found = await findConnection(database.read, id);
    if (found === null) throw new Error("The connection is gone");
    return found;
  };
  const end = async (id: number) => {
    for (;;) {
      const found = await connection(id);
      if (["idle", "failed"].includes(found.sync.state)) return found;
      await setTimeout(lookEveryMs);
    }
  };

  return {
    database,
    graphs,
    texts,
    provider,
    secrets,
    sync,
    createService,
    connection,
    end,

    async connect(choice) {
      const redirectUri = "http://localhost/callback";
      const answer = await giveConsent(provider.authorizationUrl({ state: "s", redirectUri }), choice);
      const code = new URL(answer).searchParams.get("code") ?? "";
      const signal = new AbortController().signal;
      const {
        id: grantId,
        person,
        workspace,
        ...tokens
      } = await provider.exchange({ code, redirectUri, signal });
      return store(person.id, workspace.id, { grantId, ...tokens });
    },

    connectWithToken: (person, accessToken) =>
      store(person, `workspace of ${person}`, { grantId: "grant", accessToken, refreshToken: null }),

    async run(id, wish = {}) {
      await sync.request(id, wish);
      const ended = await end(id);
      const [report] = await syncReportsOf(database.read, id);
      if (report === undefined) throw new Error("The sync has left no report");
      return { connection: ended, report };
    },

    async close() {
      await Promise.all([graphs.close(), ...services.map((service) => service.stop())]);
      await texts?.close();
      await database.close();
    },
  };
}
