import { integer, pick, type Random } from "@clew/stand-in/testing/random";

/** The parts of a workspace that requests can name. */
export interface Named {
  readonly workspaceId: string;
  readonly pages: readonly string[];
  readonly databases: readonly string[];
  /** Words of titles and texts. */
  readonly words: readonly string[];
}

export interface Request {
  readonly path: string;
  readonly accept: string;
  /** Of a call of a tool. */
  readonly body?: unknown;
}

type Query = Readonly<Record<string, string | number | boolean | null>>;

/** A random request to each operation that reads, some of them several times. */
export function* drawRequests(random: Random, named: Named): Generator<Request> {
  const maybe = <T>(value: T): T | null => (random() < 0.4 ? value : null);
  const day = () => `2025-${String(integer(random, 1, 12)).padStart(2, "0")}-15`;
  const words = (most: number) =>
    Array.from({ length: integer(random, 1, most) }, () => pick(random, named.words)).join(" ");
  const page = () => pick(random, [...named.pages, ...named.databases]);
  const limit = () => integer(random, 1, 30);
  const filters = (): Query => ({
    workspace_id: maybe(named.workspaceId),
    type: maybe(pick(random, ["page", "database"])),
    under: maybe(page()),
    updated_after: maybe(day()),
    created_before: maybe(day()),
    is: maybe(pick(random, ["orphan", "row", "unlinked"])),
    sort: maybe(pick(random, ["updated", "created", "title"])),
    order: maybe(pick(random, ["asc", "desc"])),
    limit: limit(),
  });
  const edges = (): Query => ({
    direction: maybe(pick(random, ["in", "out", "both"])),
    edge_type: maybe(pick(random, ["link", "mention", "relation", "child", "link,relation"])),
    excerpts: maybe(random() < 0.5),
  });
  const get = (path: string, query: Query = {}, accept = "application/json"): Request => {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === null ? [] : [[name, String(value)] as [string, string]],
    );
    return { path: `api/v1/${path}?${new URLSearchParams(given)}`, accept };
  };

  yield get("");
  yield get("workspaces/");
  yield get("export/", { text: true }, "application/jsonl");
  for (const part of ["nodes", "edges", "broken"]) yield get("export/", { format: "csv", part }, "text/csv");
  yield get("tree/", { depth: integer(random, 1, 5), limit: 100 });
  yield get("tree/", { under: page(), depth: integer(random, 1, 3), limit: limit() });
  yield get("recent/", { since: "100w", type: maybe("page"), under: maybe(page()), limit: limit() });
  yield get("broken/", { under: maybe(page()), limit: limit() });
  yield get("nodes/", { ids: [page(), page(), page()].join() });
  yield get("edges/", { ids: Array.from({ length: 40 }, page).join() });
  for (const text of [words(1), page(), page().replaceAll("-", "").slice(-8)])
    yield get("resolve/", { page: text });
  for (let round = 0; round < 8; round += 1) {
    yield get("search/", { q: words(2), ...filters() });
    yield get("text/", { q: round % 2 === 0 ? words(3) : `"${words(1)}"`, ...filters() });
    yield get(`nodes/${page()}/neighbors/`, { ...edges(), depth: integer(random, 1, 3), limit: limit() });
  }
  for (let round = 0; round < 4; round += 1) {
    yield get("paths/", { from: page(), to: page(), ...edges(), max_depth: integer(random, 1, 6) });
    yield get(`nodes/${page()}/`);
    yield get(`nodes/${page()}/content/`, {
      offset: maybe(integer(random, 0, 200)),
      max_chars: integer(random, 50, 2000),
      include: maybe("outline"),
    });
    yield get(`nodes/${page()}/related/`, { linked: maybe(false), limit: limit() });
    yield get("context/", { q: words(4), max_chars: integer(random, 500, 5000) }, "text/markdown");
  }
  for (const database of named.databases) {
    const sort = maybe(pick(random, ["Score", "Due", "Status"]));
    const order = sort === null ? null : pick(random, ["asc", "desc"]);
    yield get(`nodes/${database}/rows/`, { where: maybe("Score > 40"), sort, order, limit: limit() });
    yield get(`nodes/${database}/rows/`, {}, "text/csv");
  }
  for (const [name, given] of [
    ["search_pages", { query: words(2) }],
    ["read_page", { page: page() }],
  ] as const)
    yield {
      path: "api/v1/mcp/",
      accept: "application/json, text/event-stream",
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } },
    };
}
