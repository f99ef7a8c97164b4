import { statSync } from "node:fs";
import type { NodeType } from "@clew/contract";
import { type ListEntry, type ListedNode, ProviderError, type SourceReport } from "@clew/provider";
import { placeBlocks } from "../document/block.ts";
import { enhancedMarkdown } from "../document/write-markdown.ts";
import type { WatchState } from "../watch/watch-folder.ts";
import type { Entry } from "../workspace/entry.ts";
import type { OpenWorkspace } from "../workspace/open.ts";
import { identityOf } from "../workspace/scan.ts";
import type { FolderTags, Tag } from "../workspace/tags.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { listedNode, pageNames } from "./listed-node.ts";
import type { PageText, PageTexts } from "./page-texts.ts";
import { FolderWatching, type WatchNews } from "./watching.ts";

/** How nodes are read. */
interface Reading {
  /** Whether tags are nodes. */
  readonly tags: boolean;
}

/** A list of nodes that is sent in batches: all that the folder has, or the rows of a database. */
export type ListQuery = Reading & Listed;

type Listed =
  | { readonly of: "search"; readonly few: boolean }
  | { readonly of: "rows"; readonly collectionId: string; readonly editedSince: number | null };

/** A node by its id: a page or tag, or a database. */
interface NodeQuery extends Reading {
  readonly id: string;
  readonly of: "page" | "database";
}

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

/** Entries of a batch: a message of a few hundred kilobytes. */
const batchSize = 500;

/** Entries of the first batch, if the caller expects to need few. */
const fewEntries = 10;

/** A folder that is watched is scanned each minute. */
const maxAgeMs = 90_000;

interface List {
  readonly entries: readonly (Entry | Tag)[];
  readonly workspace: Workspace;
  /** The tags of the nodes; null if tags are no nodes. */
  readonly tags: FolderTags | null;
  /** Whether entries may be missing that it would have. */
  readonly isPartial: boolean;
  at: number;
}

/** The way to open a folder, and the receivers of what a watch of it finds. */
export interface FolderServices extends WatchNews {
  readonly open: () => Promise<OpenWorkspace>;
  readonly texts: PageTexts;
}

/** Reads one folder for the port. It runs in the folders' thread. Throws `ProviderError`, or an error of the system. */
export class FolderReading {
  readonly #directory: string;
  readonly #open: FolderServices["open"];
  readonly #texts: PageTexts;
  readonly #news: WatchNews;
  #opened: Promise<OpenWorkspace> | null = null;
  readonly #lists = new Map<number, List>();
  #lastList = 0;
  /** The result of the last search, in its order. */
  #sorted: Omit<List, "isPartial" | "at"> | null = null;

  #watching: FolderWatching | null = null;
  /** How changes are noticed; null until the folder is watched. */
  #state: WatchState | null = null;

  constructor(directory: string, { open, texts, ...news }: FolderServices) {
    this.#directory = directory;
    this.#open = open;
    this.#texts = texts;
    const onState = (state: WatchState) => {
      this.#state = state;
      news.onState(state);
    };
    this.#news = { ...news, onState };
  }

