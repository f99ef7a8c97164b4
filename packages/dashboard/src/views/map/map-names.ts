import type { Client } from "@clew/client";
import { referenceTypes } from "../../api/link-kinds.ts";
import type { Pairs } from "./links-layer.ts";

/** A page of the map, by its position. */
export interface MapPage {
  readonly position: number;
  readonly id: string;
  readonly title: string;
}

/** The size of a map up to which one call names its pages. */
const pagesAtOnce = 1000;
/** The number of pages that one call names by position or id, and those whose links among each other it lists. */
const namesPerCall = 100;
const edgesPerCall = 200;
export const mostLinks = 100;

/** The map that names belong to. */
interface NamedMap {
  readonly workspace: string;
  readonly graphVersion: number;
  readonly count: number;
  /** Called when Clew has a newer version of the graph. */
  readonly onNewer: () => void;
}

/**
 * The facts that the map itself does not have: ids, titles and links. Each is asked for once. They belong to one version of the graph:
 * pages of a newer one are not known here.
 */
export class MapNames {
  readonly #api: Client;
  readonly #map: NamedMap;
  readonly #pages = new Map<number, MapPage>();
  readonly #byId = new Map<string, MapPage>();
  readonly #calls = new Map<number, Promise<unknown>>();
  readonly #links = new Map<number, Promise<readonly MapPage[]>>();

  constructor(api: Client, map: NamedMap) {
    this.#api = api;
    this.#map = map;
  }

  known(position: number): MapPage | undefined {
    return this.#pages.get(position);
  }

  async page(position: number): Promise<MapPage | null> {
    if (!this.#pages.has(position)) await this.load([position]);
    return this.#pages.get(position) ?? null;
  }

  /** The pages with these ids that the map has. */
  async withIds(ids: readonly string[]): Promise<readonly MapPage[]> {
    const missing = ids.filter((id) => !this.#byId.has(id));
    const calls = [];
    for (let start = 0; start < missing.length; start += namesPerCall)
      calls.push(this.#list({ ids: missing.slice(start, start + namesPerCall).join(",") }));
    await Promise.all(calls);
    return ids.flatMap((id) => this.#byId.get(id) ?? []);
  }

  /** Asks for the names of pages that were not asked for, and waits for all. */
  async load(positions: readonly number[]): Promise<void> {
    const isSmall = this.#map.count <= pagesAtOnce;
    const wanted = isSmall ? Array.from({ length: this.#map.count }, (_, position) => position) : positions;
    const missing = wanted.filter((position) => !this.#calls.has(position));
    const perCall = isSmall ? pagesAtOnce : namesPerCall;
    for (let start = 0; start < missing.length; start += perCall) {
      const part = missing.slice(start, start + perCall);
      const call = this.#list(isSmall ? { count: pagesAtOnce } : { positions: part.join(",") });
      for (const position of part) this.#calls.set(position, call);
      call.catch(() => {
        for (const position of part) this.#calls.delete(position);
      });
    }
    await Promise.allSettled(positions.map((position) => this.#calls.get(position)));
  }

  /** The pages that a page is linked with, nearest first: at most `mostLinks`. */
  linkedWith(position: number): Promise<readonly MapPage[]> {
    const asked = this.#links.get(position) ?? this.#linked(position);
    this.#links.set(position, asked);
    asked.catch(() => this.#links.delete(position));
    return asked;
  }

  async #linked(position: number): Promise<readonly MapPage[]> {
    const page = await this.page(position);
    if (page === null) return [];
    const { items } = await this.#api.listNeighbors({
      id: page.id,
      edge_type: referenceTypes,
      limit: mostLinks,
    });
    return this.withIds(items.map(({ node }) => node.id));
  }

  /** The links among pages, without those of one page with itself. Of more pages than a call takes, the first ones'. */
  async linksAmong(positions: readonly number[], signal: AbortSignal): Promise<Pairs> {
    const asked = positions.slice(0, edgesPerCall);
    await this.load(asked);
    const pages = asked.flatMap((position) => this.#pages.get(position) ?? []);
    if (pages.length < 2 || signal.aborted) return [];
    const ids = pages.map(({ id }) => id.replaceAll("-", "")).join(",");
    const { items } = await this.#api.listEdges({ ids, edge_type: referenceTypes }, { signal });
    return items.flatMap(({ from, to }) => {
      const [a, b] = [this.#byId.get(from)?.position, this.#byId.get(to)?.position];
      return a === undefined || b === undefined || a === b ? [] : [[a, b] as const];
    });
  }

  async #list(query: { ids?: string; positions?: string; count?: number }): Promise<void> {
    const { graph_version: version, items } = await this.#api.listMapPages({
      id: this.#map.workspace,
      ...query,
    });
    if (version !== this.#map.graphVersion) return this.#map.onNewer();
    for (const page of items) {
      this.#pages.set(page.position, page);
      this.#byId.set(page.id, page);
    }
  }
}
