import { randomUUID } from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { graphFilePath, graphFolder } from "../../packages/server/src/config/data-dir.ts";
import { GraphFiles } from "../../packages/server/src/graphs/graph-files.ts";
import { Graphs } from "../../packages/server/src/graphs/graphs.ts";
import type { Connection } from "../../packages/server/src/model/connection.ts";
import { openDatabase } from "../../packages/server/src/store/database.ts";
import {
  findConnection,
  publishRevision,
  upsertConnection,
} from "../../packages/server/src/store/queries/connections.ts";
import { storeWorkspace } from "./workspace/store.ts";
import { makeWorkspace } from "./workspace/workspace.ts";

/**
 * Measures graphs that are not in memory: `GRAPHS=20 PAGES=2000 npm run bench cold`. Each is of a person of its own. They are built
 * one after the other, then read from their files one after the other, as after a restart, and then all at once. With
 * `COPIES=120` that takes 120 files of each.
 */
const graphs = Number(process.env.GRAPHS ?? 20);
const pages = Number(process.env.PAGES ?? 2_000);
const copies = Number(process.env.COPIES ?? 1);

interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
}

const fingerprint = new Uint8Array(16);
const folder = await mkdtemp(join(tmpdir(), "clew-bench-"));
try {
  const location = { kind: "sqlite", path: join(folder, "clew.db") } as const;
  const stored: number[] = [];
  for (let number = 0; number < graphs; number += 1) {
    const workspace = makeWorkspace(number + 1, pages);
    stored.push((await storeWorkspace(workspace, location, "bench", number)).connectionId);
  }
  const database = await openDatabase({ location });
  /** An instance of Clew as it starts. */
  const start = () => {
    const files = new GraphFiles({
      dataDir: folder,
      fingerprint,
      maxBytes: Number.POSITIVE_INFINITY,
      clock: Date.now,
      log: pino({ level: "warn" }),
    });
    const served = new Graphs({ database, clock: Date.now, files, budget: Number.POSITIVE_INFINITY });
    return { files, served, current: (connection: Connection) => served.current(connection) };
  };
  const connections = await Promise.all(stored.map(connectionOf));
  console.log(`${graphs} graphs of ${pages} pages, ${cpus()[0]?.model}, load ${loadText()}`);

  const first = start();
  report("built", await oneByOne(first.current, connections));
  await first.files.settled();
  const all = [...connections];
  for (const connection of connections) {
    const { graph } = await first.current(connection);
    for (let number = 1; number < copies; number += 1) {
      const copy = await copyOf(connection);
      first.files.keep({ connectionId: copy.id, revision: 1, mark: copy.mark }, graph.columns);
      all.push(await connectionOf(copy.id));
    }
    const { wallMs, cpuMs } = await measured(() => first.files.settled());
    if (connection === connections[0] && copies > 1)
      console.log(`written: ${show({ wallMs: wallMs / (copies - 1), cpuMs: cpuMs / (copies - 1) })} each`);
  }
  const file = await stat(graphFilePath(graphFolder(folder, fingerprint), connections[0]?.id ?? 0));
  console.log(`a file: ${(file.size / 1e6).toFixed(2)} MB`);
  await first.served.close();

  const second = start();
  report("read from its file", await oneByOne(second.current, connections));
  await second.served.close();

  const third = start();
  const cost = await measured(() => Promise.all(all.map(third.current)));
  console.log(`${all.length} at once, from files: ${show(cost)}; load ${loadText()}`);
  await third.served.close();
  await database.close();

  async function connectionOf(id: number): Promise<Connection> {
    const connection = await findConnection(database.read, id);
    if (connection === null) throw new Error("The connection is gone.");
    return connection;
  }

  /** A connection of the same person with a graph that was published, but has no pages in the database. */
  async function copyOf({ userId }: Connection): Promise<{ readonly id: number; readonly mark: string }> {
    const mark = randomUUID();
    const grant = {
      userId,
      workspaceId: randomUUID(),
      name: "Bench",
      icon: null,
      provider: "bench",
      grantId: "bench",
      accessToken: Uint8Array.of(1),
      refreshToken: null,
    };
    return database.transaction(async (trx) => {
      const { id } = await upsertConnection(trx, grant, Date.now());
      await trx
        .updateTable("connections")
        .set({ revision: 1, graph_mark: mark })
        .where("id", "=", id)
        .execute();
      await publishRevision(trx, id, 1);
      return { id, mark };
    });
  }
} finally {
  await rm(folder, { recursive: true });
}

async function oneByOne(
  current: (connection: Connection) => ReturnType<Graphs["current"]>,
  connections: readonly Connection[],
): Promise<readonly Cost[]> {
  const costs: Cost[] = [];
  for (const connection of connections) {
    const cost = await measured(async () => {
      const { graph } = await current(connection);
      if (graph.nodeCount !== pages) throw new Error(`The graph has ${graph.nodeCount} pages.`);
    });
    costs.push(cost);
  }
  return costs;
}

/** The time of the processor is that of the whole process. */
async function measured(work: () => Promise<unknown>): Promise<Cost> {
  const [began, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() - began };
}

function report(what: string, [first, ...later]: readonly Cost[]): void {
  if (first !== undefined) console.log(`${what}, first: ${show(first)}`);
  const median = (pick: (cost: Cost) => number) =>
    later.map(pick).toSorted((one, other) => one - other)[Math.floor(later.length / 2)] ?? 0;
  if (later.length > 0)
    console.log(
      `${what}, later, median: ${show({ cpuMs: median(({ cpuMs }) => cpuMs), wallMs: median(({ wallMs }) => wallMs) })}`,
    );
}

function show({ cpuMs, wallMs }: Cost): string {
  return `${cpuMs.toFixed(1)} ms of processor time, ${wallMs.toFixed(1)} ms in all`;
}

function loadText(): string {
  return loadavg()[0]?.toFixed(1) ?? "";
}
