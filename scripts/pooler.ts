import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./free-port.ts";
import { unprivileged } from "./unprivileged.ts";

/** A pgbouncer in transaction mode, for tests. */
export interface Pooler {
  /** On loopback. */
  readonly port: number;
  stop(): Promise<void>;
}

const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];

/** The program; null if it is not installed. */
export const pgbouncer =
  folders.map((folder) => join(folder, "pgbouncer")).find((path) => existsSync(path)) ?? null;

/** Connections to each database, fewer than Clew's own pool has, so that transactions share them. */
const connectionsEach = 6;

/** Starts a pooler for all databases of the server that a URL names. */
export async function openPooler(serverUrl: string): Promise<Pooler> {
  if (pgbouncer === null) throw new Error("pgbouncer is not installed: install the package pgbouncer");
  const { hostname, port: serverPort, username, password } = new URL(serverUrl);
  const folder = await mkdtemp(join(tmpdir(), "clew-pooler-"));
  const port = await freePort();
  const server = `host=${hostname} port=${serverPort || 5432} user=${decodeURIComponent(username)} password=${decodeURIComponent(password)}`;
  const file = join(folder, "pgbouncer.ini");
  const settings = [
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    "max_client_conn = 2000",
    `default_pool_size = ${connectionsEach}`,
    "server_idle_timeout = 5",
    // Writes no files; what it logs is on its standard error.
    "logfile =",
    "pidfile =",
  ];
  await writeFile(file, ["[databases]", `* = ${server}`, "[pgbouncer]", ...settings, ""].join("\n"), {
    mode: 0o600,
  });
  // It refuses to run as root.
  const user = unprivileged();
  if (user !== null) for (const path of [folder, file]) await chown(path, user.uid, user.gid);
  const child = spawn(pgbouncer, ["-q", file], { stdio: ["ignore", "ignore", "pipe"], ...user });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log = `${log}${text}`.slice(-10_000);
  });
  const ended = once(child, "close");
  await untilItAccepts(child, port, () => log);
  return {
    port,
    async stop() {
      // Ends at once, also with clients.
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilItAccepts(child: ChildProcess, port: number, log: () => string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (child.exitCode !== null) break;
    const socket = connect(port, "127.0.0.1");
    const accepts = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (accepts) return;
    await sleep(50);
  }
  child.kill("SIGKILL");
  throw new Error(`pgbouncer did not start:\n${log()}`);
}
