import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import { pino } from "pino";
import { Graphs } from "../../graphs/graphs.ts";
import type { Connection } from "../../model/connection.ts";
import { Sources } from "../../providers/sources.ts";
import { createSecrets } from "../../secrets/secrets.ts";
import { findConnection, upsertConnection } from "../../store/queries/connections.ts";
import { upsertNodes } from "../../store/queries/graph-pages.ts";
import { insertServiceToken, listServiceTokens } from "../../store/queries/service-tokens.ts";
import { openSession } from "../../store/queries/sessions.ts";
import { page, scratchDatabase, someHash, someUser } from "../../store/testing/scratch.ts";
import { sealTokens } from "../grant.ts";
import type { RemovalServices } from "../remove.ts";
import { requestJob } from "../request-sync.ts";

/** The services for removals, on a real database, with a provider that the test controls. */
export async function createRemovalFixture(t: TestContext) {
  const { database, location } = await scratchDatabase(t);
  const secrets = createSecrets(randomBytes(32), randomBytes);
  const time = { now: 1_000_000 };
  const clock = () => time.now;
  const graphs = new Graphs({ database, clock });
  const logged: string[] = [];
  const abandoned: number[] = [];
  const revoked: string[] = [];
  const provider = {
    slug: "some",
    /** The provider's response to a revocation. */
    answer: async (): Promise<void> => {},
    async revoke(token: string) {
      revoked.push(token);
      await provider.answer();
    },
  };
  const services: RemovalServices = {
    database,
    secrets,
    graphs,
    clock,
    sync: { abandon: async (id) => void abandoned.push(id) },
    log: pino({ level: "debug" }, { write: (line: string) => void logged.push(line) }),
  };
  return {
    services: { ...services, sources: new Sources(provider) },
    database,
    location,
    provider,
    graphs,
    time,
    logged,
    abandoned,
    revoked,
    user: () => someUser(database),
    /** Adds a connection with a waiting sync and two published pages. */
    async connect(userId: string, workspaceId: string): Promise<Connection> {
      const owner = { userId, workspaceId };
      const tokens = { accessToken: `access ${userId} ${workspaceId}`, refreshToken: null };
      const grant = {
        ...owner,
        ...sealTokens(secrets, owner, tokens),
        name: null,
        icon: null,
        provider: "some",
        grantId: "grant",
      };
      const { id } = await database.transaction(async (trx) => {
        const connection = await upsertConnection(trx, grant, clock());
        await requestJob(trx, connection.id, { by: "sign-in" }, clock());
        await upsertNodes(trx, connection.id, [page(1), page(2)]);
        return connection;
      });
      await graphs.publish(id);
      const connection = await findConnection(database.read, id);
      if (connection === null) throw new Error("The connection is gone");
      return connection;
    },
    session: (id: string, userId: string) =>
      database.transaction((trx) =>
        openSession(trx, { id, userId, userAgent: null, createdAt: 1, refreshExpiresAt: 2 }),
      ),
    token: async (userId: string, workspaceIds: readonly string[]) => {
      const token = { userId, workspaceIds, hash: someHash(), name: "token", prefix: "svc_12345678" };
      const rest = { scopes: ["graph:read"], expiresInDays: null, createdAt: 1, expiresAt: null } as const;
      return (await database.transaction((trx) => insertServiceToken(trx, { ...token, ...rest }))).id;
    },
    /** The user's tokens by id: their workspaces, and when they were revoked. */
    async tokens(userId: string) {
      const all = await listServiceTokens(database.read, userId, { now: clock(), limit: 100 });
      return new Map(all.map(({ id, workspaceIds, revokedAt }) => [id, { workspaceIds, revokedAt }]));
    },
    /** The number of rows of a table. */
    async rows(
      table: "connections" | "nodes" | "sync_jobs" | "revocations" | "sessions" | "users" | "tombstones",
    ) {
      return (await database.read.selectFrom(table).selectAll().execute()).length;
    },
  };
}
