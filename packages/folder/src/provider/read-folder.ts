import { statSync } from "node:fs";
import type { NodeType } from "@clew/contract";
import { type ListEntry, type ListedNode, ProviderError, type Unsupported } from "@clew/provider";
import type { PlacedBlock } from "../document/block.ts";
import { enhancedMarkdown } from "../document/write-markdown.ts";
import type { Entry } from "../workspace/entry.ts";
import { minuteOf } from "../workspace/front-matter.ts";
import type { OpenWorkspace } from "../workspace/open.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { listedNode, pageNames } from "./listed-node.ts";
import { FolderWatching, type WatchNews } from "./watching.ts";

/** A list of nodes that is sent in batches: all that the folder has, or the rows of a database. */
export type ListQuery =
  | { readonly of: "search"; readonly few: boolean }
  | { readonly of: "rows"; readonly collectionId: string; readonly editedSince: number | null };

/** Some entries of a list. Errors are sent by code and message. */
export interface Batch {
  readonly entries: readonly SentEntry[];
  /** The list from which the next batch is taken; null after the last one. */
  readonly list: number | null;
  /** Whether something may be missing, since a part of the folder cannot be read. Known after the last batch. */
  readonly isPartial: boolean;
}

/** A list entry, as it can be sent between threads. */
type SentEntry =
  | Exclude<ListEntry, { type: "unreadable" }>
  | { readonly type: "unreadable"; readonly of: NodeType; readonly id: string; readonly message: string };

/** The text of a page, before its references are read. */
export interface WrittenText {
  readonly markdown: string;
  readonly unsupported: readonly Unsupported[];
}

/** Entries of a batch: a message of a few hundred kilobytes. */
const batchSize = 500;

/** Entries of the first batch, if the caller expects to need few. */
const fewEntries = 10;

interface List {
  readonly entries: readonly Entry[];
  readonly workspace: Workspace;
  /** Whether entries may be missing that it would have. */
  readonly isPartial: boolean;
  at: number;
}

/** The way to open a folder, and the receivers of what a watch of it finds. */
export interface FolderServices extends WatchNews {
  readonly open: () => Promise<OpenWorkspace>;
}

/** Reads one folder for the port. It runs in the folders' thread. Throws `ProviderError`, or an error of the system. */
export class FolderReading {
  readonly #directory: string;
  readonly #open: FolderServices["open"];
  readonly #news: WatchNews;
  #opened: Promise<OpenWorkspace> | null = null;
  /** The folder that was scanned last. Another one may take its place, such as the empty one below a disk that is gone. */
  #root = "";
  readonly #lists = new Map<number, List>();
  #lastList = 0;
  /** The entries of a workspace in the order of the search. */
  #sorted: { readonly workspace: Workspace; readonly entries: readonly Entry[] } | null = null;

  #watching: FolderWatching | null = null;

  constructor(directory: string, { open, ...news }: FolderServices) {
    this.#directory = directory;
    this.#open = open;
    this.#news = news;
  }

  async list(query: ListQuery): Promise<Batch> {
    const { workspace, entries } = query.of === "search" ? await this.#search() : await this.#rows(query);
    const isPartial = (await this.#workspace()).hasUnread();
    this.#lastList += 1;
    this.#lists.set(this.#lastList, { workspace, entries, isPartial, at: 0 });
    return this.#next(this.#lastList, query.of === "search" && query.few ? fewEntries : batchSize);
  }

  /** The next batch of a list. */
  more(list: number): Batch {
    return this.#next(list, batchSize);
  }

  /** Forgets a list that is not read to its end. */
  end(list: number): void {
    this.#lists.delete(list);
  }

  async node({ id, of }: { readonly id: string; readonly of: NodeType }): Promise<ListedNode> {
    const { workspace, entry } = await this.#find(id, of);
    return listedNode(entry, workspace);
  }

  async databaseOf(collectionId: string): Promise<ListedNode> {
    const { workspace, database } = await this.#findDatabase(collectionId);
    return listedNode(database, workspace);
  }

  async text(pageId: string): Promise<WrittenText> {
    const { workspace, entry: page } = await this.#find(pageId, "page");
    const blocks = workspace.blocks(page);
    const { markdown } = enhancedMarkdown(page, blocks, pageNames(workspace), Number.POSITIVE_INFINITY);
    return { markdown, unsupported: unsupportedIn(blocks) };
  }

  /** Watches the folder, if that is not under way. */
  watch(_: null): void {
    this.#watching ??= new FolderWatching(() => this.#workspace(), this.#news);
  }

  async stopWatching(_: null): Promise<void> {
    const watching = this.#watching;
    this.#watching = null;
    await watching?.stop();
  }

  async #find(id: string, of: NodeType) {
    const { opened, workspace } = await this.#current();
    const entry = workspace.entry(id);
    if (entry?.kind === of) return { workspace, entry };
    if (opened.isUnread(id)) throw new ProviderError("unavailable", unreadable);
    throw notFound(of);
  }