  async list(query: ListQuery): Promise<Batch> {
    const found = query.of === "search" ? await this.#search(query) : await this.#rows(query);
    const isPartial = (await this.#workspace()).hasUnread();
    this.#lastList += 1;
    this.#lists.set(this.#lastList, { ...found, isPartial, at: 0 });
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

  async node({ id, of, tags: withTags }: NodeQuery): Promise<ListedNode> {
    const { opened, workspace } = await this.#current();
    const tags = withTags ? workspace.tags() : null;
    const tag = of === "page" ? (tags?.tag(id) ?? null) : null;
    return listedNode(tag ?? entryOf({ opened, workspace }, id, of), workspace, tags);
  }

  async databaseOf({ id, tags }: Omit<NodeQuery, "of">): Promise<ListedNode> {
    const { workspace, database } = await this.#findDatabase(id);
    return listedNode(database, workspace, tags ? workspace.tags() : null);
  }

  async text(pageId: string): Promise<PageText> {
    const current = await this.#current();
    const { workspace } = current;
    const page = entryOf(current, pageId, "page");
    const text = await this.#texts.read(workspace, page, this);
    const children = page.children.filter(({ inTrash }) => !inTrash);
    const listed = placeBlocks(
      page.id,
      children.map(({ id }) => ({ type: "child", id, children: [] })),
    );
    const { markdown } = enhancedMarkdown(page, listed, pageNames(workspace), Number.POSITIVE_INFINITY);
    return { ...text, markdown: [text.markdown, markdown].filter((part) => part !== "").join("\n") };
  }

  /** Watches the folder, if that is not under way. */
  watch(_: null): void {
    this.#watching ??= new FolderWatching(() => this.#workspace(), this.#news);
  }

  async stopWatching(_: null): Promise<void> {
    const watching = this.#watching;
    this.#watching = null;
    this.#state = null;
    await watching?.stop();
  }

  /** Says how the folder is read, and what is left out. */
  async report(_: null): Promise<SourceReport> {
    const { workspace } = await this.#current();
    const { report } = workspace;
    return this.#state === "scans" ? { ...report, named: [...report.named, withoutEvents] } : report;
  }

  async #findDatabase(collectionId: string) {
    const { opened, workspace } = await this.#current();
    const database = workspace.databaseOf(collectionId);
    if (database !== null) return { workspace, database };
    if (opened.hasUnread()) throw new ProviderError("unavailable", unreadable);
    throw notFound("database");
  }

  async #search({
    tags: withTags,
    few,
  }: ListQuery & { of: "search" }): Promise<Omit<List, "isPartial" | "at">> {
    // A caller that expects few wants the latest edits: a watch with events has seen them, or reports them next. One whose scans do not
    // come to an end has not.
    const isWatched = few && this.#state === "events" && (await this.#workspace()).age() < maxAgeMs;
    const workspace = isWatched ? (await this.#current()).workspace : await this.#reload();
    const tags = withTags ? workspace.tags() : null;
    if (this.#sorted?.workspace !== workspace || this.#sorted.tags !== tags) {
      const entries = [...workspace.entries.filter(({ inTrash }) => !inTrash), ...(tags?.all ?? [])].sort(
        (a, b) => editedAt(b) - editedAt(a) || (a.id < b.id ? -1 : 1),
      );
      this.#sorted = { workspace, entries, tags };
    }
    return this.#sorted;
  }

  async #rows({ collectionId, editedSince, tags }: ListQuery & { of: "rows" }) {
    const { workspace, database } = await this.#findDatabase(collectionId);
    const isListed = ({ kind, inTrash, editedAt }: Entry) =>
      kind === "page" && !inTrash && (editedSince === null || editedAt >= editedSince);
    const entries = database.children.filter(isListed);
    return { workspace, entries, tags: tags ? workspace.tags() : null };
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
      entries: entries.map((entry) => sentEntry(entry, list)),
      list: isLast ? null : id,
      isPartial: isLast && list.isPartial,
    };
  }

  /**
   * The workspace as it was last scanned, if that folder is still there: another may take its place, such as the empty one
   * below a disk that is gone.
   */
  async #current(): Promise<{ readonly opened: OpenWorkspace; readonly workspace: Workspace }> {
    const opened = await this.#workspace();
    await opened.ready();
    const workspace = opened.current();
    const isThere = identityOf(statSync(this.#directory)) === opened.scanned().identity;
    return { opened, workspace: isThere && workspace.entries.length > 0 ? workspace : await this.#reload() };
  }

  /** Scans the folder. Throws if nothing of it can be read: then nothing is known to be gone (SRC-2). */
  async #reload(): Promise<Workspace> {
    const opened = await this.#workspace();
    const workspace = await opened.reload();
    if (workspace.entries.length === 0)
      throw new ProviderError("unavailable", noFiles, { reason: `${noFiles}.` });
    return workspace;
  }

  #workspace(): Promise<OpenWorkspace> {
    this.#opened ??= this.#open().catch((error: unknown) => {
      // The next call tries again.
      this.#opened = null;
      throw error;
    });
    return this.#opened;
  }
}

/** An entry that cannot be read does not hide the others. */
function sentEntry(entry: Entry | Tag, { workspace, tags }: List): SentEntry {
  try {
    return listedNode(entry, workspace, tags);
  } catch {
    const what = entry.kind === "tag" ? `the tag ${entry.name}` : entry.path;
    return { type: "unreadable", of: entry.kind, id: entry.id, message: `failed to read ${what}` };
  }
}

/** A page or database by its id. Throws `ProviderError`. */
function entryOf(
  { opened, workspace }: { readonly opened: OpenWorkspace; readonly workspace: Workspace },
  id: string,
  of: NodeType,
): Entry {
  const entry = workspace.entry(id);
  if (entry?.kind === of) return entry;
  if (opened.isUnread(id)) throw new ProviderError("unavailable", unreadable);
  throw notFound(of);
}

const editedAt = (entry: Entry | Tag): number => (entry.kind === "tag" ? entry.createdAt : entry.editedAt);

/** The fault of a file system that does not tell of changes. */
const withoutEvents = {
  path: "",
  message: "the system does not tell of changes: an edit shows within a minute",
};

const noFiles = "The folder has no Markdown files";
const unreadable = "A part of the folder cannot be read";

function notFound(of: NodeType): ProviderError {
  return new ProviderError("not_found", `The folder has no such ${of}`);
}
