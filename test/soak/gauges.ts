import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";

/** The process, ports and folder of an instance. */
export interface Place {
  readonly pid: number;
  readonly metricsPort: number;
  readonly dataDir: string;
}

/** Quantities of all instances together at one time: the sum of each, or the longest delay. */
export type Reading = Readonly<Record<Quantity, number>>;

/**
 * The quantities, with their units and the growth in an hour that is allowed at most: of each instance, or of what they share.
 */
export const quantities = {
  memory: { unit: "MB", mostPerHour: 48, of: "each instance" },
  heap: { unit: "MB", mostPerHour: 24, of: "each instance" },
  "open files": { unit: "", mostPerHour: 20, of: "each instance" },
  // Each sign-in, token and edit leaves lines in the audit trail and in the changes.
  database: { unit: "MB", mostPerHour: 200, of: "all" },
  "write-ahead log": { unit: "MB", mostPerHour: 16, of: "each instance" },
  "text index": { unit: "MB", mostPerHour: 24, of: "each instance" },
  "files of graphs": { unit: "MB", mostPerHour: 4, of: "each instance" },
  "event loop p99": { unit: "ms", mostPerHour: 20, of: "all" },
} as const;
export type Quantity = keyof typeof quantities;

/** Their names, in their order. */
export const quantityNames: readonly Quantity[] = [
  "memory",
  "heap",
  "open files",
  "database",
  "write-ahead log",
  "text index",
  "files of graphs",
  "event loop p99",
];

const megabyte = 1e6;

/** Reads the quantities of instances, and the size of their PostgreSQL if they have one. */
export async function readGauges(places: readonly Place[], databaseUrl: string | null): Promise<Reading> {
  const readings = await Promise.all(places.map(readInstance));
  const total = (quantity: Quantity) => readings.reduce((sum, each) => sum + each[quantity], 0);
  return {
    memory: total("memory"),
    heap: total("heap"),
    "open files": total("open files"),
    database: total("database") + (databaseUrl === null ? 0 : await databaseSize(databaseUrl)),
    "write-ahead log": total("write-ahead log"),
    "text index": total("text index"),
    "files of graphs": total("files of graphs"),
    "event loop p99": Math.max(...readings.map((each) => each["event loop p99"])),
  };
}

async function readInstance({ pid, metricsPort, dataDir }: Place): Promise<Reading> {
  const [metrics, files, descriptors] = await Promise.all([
    fetch(`http://127.0.0.1:${metricsPort}/metrics`).then((response) => response.text()),
    fileSizes(dataDir),
    readdir(`/proc/${pid}/fd`),
  ]);
  const metric = (name: string) => {
    const line = metrics.split("\n").find((each) => each.startsWith(`${name} `));
    if (line === undefined) throw new Error(`there is no metric ${name}`);
    return Number(line.slice(name.length + 1));
  };
  const sizeOf = (pattern: RegExp) =>
    [...files].reduce((sum, [path, size]) => (pattern.test(path) ? sum + size / megabyte : sum), 0);
  return {
    memory: metric("process_resident_memory_bytes") / megabyte,
    heap: metric("nodejs_heap_size_used_bytes") / megabyte,
    "open files": descriptors.length,
    database: sizeOf(/^clew\.db$/),
    "write-ahead log": sizeOf(/-wal$/),
    "text index": sizeOf(/^text-index\.db$/),
    "files of graphs": sizeOf(/^graphs\//),
    "event loop p99": metric("nodejs_eventloop_lag_p99_seconds") * 1000,
  };
}

async function fileSizes(folder: string): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  for (const path of await readdir(folder, { recursive: true })) {
    // A file may be gone by now.
    const file = await stat(join(folder, path)).catch(() => null);
    if (file?.isFile()) sizes.set(path, file.size);
  }
  return sizes;
}

async function databaseSize(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ size: string }>(
      "select pg_database_size(current_database()) as size",
    );
    return Number(rows[0]?.size) / megabyte;
  } finally {
    await client.end();
  }
}
