import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { GraphColumns } from "@clew/graph";
import { graphFilePath, graphFolder } from "../config/data-dir.ts";
import type { Log } from "../model/log.ts";
import { freeBytesAt } from "../model/machine.ts";
import type { Clock } from "../model/runtime.ts";
import { codeOf, reasonOf } from "../model/thrown.ts";
import { createTurns } from "../model/turns.ts";
import { GraphFileError, type GraphIdentity, readGraphFile, writeGraphFile } from "./graph-file.ts";

interface GraphFilesOptions {
  /** DATA_DIR. */
  readonly dataDir: string;
  /** The id of the installation. */
  readonly fingerprint: Uint8Array;
  /** Bytes that all files may take at most, however large the disk is. */
  readonly maxBytes: number;
  /** The clock of this machine, which is that of its files. */
  readonly clock: Clock;
  readonly log: Log;
  /** Free bytes on the disk of a path. */
  readonly freeBytes?: (path: string) => Promise<number>;
}

/** All files take at most this share of the room that the disk would have without them. */
const shareOfDisk = 1 / 4;

/** Fewer free bytes than these: all files are deleted. Twice as many have to be free for another one. */
const minFreeBytes = 256 * 1024 ** 2;

/** The share of the permitted bytes that is left once the oldest files were deleted, so that this is seldom done. */
const keptShare = 0.9;

/** Files that are read at a time: each takes a descriptor, and a large one memory. */
const readsAtOnce = 8;

/** Milliseconds after which a file that was never finished is deleted: its process has ended. */
const maxUnfinishedMs = 10 * 60_000;

const graphName = /^(\d+)\.graph$/;

/**
 * Built graphs in files of DATA_DIR, one for each connection, so that a graph is read after a restart instead of built. They are
 * derived data: every failure is logged and costs a build. Several processes may share the folder.
 */
export class GraphFiles {
  readonly #options: GraphFilesOptions;
  readonly #folder: string;
  readonly #freeBytes: (path: string) => Promise<number>;
  readonly #turns = createTurns({ atOnce: readsAtOnce });
  /** Bytes of the files by connection, as far as this process knows of them. */
  readonly #bytes = new Map<number, number>();
  /** Graphs that wait to be written, the newest of each connection. */
  readonly #waiting = new Map<number, { readonly identity: GraphIdentity; readonly columns: GraphColumns }>();
  /** Removed connections: a write under way must not bring their files back. */
  readonly #forgotten = new Set<number>();
  readonly #closing = new AbortController();
  #writing: Promise<void> | null = null;
  /** The latest failure to write; null after a success. The same one is logged once. */
  #failure: string | null = null;

  constructor(options: GraphFilesOptions) {
    this.#options = options;
    this.#folder = graphFolder(options.dataDir, options.fingerprint);
    this.#freeBytes = options.freeBytes ?? freeBytesAt;
  }

  /** The columns of a graph; null if no file has them. Deletes a file that has another graph or is damaged. */
  read(identity: GraphIdentity): Promise<GraphColumns | null> {
    return this.#turns({}, () => this.#read(identity));
  }

