import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type ConsentChoice,
  startTestStandIn,
  type TestStandIn,
  type TestStandInOptions,
} from "@clew/stand-in/testing";
import { pino } from "pino";
import type { SyncRequest } from "../../packages/server/src/connections/request-sync.ts";
import { createGraphs, type Graphs } from "../../packages/server/src/graph-cache/graphs.ts";
import type { Connection } from "../../packages/server/src/model/connection.ts";
import type { SyncReport } from "../../packages/server/src/model/sync-report.ts";
import {
  createNotionProvider,
  type NotionOptions,
} from "../../packages/server/src/provider/notion/provider.ts";
import { createSecrets } from "../../packages/server/src/secrets/secrets.ts";
import { openDatabase } from "../../packages/server/src/store/database.ts";
import type { Database } from "../../packages/server/src/store/port.ts";
import { findConnection } from "../../packages/server/src/store/queries/connections.ts";
import { syncReportsOf } from "../../packages/server/src/store/queries/sync-reports.ts";
import { createSyncService, type SyncService } from "../../packages/server/src/sync/service.ts";
import { connectAtStandIn } from "../../packages/server/src/sync/testing/connect.ts";

/** The provider's client, as both sides know it. */
const client = { clientId: "clew-under-test", clientSecret: "known to both" };

/** Serves a folder of Markdown to `openSyncing`, without a rate limit unless the options say otherwise. */
export function serveWorkspace(
  directory: string,
  options: Partial<TestStandInOptions> = {},
): Promise<TestStandIn> {
  return startTestStandIn({ ...client, directory, ...options });
}

interface SyncingOptions
  extends Partial<Pick<NotionOptions, "clock" | "fetch" | "sleep" | "requestsPerMinute">> {
  /** The file of the database. */
  readonly path: string;
  /** The provider's address. */
  readonly apiUrl: string;
  /** The key that seals grants: the same for all who use the file, in turn or together. */
  readonly key: Uint8Array;
  /** What takes the place of the database, for whoever watches it. */
  readonly watched?: (database: Database) => Database;
  /** Told of each publication, when it is over. */
  readonly onPublish?: () => void;
}

/** All of Clew that it takes to sync, without a server. */
export interface Syncing {
  readonly database: Database;
  readonly graphs: Graphs;
  readonly sync: SyncService;
  /** Signs in as somebody does, and connects; a second time the grant is replaced. Answers with the connection's id. */
  connect(choice?: ConsentChoice): Promise<number>;
  connection(id: number): Promise<Connection>;
  /** Asks for a sync and waits for its end, well or not. */
  run(id: number, wish?: SyncRequest): Promise<{ connection: Connection; report: SyncReport }>;
  /** Waits until the connection's sync rests. */
  end(id: number): Promise<Connection>;
  close(): Promise<void>;
}

/** Opens the database, and a sync service over it whose provider has no rate limit unless the options give one. */
export async function openSyncing(options: SyncingOptions): Promise<Syncing> {
  const { path, apiUrl, key, clock = Date.now, watched = (database) => database } = options;
  const { fetch = globalThis.fetch, requestsPerMinute = Number.POSITIVE_INFINITY } = options;
  const provider = createNotionProvider({
    ...client,
    slug: "stand-in",
    aliases: [],
    name: "Stand-in",
    standIn: true,
    apiUrl: new URL(apiUrl),
    random: randomBytes,
    clock,
    fetch,
    requestsPerMinute,
    ...(options.sleep === undefined ? {} : { sleep: options.sleep }),
  });
  const database = watched(await openDatabase({ path }));
  const secrets = createSecrets(key, randomBytes);
  const graphs = createGraphs({ database, clock });
  const sync = createSyncService({
    database,
    provider,
    secrets,
    allowed: { workspaces: [], emails: [], anyone: true },
    clock,
    graphs: {
      async publish(id) {
        await graphs.publish(id);
        options.onPublish?.();
      },
    },
    random: randomBytes,
    secondLookAfter: null,
    log: pino({ level: process.env.LOG_LEVEL ?? "silent" }),
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
      await sleep(2);
    }
  };

  return {
    database,
    graphs,
    sync,
    connection,
    end,

    connect: async (choice) => (await connectAtStandIn({ database, provider, secrets, clock }, choice)).id,

    async run(id, wish = {}) {
      await sync.request(id, wish);
      const ended = await end(id);
      const [report] = await syncReportsOf(database.read, id);
      if (report === undefined) throw new Error("The sync has left no report");
      return { connection: ended, report };
    },

    async close() {
      await Promise.all([graphs.close(), sync.stop()]);
      await database.close();
    },
  };
}
