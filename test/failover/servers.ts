import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { appendFile, chown, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { connectTo } from "../../packages/server/src/store/testing/location.ts";
import { freePort } from "../../scripts/free-port.ts";
import { unprivileged } from "../../scripts/unprivileged.ts";

/** The folder of the newest PostgreSQL on Debian and Ubuntu; null if none is installed. */
export const serverPrograms = globSync("/usr/lib/postgresql/*/bin").sort().at(-1) ?? null;

/** A PostgreSQL server in a folder of its own. */
export interface Server {
  readonly port: number;
  query(statement: string): Promise<Record<string, unknown>[]>;
  /** Ends all of its processes at once, as a machine does that fails, and removes its data. */
  kill(): Promise<void>;
}

const settings = [
  "listen_addresses = '127.0.0.1'",
  "unix_socket_directories = ''",
  "max_connections = 200",
  "log_destination = 'stderr'",
];

/** A new server with an empty database. */
export async function startPrimary(): Promise<Server> {
  const folder = await newFolder();
  const data = join(folder, "data");
  await runProgram("initdb", "-D", data, "-U", "clew", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8");
  await appendFile(join(data, "postgresql.conf"), `\n${settings.join("\n")}\n`);
  return startServer(folder);
}

/** A copy of a server that follows it. Returns once each commit of the primary waits until the copy has it on its disk. */
export async function startReplica(primary: Server): Promise<Server> {
  const folder = await newFolder();
  const source = ["-h", "127.0.0.1", "-p", String(primary.port), "-U", "clew"];
  await runProgram("pg_basebackup", ...source, "-D", join(folder, "data"), "-R", "--checkpoint=fast");
  const replica = await startServer(folder);
  // Not copied, since it is set after the copy: a promoted replica waits for no other.
  await primary.query("alter system set synchronous_standby_names = '*'");
  await primary.query("select pg_reload_conf()");
  const state = "select from pg_stat_replication where sync_state = 'sync'";
  while ((await primary.query(state)).length === 0) await sleep(50);
  return replica;
}

/** The folder must belong to the user of the server. */
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "clew-failover-"));
  const user = unprivileged();
  if (user !== null) await chown(folder, user.uid, user.gid);
  return folder;
}

function pathOf(program: string): string {
  if (serverPrograms === null) throw new Error("PostgreSQL is not installed: install the package postgresql");
  return join(serverPrograms, program);
}

async function runProgram(program: string, ...args: string[]): Promise<void> {
  await promisify(execFile)(pathOf(program), args, { cwd: "/", ...unprivileged() });
}

async function startServer(folder: string): Promise<Server> {
  const port = await freePort();
  const args = ["-D", join(folder, "data"), "-p", String(port)];
  const child = spawn(pathOf("postgres"), args, {
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe"],
    ...unprivileged(),
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log = `${log}${text}`.slice(-5_000);
  });
  const location = `postgres://clew@127.0.0.1:${port}/postgres`;
  for (let attempt = 0; ; attempt += 1) {
    const client = await connectTo(location).catch(() => null);
    await client?.end();
    if (client !== null) break;
    if (attempt === 200 || child.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${log}`);
    await sleep(50);
  }
  return {
    port,
    async query(statement) {
      const client = await connectTo(location);
      try {
        return (await client.query(statement)).rows;
      } finally {
        await client.end();
      }
    },
    async kill() {
      await killAll(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Its children would serve their clients for a while without it. */
async function killAll(child: ChildProcess): Promise<void> {
  const { pid, exitCode, signalCode } = child;
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  // It starts no further ones while it is stopped.
  process.kill(pid, "SIGSTOP");
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim().split(" ");
  const closed = once(child, "close");
  process.kill(pid, "SIGKILL");
  for (const each of children) {
    try {
      process.kill(Number(each), "SIGKILL");
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
  await closed;
}
