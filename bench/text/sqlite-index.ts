import type {
  Block,
  BlockLookup,
  BlockRange,
  BlockStore,
  FoundBlock,
  MergeOutput,
  SegmentOutput,
} from "@clew/text-index";
import { decodePages, type SegmentPages } from "@clew/text-index";
import BetterSqlite3 from "better-sqlite3";

/** A text index in a SQLite file. */
export class SqliteIndex implements BlockStore {
  readonly #file: BetterSqlite3.Database;
  readonly #reader: BetterSqlite3.Database;
  readonly #statements = new Map<string, BetterSqlite3.Statement<unknown[]>>();
  #next = 1;

  constructor(path: string) {
    this.#file = new BetterSqlite3(path);
    this.#file.pragma("journal_mode = wal");
    this.#file.pragma("synchronous = off");
    this.#file.exec(`
      create table if not exists blocks (segment integer, term blob, part integer, postings blob, positions blob);
      create unique index if not exists first_parts on blocks (segment, term) where part = 0;
      create unique index if not exists other_parts on blocks (segment, term, part) where part > 0;
      create table if not exists pages (segment integer, chunk integer, content blob, primary key (segment, chunk));
    `);
    // A segment is read while another is written.
    this.#reader = new BetterSqlite3(path, { readonly: true });
    for (const file of [this.#file, this.#reader]) file.pragma("mmap_size = 34359738368");
  }

  /** Writes a segment; a merged one also removes those that it replaces. */
  async write(output: SegmentOutput | MergeOutput, replaced: readonly number[] = []): Promise<number> {
    const segment = this.#next;
    this.#next += 1;
    const insert = this.#file.prepare("insert into blocks values (?, ?, ?, ?, ?)");
    const page = this.#file.prepare("insert into pages values (?, ?, ?)");
    this.#file.exec("begin");
    let number = 0;
    for (const chunk of output.chunks()) {
      page.run(segment, number, chunk);
      number += 1;
    }
    for await (const { term, part, postings, positions } of output.blocks()) {
      insert.run(segment, term, part, postings, positions);
    }
    for (const old of replaced) {
      this.#file.prepare("delete from blocks where segment = ?").run(old);
      this.#file.prepare("delete from pages where segment = ?").run(old);
    }
    this.#file.exec("commit");
    return segment;
  }

  readPages(segment: number): SegmentPages {
    const rows = this.#all("select content from pages where segment = ? order by chunk", segment);
    return decodePages(rows.map(({ content }) => content as Uint8Array));
  }

  async lookup(keys: readonly BlockLookup[], withPositions: boolean): Promise<(FoundBlock | null)[]> {
    const select = `select term, part, postings ${withPositions ? ", positions" : ""} from blocks`;
    const first = `${select} where part = 0 and segment = ? and term <= ? order by term desc limit 1`;
    const other = `${select} where part > 0 and segment = ? and term = ? and part = ?`;
    return keys.map(({ segment, term, part }) => {
      const [row] = part === 0 ? this.#all(first, segment, term) : this.#all(other, segment, term, part);
      return row === undefined ? null : found(row);
    });
  }

  async ranges(ranges: readonly BlockRange[], withPositions: boolean): Promise<FoundBlock[][]> {
    const sql = `select term, part, postings ${withPositions ? ", positions" : ""} from blocks
      where segment = ? and term > ? and term < ? and part = 0 order by term limit ?`;
    return ranges.map(({ segment, after, before, limit }) =>
      this.#all(sql, segment, after, before, limit).map(found),
    );
  }

  async *scan(segment: number): AsyncGenerator<Block> {
    const rows = this.#reader
      .prepare("select term, part, postings, positions from blocks where segment = ? order by rowid")
      .iterate(segment);
    for (const row of rows) yield row as Block;
  }

  /** Bytes of the file after what was deleted is given back. */
  compact(): number {
    this.#file.pragma("wal_checkpoint(truncate)");
    this.#file.exec("vacuum");
    this.#file.pragma("wal_checkpoint(truncate)");
    const [pages, size] = ["page_count", "page_size"].map((name) =>
      Number(this.#file.pragma(name, { simple: true })),
    );
    return (pages ?? 0) * (size ?? 0);
  }

  close(): void {
    this.#reader.close();
    this.#file.close();
  }

  #all(sql: string, ...parameters: unknown[]): Record<string, unknown>[] {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#reader.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement.all(...parameters) as Record<string, unknown>[];
  }
}

/** The columns have these types: this file creates the table. */
const found = (row: Record<string, unknown>) => ({ positions: null, ...row }) as unknown as FoundBlock;
