import { setTimeout } from "node:timers/promises";
import { ClewError, type Client, ResponseError } from "@clew/client";
import type { Changes } from "@clew/contract";
import { type Graph, readGraph } from "./graph.ts";

/** The facts of a node itself: the feed lists a node if any of this changes (GRAPH-11). */
interface Own {
  readonly node: object;
  /** The same if it is empty as if it was not read yet, as `content/` says it. */
  readonly text: string;
  readonly properties: unknown;
  /** Its links to others, wherever they lead. */
  readonly links: readonly string[];
}

/** The longest that a request waits for changes, in seconds. */
const waitSeconds = 2;

/** A pause after a request that found no Clew, in milliseconds. */
const pauseMs = 50;

/**
 * Follows the changes feed with one cursor, whatever becomes of the Clew that answers, and keeps a copy of the graph: of each
 * node that is listed, it reads again what the API says.
 */
export class FeedReader {
  readonly copy = new Map<string, Own>();
  readonly #client: Client;
  readonly #end = new AbortController();
  #cursor: string | null = null;
  /** How often the cursor had expired, so that it began anew. */
  restarts = 0;
  items = 0;
  readonly #ended: Promise<void>;
  #next = Promise.withResolvers<void>();

  constructor(client: Client) {
    this.#client = client;
    this.#ended = this.#follow(this.#end.signal);
    // It is awaited at the end.
    this.#ended.catch(() => {});
  }

  /** Ends the reading. Throws if a request was refused. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.#ended;
  }

  /** Resolves when more of the feed is in the copy. Throws if a request was refused. */
  async next(): Promise<void> {
    await Promise.race([this.#next.promise, this.#ended]);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#read(signal);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ResponseError && error.code === "cursor_expired") {
          this.restarts += 1;
          this.#cursor = null;
          this.copy.clear();
        } else if (isAway(error)) await setTimeout(pauseMs);
        else throw error;
      }
    }
  }

  /** Reads a page of the feed. The cursor moves on once all of it is in the copy. */
  async #read(signal: AbortSignal): Promise<void> {
    const input = this.#cursor === null ? {} : { cursor: this.#cursor, wait: waitSeconds };
    const { items, next_cursor } = await this.#client.listChanges(input, { signal });
    if (items.length > 0) this.#apply(items, await readGraph(this.#client));
    this.#cursor = next_cursor;
    if (items.length === 0) return;
    this.#next.resolve();
    this.#next = Promise.withResolvers<void>();
  }

  #apply(items: Changes["items"], graph: Graph): void {
    this.items += items.length;
    const links = linksOf(graph);
    for (const { node_id: id, node } of items) {
      if (node === null) this.copy.delete(id);
      else this.copy.set(id, { ...ownOf(graph, id, links), node: withoutCounts(node) });
    }
  }
}

/** Whether the Clew that was asked has ended, or has not begun yet. */
function isAway(error: unknown): boolean {
  return error instanceof ClewError && (!(error instanceof ResponseError) || error.status === 503);
}

/** The graph as one that follows the feed should have it. */
export function ownGraph(graph: Graph): Map<string, Own> {
  const links = linksOf(graph);
  return new Map([...graph.nodes.keys()].map((id) => [id, ownOf(graph, id, links)]));
}

function ownOf(graph: Graph, id: string, links: ReadonlyMap<string, readonly string[]>): Own {
  const { properties = null, ...node } = graph.nodes.get(id) ?? {};
  return {
    node: withoutCounts(node),
    text: graph.texts.get(id) ?? "",
    properties,
    links: links.get(id) ?? [],
  };
}

/** Links of others change what a node counts, and the feed does not list it for that. */
function withoutCounts<T extends object>(node: T): object {
  const { degree: _, importance: __, ...rest } = node as T & { degree?: unknown; importance?: unknown };
  return rest;
}

/** The links of each node. One to a page that has gone is another one than before, but the node is the same. */
function linksOf({ edges, broken }: Graph): ReadonlyMap<string, readonly string[]> {
  const links = new Map<string, string[]>();
  const add = (from: string, link: string) => links.set(from, [...(links.get(from) ?? []), link].sort());
  // A child names its parent, and not the other way round.
  for (const { from, to, type, name, count } of edges)
    if (type !== "child") add(from, `${type} ${type === "relation" ? name : ""} ${to} ${count}`);
  for (const { from, target_id, type, name, count } of broken)
    add(from, `${type} ${type === "relation" ? name : ""} ${target_id} ${count}`);
  return links;
}
