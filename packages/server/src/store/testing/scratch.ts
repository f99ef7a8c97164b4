import { randomBytes } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { parseNodeId, type Reference } from "@clew/graph";
import { sql } from "kysely";
import type { DatabaseLocation } from "../../model/database-location.ts";
import type { ServiceToken } from "../../model/service-token.ts";
import type { SyncReport } from "../../model/sync-report.ts";
import { openDatabase } from "../database.ts";
import type { Database } from "../port.ts";
import { upsertConnection } from "../queries/connections.ts";
import type { ReadNode } from "../queries/node-facts.ts";
import { insertServiceToken, type NewServiceToken } from "../queries/service-tokens.ts";
import { upsertUser } from "../queries/users.ts";
import { newLocation, removeFolder, type ScratchLocation, scratchRoot } from "./location.ts";
import "./repeat-transactions.ts";

/** A folder of the test's own. */
export async function scratchFolder(test: TestContext): Promise<string> {
  const folder = await mkdtemp(join(scratchRoot, "clew-store-"));
  test.after(() => removeFolder(folder));
  return folder;
}

/** A new database; its transactions run twice (repeat-transactions.ts). */
export async function scratchDatabase(
  test: TestContext,
): Promise<{ database: Database } & Pick<ScratchLocation, "location" | "url">> {
  const { location, url, remove } = await newLocation();
  const database = await openDatabase({ location });
  test.after(async () => {
    await database.close();
    await remove();
  });
  return { database, location, url };
}

/** The location of a new database of the test's own. */
export async function scratchLocation(test: TestContext): Promise<DatabaseLocation> {
  const { location, remove } = await newLocation();
  test.after(remove);
  return location;
}

/** A new database in a file, whatever the tests of this process use. */
export async function scratchFile(test: TestContext): Promise<{ database: Database; path: string }> {
  const path = join(await scratchFolder(test), "clew.sqlite");
  const database = await openDatabase({ location: { kind: "sqlite", path } });
  test.after(() => database.close());
  return { database, path };
}

/** A new user's id. */
export async function someUser(database: Database): Promise<string> {
  const newId = randomBytes(8).toString("hex");
  const person = { newId, provider: "some", providerUserId: newId, name: null, email: null, avatarUrl: null };
  await database.transaction((trx) => upsertUser(trx, person, 1));
  return newId;
}

/** A new connection's id, of a user and a workspace of its own unless they are given. */
export async function someConnection(
  database: Database,
  userId?: string,
  workspaceId = randomBytes(8).toString("hex"),
): Promise<number> {
  const grant = {
    userId: userId ?? (await someUser(database)),
    workspaceId,
    name: null,
    icon: null,
    provider: "some",
    grantId: "grant",
    accessToken: Uint8Array.of(1),
    refreshToken: null,
  };
  const { id } = await database.transaction((trx) => upsertConnection(trx, grant, 1));
  return id;
}

/** A new token of a user. Values that are not given are made up. */
export function someToken(
  database: Database,
  userId: string,
  given: Partial<NewServiceToken> = {},
): Promise<ServiceToken> {
  const token: NewServiceToken = {
    userId,
    name: "Agent",
    hash: someHash(),
    prefix: "svc_abcdefgh",
    scopes: ["graph:search", "graph:read"],
    workspaceIds: ["b", "a"],
    expiresInDays: null,
    createdAt: 1000,
    expiresAt: null,
    ...given,
  };
  return database.transaction((trx) => insertServiceToken(trx, token));
}

/** A connection's new id in a database of an earlier schema, which lacks some of the columns that queries read. */
export async function someEarlierConnection(database: Database): Promise<number> {
  const values = sql`${await someUser(database)}, ${randomBytes(8).toString("hex")}, 'grant', ${Uint8Array.of(1)}`;
  const { rows } = await database.transaction((trx) =>
    sql<{
      id: number;
    }>`insert into connections (user_id, workspace_id, bot_id, access_token, connected_at, sync_state, sync_done)
      values (${values}, 1, 'queued', 0) returning id`.execute(trx),
  );
  return rows[0]?.id ?? 0;
}

/** The node id that ends in `number`. */
export function nodeId(number: number): string {
  const id = parseNodeId(number.toString(16).padStart(32, "0"));
  if (id === null) throw new RangeError(`No node id: ${number}`);
  return id;
}

/** A page. Values that are not given are made up. */
export function page(number: number, given: Partial<ReadNode> = {}): ReadNode {
  return {
    id: nodeId(number),
    type: "page",
    title: `Page ${number}`,
    icon: null,
    url: null,
    parentId: null,
    createdAt: 1,
    updatedAt: 1,
    properties: {},
    ...given,
  };
}

/** A reference to the page of that number. Values that are not given are made up. */
export function referenceTo(number: number, given: Partial<Reference> = {}): Reference {
  return { type: "link", targetId: nodeId(number), name: null, count: 1, ...given };
}

/** A report of a complete sync. Values that are not given are made up. */
export function someReport(given: Partial<SyncReport> = {}): SyncReport {
  return {
    kind: "incremental",
    outcome: "complete",
    startedAt: 1,
    finishedAt: 2,
    error: null,
    found: { search: 1, rows: 2, crawl: 3 },
    fetched: 4,
    removed: 5,
    failed: [],
    failedTotal: 0,
    unanswered: ["A question"],
    unsupported: [{ kind: "block", type: "form", count: 2 }],
    notShared: 3,
    unresolved: 6,
    orphans: 7,
    source: null,
    ...given,
  };
}

/** 32 random bytes in place of a hash. */
export function someHash(): Uint8Array {
  return new Uint8Array(randomBytes(32));
}
