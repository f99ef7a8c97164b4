import { type Static, type TSchema, Type } from "typebox";
import { type GraphOperation, graphOperations } from "./operations.ts";
import { searchSorts } from "./page-filters.ts";
import { closed, named, oneOf } from "./schema.ts";
import type { Scope } from "./service-token.ts";
import { directions, graphLimits, nodeTraits, nodeTypes, sortOrders } from "./vocabulary.ts";

/** The names that tools give to the types of edges. */
export const linkKinds = {
  link: "link",
  mention: "mention",
  relation: "relation",
  subpage: "child",
} as const;

/** The places that `search_pages` searches. */
export const searchPlaces = ["titles", "text", "both"] as const;

/** Limits and defaults of tools (AGT-2). */
export const toolLimits = {
  maxTokens: { minimum: 500, maximum: 20_000, standard: 4_000 },
  skip: 2_000,
  pages: 5,
  search: { maximum: 50, standard: 10 },
  changes: { maximum: 200, standard: 50 },
  links: { maximum: 200, standard: 50 },
  related: { maximum: 50, standard: 10 },
  rows: { maximum: 200, standard: 50 },
} as const;

const text = (description?: string) => Type.String(description === undefined ? {} : { description });
const page = text("Title, link or id");
const optional = Type.Optional;
const integer = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });

/** The length and the form of an answer. All tools have these parameters. */
const form = {
  detail: optional(oneOf(["compact", "full"])),
  max_tokens: optional(integer(toolLimits.maxTokens.minimum, toolLimits.maxTokens.maximum)),
};

/** The part of a list that is shown. */
const part = ({ maximum }: { readonly maximum: number }) => ({
  limit: optional(integer(1, maximum)),
  skip: optional(integer(0, toolLimits.skip)),
});

/** The filters and orders of GRAPH-19. */
const filters = {
  workspace: optional(text()),
  type: optional(oneOf(nodeTypes)),
  under: optional(text("Below this page")),
  updated_after: optional(text("2026-01-31, 24h, 1y or today")),
  updated_before: optional(text()),
  created_after: optional(text()),
  created_before: optional(text()),
  by: optional(text()),
  is: optional(
    Type.Array(Type.String({ pattern: `^-?(${nodeTraits.join("|")})$` }), {
      description: "- negates",
    }),
  ),
  sort: optional(oneOf(searchSorts)),
  order: optional(oneOf(sortOrders)),
};

interface ToolDefinition {
  readonly title: string;
  readonly description: string;
  /** The operations that the tool needs; a token must have the scopes of all. */
  readonly operations: readonly GraphOperation[];
  /** Whether clients get it only if they name it in the address (AGT-1). */
  readonly onlyIfNamed?: true;
  readonly input: TSchema;
}

/** The description of a tool for agents; `product` is the name that people give to the pages. */
export function descriptionOf(name: ToolName, product: string): string {
  return tools[name].description.replaceAll("{product}", product);
}