  /** Writes a graph in the background, in place of an earlier one of its connection. */
  keep(identity: GraphIdentity, columns: GraphColumns): void {
    if (this.#closing.signal.aborted || this.#forgotten.has(identity.connectionId)) return;
    this.#waiting.set(identity.connectionId, { identity, columns });
    this.#writing ??= this.#writeWaiting();
  }

  /** Resolves once no graph waits to be written. */
  async settled(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
  }

  /** Deletes the file of a removed connection. */
  forget(connectionId: number): void {
    this.#forgotten.add(connectionId);
    this.#waiting.delete(connectionId);
    void this.#delete(connectionId);
  }

  /**
   * Deletes what has no place here: files of connections that are gone, files of other installations, files that were
   * never finished, and all of them while the disk is short of room. `live` says which of some connections are there. To be
   * repeated.
   */
  async tend(live: (connectionIds: readonly number[]) => Promise<ReadonlySet<number>>): Promise<void> {
    await this.#deleteStrangers();
    const names = await namesIn(this.#folder);
    const ids = names.flatMap((name) => Number(graphName.exec(name)?.[1] ?? []));
    await Promise.all(names.map((name) => (graphName.test(name) ? undefined : this.#deleteUnfinished(name))));
    const there = await live(ids);
    const isShort = ids.length > 0 && (await this.#freeBytes(this.#folder)) < minFreeBytes;
    for (const id of ids) if (isShort || !there.has(id)) await this.#delete(id);
    await this.#count(isShort ? [] : ids.filter((id) => there.has(id)));
  }

  /** Writes no more: a file under way is dropped. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("Clew stops"));
    this.#waiting.clear();
    await this.settled();
  }

  async #read(identity: GraphIdentity): Promise<GraphColumns | null> {
    const { connectionId } = identity;
    const path = this.#pathOf(connectionId);
    try {
      const columns = await readGraphFile(path, identity);
      const now = this.#options.clock() / 1000;
      // The files that were used longest ago are deleted first. On a read-only disk it fails, and none is.
      await utimes(path, now, now).catch(() => {});
      return columns;
    } catch (error) {
      if (codeOf(error) === "ENOENT") return null;
      const isOther = error instanceof GraphFileError && error.fault === "other";
      if (!isOther)
        this.#options.log.warn(
          { connectionId, reason: reasonOf(error) },
          "deleted the file of a graph, which cannot be read; the graph is built anew",
        );
      await this.#delete(connectionId);
      return null;
    }
  }

  /** Writes one graph after the other. Never rejects. */
  async #writeWaiting(): Promise<void> {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined) break;
      const [connectionId, graph] = next;
      this.#waiting.delete(connectionId);
      await this.#write(connectionId, graph).catch((error) => this.#noteFailure(error));
    }
    this.#writing = null;
  }

  async #write(
    connectionId: number,
    graph: { readonly identity: GraphIdentity; readonly columns: GraphColumns },
  ): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const free = await this.#freeBytes(this.#folder);
    if (free < 2 * minFreeBytes) throw new Error(`only ${free} bytes are free on the disk`);
    const path = this.#pathOf(connectionId);
    const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
    const bytes = await writeGraphFile(path, temporary, graph, this.#closing.signal);
    if (this.#forgotten.has(connectionId)) return this.#delete(connectionId);
    this.#bytes.set(connectionId, bytes);
    this.#failure = null;
    await this.#makeRoom(free - bytes);
  }

  #noteFailure(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    const failure = codeOf(error) || reasonOf(error);
    if (failure !== this.#failure)
      this.#options.log.warn({ err: error }, "failed to keep a graph in a file; it is built after a restart");
    this.#failure = failure;
  }

  /** Deletes the files that were used longest ago, if all together take more than they may. */
  async #makeRoom(free: number): Promise<void> {
    let total = this.#total();
    const permitted = Math.min(this.#options.maxBytes, shareOfDisk * (free + total));
    if (total <= permitted) return;
    const used = await Promise.all(
      [...this.#bytes.keys()].map(async (id) => ({ id, at: (await this.#stat(id))?.mtimeMs ?? 0 })),
    );
    for (const { id } of used.sort((one, other) => one.at - other.at)) {
      if (total <= keptShare * permitted) return;
      total -= this.#bytes.get(id) ?? 0;
      await this.#delete(id);
    }
  }

  #total(): number {
    let total = 0;
    for (const bytes of this.#bytes.values()) total += bytes;
    return total;
  }

  /** Takes over which files there are: another process, or an earlier one, may have written some. */
  async #count(ids: readonly number[]): Promise<void> {
    const there = new Set(ids);
    for (const id of this.#bytes.keys()) if (!there.has(id)) this.#bytes.delete(id);
    for (const id of ids) {
      if (this.#bytes.has(id)) continue;
      const found = await this.#stat(id);
      if (found !== null) this.#bytes.set(id, found.size);
    }
  }

  async #deleteStrangers(): Promise<void> {
    const root = dirname(this.#folder);
    for (const name of await namesIn(root))
      if (name !== basename(this.#folder)) await rm(join(root, name), { recursive: true, force: true });
  }

  async #deleteUnfinished(name: string): Promise<void> {
    const path = join(this.#folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && found.mtimeMs < this.#options.clock() - maxUnfinishedMs)
      await rm(path, { force: true });
  }

  async #delete(connectionId: number): Promise<void> {
    this.#bytes.delete(connectionId);
    await rm(this.#pathOf(connectionId), { force: true }).catch((err) =>
      this.#options.log.warn({ connectionId, err }, "failed to delete the file of a graph"),
    );
  }

  #stat(connectionId: number) {
    return stat(this.#pathOf(connectionId)).catch(() => null);
  }

  #pathOf(connectionId: number): string {
    return graphFilePath(this.#folder, connectionId);
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error) => {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return [];
    throw error;
  });
}
