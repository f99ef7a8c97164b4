import type { NodeId } from "@clew/graph";
import {
  type ListEntry,
  type ListedNode,
  type PageContent,
  ProviderError,
  type SourceReport,
  type TextReader,
  type Unsupported,
  type WholeProperty,
  type WorkspaceReader,
} from "@clew/provider";
import { createTextReader } from "@clew/provider-text";
import type { ListQuery } from "./read-folder.ts";
import type { FolderTextParser } from "./text-tasks.ts";
import type { FolderCalls, ThreadFolder } from "./thread.ts";

interface ReaderParts {
  readonly folder: ThreadFolder;
  readonly parser: FolderTextParser;
  readonly time: () => number;
  readonly signal: AbortSignal;
  /** Whether tags are nodes. */
  readonly tags: boolean;
  /** Whether the grant is one of this folder's. */
  readonly isGranted: boolean;
}

/** A block that has no Markdown in Clew. */
const unsupportedBlock: Unsupported = { kind: "block", type: "unsupported" };

/** Reads a folder through its thread. References in texts are found here, so that both work at the same time. */
export class FolderReader implements WorkspaceReader {
  readonly roundsEditTimes = false;
  readonly texts: TextReader;
  readonly time: () => number;
  readonly #parts: ReaderParts;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
    this.time = parts.time;
    this.texts = createTextReader(parts.parser, null, parts.signal);
  }

  search({ few = false }: { readonly few?: boolean } = {}): AsyncGenerator<ListEntry> {
    return this.#list({ of: "search", few, tags: this.#parts.tags });
  }

  rows(collectionId: string, editedSince: number | null): AsyncGenerator<ListEntry> {
    return this.#list({ of: "rows", collectionId, editedSince, tags: this.#parts.tags });
  }

  page(id: NodeId): Promise<ListedNode> {
    return this.#call("node", { id, of: "page", tags: this.#parts.tags });
  }

  database(id: NodeId): Promise<ListedNode> {
    return this.#call("node", { id, of: "database", tags: this.#parts.tags });
  }

  databaseOf(id: string): Promise<ListedNode> {
    return this.#call("databaseOf", { id, tags: this.#parts.tags });
  }

  missingFacts(): "none" {
    return "none";
  }

  async content(pageId: NodeId): Promise<PageContent> {
    const { parser, signal } = this.#parts;
    const { markdown, unsupported, cut } = await this.#call("text", pageId);
    const content = await parser.parse("content", markdown, {
      length: markdown.length,
      dialect: null,
      signal,
    });
    return {
      ...content,
      complete: cut === null,
      cut,
      unsupported: Array.from({ length: unsupported }, () => unsupportedBlock),
      notShared: 0,
    };
  }

  report(): Promise<SourceReport> {
    return this.#call("report", null);
  }

  /** Never called: the parent of a file is a page. */
  async parentOfBlock(): Promise<never> {
    throw new ProviderError("not_found", "A folder has no blocks that contain pages");
  }

  /** Never called: no property is cut. */
  async property(): Promise<WholeProperty> {
    throw new ProviderError("not_found", "A folder lists all values of a property at once");
  }

  /** The next batch is under way while the caller works on one. */
  async *#list(query: ListQuery): AsyncGenerator<ListEntry> {
    let batch = await this.#call("list", query);
    let unread = batch.list;
    try {
      for (;;) {
        const next = batch.list === null ? null : this.#call("more", batch.list);
        // It is awaited after the entries; until then nobody handles its failure.
        next?.catch(() => {});
        for (const entry of batch.entries) {
          if (entry.type !== "unreadable") yield entry;
          else yield { ...entry, error: new ProviderError("malformed", entry.message) };
        }
        if (next === null) break;
        batch = await next;
        unread = batch.list;
      }
      if (batch.isPartial) throw new ProviderError("malformed", "A part of the folder cannot be read");
    } finally {
      if (unread !== null) void this.#parts.folder.call("end", unread).catch(() => {});
    }
  }

  /** Throws the signal's reason once it is aborted, though the thread works on. */
  async #call<Name extends keyof FolderCalls>(
    name: Name,
    input: Parameters<FolderCalls[Name]>[0],
  ): Promise<Awaited<ReturnType<FolderCalls[Name]>>> {
    const { folder, signal, isGranted } = this.#parts;
    signal.throwIfAborted();
    if (!isGranted) throw new ProviderError("unauthorized", "The grant is not one of this folder");
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(signal.reason);
    signal.addEventListener("abort", abort);
    try {
      return await Promise.race([folder.call(name, input), aborted.promise]);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }
}