  async #findDatabase(collectionId: string) {
    const { opened, workspace } = await this.#current();
    const database = workspace.databaseOf(collectionId);
    if (database !== null) return { workspace, database };
    if (opened.hasUnread()) throw new ProviderError("unavailable", unreadable);
    throw notFound("database");
  }

  async #search(): Promise<Pick<List, "entries" | "workspace">> {
    const workspace = await this.#reload();
    if (this.#sorted?.workspace !== workspace) {
      const entries = workspace.entries
        .filter(({ inTrash }) => !inTrash)
        .sort((a, b) => b.editedAt - a.editedAt || (a.id < b.id ? -1 : 1));
      this.#sorted = { workspace, entries };
    }
    return this.#sorted;
  }

  async #rows({ collectionId, editedSince }: ListQuery & { of: "rows" }) {
    const { workspace, database } = await this.#findDatabase(collectionId);
    const isListed = ({ kind, inTrash, editedAt }: Entry) =>
      kind === "page" && !inTrash && (editedSince === null || editedAt >= minuteOf(editedSince));
    return { workspace, entries: database.children.filter(isListed) };
  }

  #next(id: number, size: number): Batch {
    const list = this.#lists.get(id);
    if (list === undefined)
      throw new ProviderError("unavailable", "the thread that reads folders was restarted");
    const entries = list.entries.slice(list.at, list.at + size);
    list.at += size;
    const isLast = list.at >= list.entries.length;
    if (isLast) this.#lists.delete(id);
    return {
      entries: entries.map((entry) => sentEntry(entry, list.workspace)),
      list: isLast ? null : id,
      isPartial: isLast && list.isPartial,
    };
  }

  /** The workspace as it was last scanned, if the folder is there. */
  async #current(): Promise<{ readonly opened: OpenWorkspace; readonly workspace: Workspace }> {
    const opened = await this.#workspace();
    await opened.ready();
    const isThere = rootOf(this.#directory) === this.#root;
    return { opened, workspace: isThere ? opened.current() : await this.#reload() };
  }

  /** Scans the folder. Throws if nothing of it can be read: then nothing is known to be gone (SRC-2). */
  async #reload(): Promise<Workspace> {
    const opened = await this.#workspace();
    const root = rootOf(this.#directory);
    const workspace = await opened.reload();
    if (workspace.entries.length === 0)
      throw new ProviderError("unavailable", "The folder has no Markdown files");
    this.#root = root;
    return workspace;
  }

  #workspace(): Promise<OpenWorkspace> {
    this.#opened ??= this.#openFirst().catch((error: unknown) => {
      // The next call tries again.
      this.#opened = null;
      throw error;
    });
    return this.#opened;
  }

  async #openFirst(): Promise<OpenWorkspace> {
    this.#root = rootOf(this.#directory);
    return this.#open();
  }
}

/** The folder at a path, whatever its name. Throws if there is none. */
function rootOf(directory: string): string {
  const { dev, ino } = statSync(directory);
  return `${dev} ${ino}`;
}

/** An entry that cannot be read does not hide the others. */
function sentEntry(entry: Entry, workspace: Workspace): SentEntry {
  try {
    return listedNode(entry, workspace);
  } catch {
    return { type: "unreadable", of: entry.kind, id: entry.id, message: `failed to read ${entry.path}` };
  }
}

const unreadable = "A part of the folder cannot be read";

function notFound(of: NodeType): ProviderError {
  return new ProviderError("not_found", `The folder has no such ${of}`);
}

/** Blocks that have no Markdown in Clew. */
function unsupportedIn(blocks: readonly PlacedBlock[]): Unsupported[] {
  return blocks.flatMap(({ block, children }): Unsupported[] => [
    ...(block.type === "unsupported" ? [{ kind: "block" as const, type: block.type }] : []),
    ...unsupportedIn(children),
  ]);
}