/** The tools for agents at `/api/v1/mcp` (AGT-1), in the order in which they are listed. */
export const tools = {
  search_pages: {
    title: "Search pages",
    description:
      "Search the {product} knowledge base: titles, texts and properties of pages, with the passage that matches. Use " +
      'it first. Any word may match; "a phrase", -word and word* work. Without query it lists pages by filter, last edited ' +
      'first. 10 results. Example: {"query": "budget review", "updated_after": "30d"}',
    operations: ["search"],
    input: closed({
      query: optional(text()),
      in: optional(oneOf(searchPlaces)),
      ...filters,
      ...part(toolLimits.search),
      ...form,
    }),
  },
  build_context: {
    title: "Gather what answers a question",
    description:
      "Get passages of linked {product} pages that answer a question. After it, add up to 12 words that the answer may have: " +
      "pages may word it otherwise. near: a page that it is about. " +
      'Example: {"question": "Who found the moons of Jupiter? Galileo, telescope"}',
    operations: ["context"],
    input: closed({
      question: optional(text()),
      near: optional(page),
      workspace: optional(text()),
      ...form,
    }),
  },
  read_page: {
    title: "Read pages",
    description:
      "Read one to five {product} pages: place, properties, text as Markdown and the most important links. Long texts continue at " +
      'offset, or start at heading. Example: {"page": ["Jupiter"]}',
    operations: ["content", "node"],
    input: closed({
      page: Type.Array(page, { minItems: 1, maxItems: toolLimits.pages }),
      offset: optional(integer(0, Number.MAX_SAFE_INTEGER)),
      heading: optional(text()),
      ...form,
    }),
  },
  list_links: {
    title: "List links and backlinks",
    description:
      "List the pages that a {product} page is linked with, nearest first: links, mentions, relations and subpages, in both " +
      'directions. Backlinks: {"page": "Jupiter", "direction": "in", "kinds": ["link", "mention"]}. depth: up to 3 ' +
      "(default 1). excerpts shows the sentences around the links. 50 results.",
    operations: ["neighbors"],
    input: closed({
      page,
      direction: optional(oneOf(directions)),
      kinds: optional(Type.Array(oneOf(Object.keys(linkKinds) as (keyof typeof linkKinds)[]))),
      depth: optional(integer(1, graphLimits.neighbors.depth)),
      excerpts: optional(Type.Boolean()),
      ...part(toolLimits.links),
      ...form,
    }),
  },
  find_related: {
    title: "Find related pages",
    description:
      "Find {product} pages about similar things that this page is not linked with: those that share links or backlinks. " +
      '10 results. Example: {"page": "Jupiter"}',
    operations: ["related"],
    input: closed({ page, limit: optional(integer(1, toolLimits.related.maximum)), ...form }),
  },
  find_paths: {
    title: "Find how pages are connected",
    description:
      "Find how two {product} pages are connected: the shortest chains of links between them. 3 chains. " +
      'Example: {"from": "Jupiter", "to": "Crux"}',
    operations: ["paths"],
    input: closed({
      from: page,
      to: page,
      avoid_hubs: optional(Type.Boolean()),
      limit: optional(integer(1, graphLimits.paths.maxPaths)),
      ...form,
    }),
  },
  query_database: {
    title: "Query a database",
    description:
      "Read the rows of a {product} database as a table, filtered and sorted. where: conditions with =, !=, <, <=, >, >=, ~ (contains), is " +
      'empty or is not empty; all must hold. 50 rows. Example: {"database": "Tasks", "where": ["Status = Open, Doing", "Due < +7d"], "sort": "Due"}',
    operations: ["rows"],
    input: closed({
      database: page,
      where: optional(Type.Array(text())),
      columns: optional(Type.Array(text())),
      sort: optional(text("A column, title, updated or created")),
      order: optional(oneOf(sortOrders)),
      ...part(toolLimits.rows),
      ...form,
    }),
  },
  recent_changes: {
    title: "Recent changes",
    description:
      "See what was added, edited or removed in {product} lately, newest first, and what of a page changed. since: 24h, 7d (default), " +
      'yesterday, a date. 50 results. Example: {"since": "yesterday"}',
    operations: ["recent"],
    input: closed({
      since: optional(text()),
      workspace: optional(text()),
      // A tag changes with the pages that have it.
      type: optional(oneOf(["page", "database"])),
      under: optional(text("Below this page")),
      ...part(toolLimits.changes),
      ...form,
    }),
  },
  workspace_overview: {
    title: "Overview of a workspace",
    description:
      "See what a {product} workspace, or what is below a page, consists of: freshness, tree of pages, databases with columns, most important " +
      'pages and latest edits. Use it when you do not know what there is. Example: {"depth": 2}',
    operations: ["overview", "workspaces"],
    input: closed({
      workspace: optional(text("Id or name")),
      page: optional(page),
      depth: optional(integer(1, graphLimits.tree.maxDepth)),
      ...form,
    }),
  },
  search: {
    title: "Search",
    description: "Search the titles and texts of {product} pages.",
    operations: ["search", "text"],
    onlyIfNamed: true,
    input: closed({ query: text() }),
  },
  fetch: {
    title: "Fetch",
    description: "Get the text of a page by the id that search returned.",
    operations: ["content"],
    onlyIfNamed: true,
    input: closed({ id: text() }),
  },
} as const satisfies Record<string, ToolDefinition>;

export type ToolName = keyof typeof tools;
export type ToolInput<Name extends ToolName> = Static<(typeof tools)[Name]["input"]>;

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(tools, name);
}

export function isOnlyIfNamed(name: ToolName): boolean {
  return "onlyIfNamed" in tools[name];
}

/** The operation under which calls of a tool are recorded (APP-9): the first that it needs. */
export function operationOfTool(name: ToolName): GraphOperation {
  return tools[name].operations[0];
}

/** The scopes that a token needs for a tool. */
export function scopesOfTool(name: ToolName): readonly Scope[] {
  const operations: readonly GraphOperation[] = tools[name].operations;
  return [...new Set<Scope>(operations.flatMap((operation) => graphOperations[operation].scopes))];
}

/** The body of `POST /api/v1/mcp`: one JSON-RPC 2.0 request or notification of the Model Context Protocol. */
export const ToolMessage = named(
  "ToolMessage",
  closed({
    jsonrpc: oneOf(["2.0"]),
    id: Type.Optional(Type.Unsafe<string | number>({ type: ["string", "integer"] })),
    method: Type.String({ pattern: "^[\\w$./-]{1,100}$", description: "For example `tools/call`" }),
    params: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>>>(Type.Object({}, { additionalProperties: true })),
    ),
  }),
);
export type ToolMessage = Static<typeof ToolMessage>;
