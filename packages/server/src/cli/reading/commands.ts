import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Client, Edge, ListItem, Node, SearchPagesInput } from "@clew/client";
import {
  directions,
  type ExportFormat,
  edgeTypes,
  exportMediaTypes,
  nodeTraits,
  nodeTypes,
  type SortOrder,
  searchSorts,
  sortOrders,
} from "@clew/contract";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Json } from "../../model/node.ts";
import { cellText } from "../../present/table.ts";
import { plainText } from "../table.ts";
import { openClient, type ReadingContext, ReadingError, readingError, withCoverage } from "./connect.ts";
import { bridgeMcp } from "./mcp-bridge.ts";
import { isForPeople, jsonLine, type Row, safeText, tableText, write } from "./output.ts";
import { findPage, findWorkspace, shortIds } from "./pages.ts";

/** The options of every command that prints items. */
interface Printing {
  readonly json?: boolean;
}

/** Which items of a list a command prints. */
interface Paging extends Printing {
  readonly limit: number;
  readonly skip: number;
}

interface Filters extends Paging {
  readonly workspace?: string;
  readonly under?: string;
  readonly type?: SearchPagesInput["type"];
  readonly is?: string;
  readonly sort?: SearchPagesInput["sort"];
  readonly order?: SearchPagesInput["order"];
  readonly updatedAfter?: string;
  readonly updatedBefore?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
}

/** The work of a command: its arguments and options, with a client. */
type Work<Words extends readonly unknown[]> = (client: Client, ...words: Words) => Promise<void>;

const environment = `
Environment:
  CLEW_URL         the address of Clew, for example https://clew.example.org
  CLEW_TOKEN       a service token (svc_…), created in the dashboard; never an argument
  CLEW_TOKEN_FILE  a file that holds the token, instead of CLEW_TOKEN

On a terminal, items are a table; otherwise each is a line of JSON, as the API has it.
Exit codes: 0 found, 1 nothing found, 2 wrong usage, 3 refused, 4 Clew cannot be reached or is busy.`;

const pageHelp = "a page or database: its URL, id, short id, title, or `title [short id]`";

/** The heading of these commands in the help. */
export const readingGroup = "Commands that read a Clew over its API, with CLEW_URL and CLEW_TOKEN:";

/** Adds the commands that read a Clew over its API (OPS-7), and the bridge for agents (AGT-7). */
export function addReadingCommands(program: Command, context: ReadingContext): void {
  const add = (name: string, description: string) =>
    program.command(name).description(description).helpGroup(readingGroup).addHelpText("after", environment);
  const run =
    <Words extends readonly unknown[]>(work: Work<Words>) =>
    async (...words: Words) => {
      const client = openClient(context);
      try {
        await work(client, ...words);
      } catch (error) {
        throw await withCoverage(client, readingError(error, context.env));
      }
    };

  withPrintOptions(
    withFilterOptions(
      add("search", "find pages and databases by title, or list them").argument(
        "[words...]",
        "the title or a part of it; without it, all pages",
      ),
    ),
  ).action(
    run(async (client, words: readonly string[], options: Filters) => {
      const input = { ...(await filtersOf(client, options)), ...queryOf(words) };
      await printNodes(context, client.iterate("searchPages", withLimit(input, options, 100)), options);
    }),
  );

  withPrintOptions(
    withFilterOptions(
      add("text", "search the texts of pages").argument("<words...>", 'words, "a phrase", -without, begin*'),
    ),
  ).action(
    run(async (client, words: readonly string[], options: Filters) => {
      const input = { ...(await filtersOf(client, options)), q: words.join(" ") };
      const items = await takeItems(client.iterate("searchTexts", withLimit(input, options, 50)), options);
      const short = shortIds(items.map(({ node }) => node.id));
      await printItems(context, options, items, "found", ({ node, hits }) => ({
        id: short.get(node.id) ?? "",
        title: node.title || "Untitled",
        found: hits[0]?.snippet ?? "",
      }));
    }),
  );

  add("read", "print the text of a page as Markdown")
    .argument("<page>", pageHelp)
    .option("--json", "print JSON with title, place, properties and links to pages that are not shared")
    .action(run((client, page: string, options: Printing) => read(context, client, page, options)));

  withPrintOptions(
    add("links", "list what a page is linked with, nearest first")
      .argument("<page>", pageHelp)
      .addOption(
        new Option("--direction <direction>", "in: links to the page; out: links from it").choices(
          directions,
        ),
      )
      .option("--kind <kinds>", `comma-separated list of ${edgeTypes.join(", ")}`)
      .addOption(new Option("--depth <steps>", "how many steps away").choices(["1", "2", "3"]).default("1")),
  ).action(
    run(
      async (
        client,
        page: string,
        options: Paging & { direction?: (typeof directions)[number]; kind?: string; depth: string },
      ) => {
        const { direction, kind, depth } = options;
        const input = { id: await findPage(client, page), direction, edge_type: kind, depth: Number(depth) };
        const items = await takeItems(
          client.iterate("listNeighbors", withLimit(input, options, 200)),
          options,
        );
        const short = shortIds(items.map(({ node }) => node.id));
        await printItems(context, options, items, "title", ({ node, depth: steps, edges }) => ({
          id: short.get(node.id) ?? "",
          title: node.title || "Untitled",
          steps: String(steps),
          links: linksOf(node, edges),
        }));
      },
    ),
  );

  add("path", "find the shortest paths between two pages")
    .argument("<from>", pageHelp)
    .argument("<to>", pageHelp)
    .option("--paths <count>", "how many paths at most", count(1, 20), 1)
    .option("--depth <steps>", "how long at most", count(1, 10), 6)
    .option("--json", "print JSON lines")
    .action(
      run(async (client, from: string, to: string, options: Printing & { paths: number; depth: number }) =>
        printPaths(context, client, [from, to], options),
      ),
    );

  withPrintOptions(
    add("recent", "list pages that were added, edited or removed lately, newest first")
      .option("--since <time>", "a date, a time, or a span such as 24h, 7d, 2w")
      .option("--workspace <workspace>", "only in this workspace: its id or name")
      .option("--under <page>", "only this page and what is below it"),
  ).action(
    run(async (client, options: Filters & { since?: string }) => {
      const { workspace_id, under } = await filtersOf(client, options);
      const input = { since: options.since, workspace_id, under };
      const items = await takeItems(
        client.iterate("listRecentChanges", withLimit(input, options, 200)),
        options,
      );
      const short = shortIds(items.map(({ node_id }) => node_id));
      await printItems(context, options, items, "title", ({ change, at, what, node_id, node }) => ({
        id: short.get(node_id) ?? "",
        title: node === null ? "" : node.title || "Untitled",
        change: what.length === 0 ? change : what.join(", "),
        at: minute(at),
      }));
    }),
  );

  withPrintOptions(
    add("table", "list the rows of a database with their properties")
      .argument("<database>", pageHelp)
      .option(
        "--where <condition>",
        'for example "Status = Open"; may be repeated, and then all must hold',
        collect,
      )
      .option("--column <name>", "show only this column; may be repeated", collect)
      .option("--sort <column>", "the name of a column, title, updated or created")
      .addOption(new Option("--order <direction>", "its direction").choices(sortOrders)),
  ).action(
    run(async (client, database: string, options: TableOptions) => {
      const { where, column, sort, order } = options;
      const input = { id: await findPage(client, database), where, column, sort, order };
      const items = await takeItems(client.iterate("listRows", withLimit(input, options, 200)), options);
      const short = shortIds(items.map(({ node }) => node.id));
      const columns = isForPeople(context, options.json)
        ? await client.listRows({ ...input, limit: 1 })
        : null;
      const titleColumn = columns?.schema.find(({ type }) => type === "title")?.name;
      await printItems(context, options, items, "title", ({ node, properties }) => {
        const own = { id: short.get(node.id) ?? "", title: node.title || "Untitled" };
        const cells = Object.entries(properties)
          .filter(([name]) => name !== titleColumn)
          // Properties are JSON.
          .map(([name, value]) => [plainText(name), cellText(value as Json)]);
        return { ...own, ...Object.fromEntries(cells), ...own };
      });
    }),
  );

  add("export", "write the whole graph to standard output")
    .addOption(
      new Option("--format <format>", "csv needs --part")
        .choices(Object.keys(exportMediaTypes))
        .default("jsonl"),
    )
    .addOption(new Option("--part <part>", "leave out the other half").choices(["nodes", "edges"]))
    .option("--workspace <workspace>", "only this workspace: its id or name")
    .option("--text", "add the texts of pages; only with jsonl")
    .action(run((client, options: ExportOptions) => exportGraph(context, client, options)));

  add("whoami", "show the token, and the workspaces that it opens")
    .option("--json", "print JSON lines")
    .action(run((client, options: Printing) => whoAmI(context, client, options)));

  add("mcp", "offer Clew's tools to a program that speaks the Model Context Protocol over stdio only").action(
    async () => bridgeMcp(context),
  );
}

/** A whole number within bounds, for an option. */
function count(minimum: number, maximum: number) {
  return (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
  };
}

const withPrintOptions = (command: Command): Command =>
  command
    .option("-n, --limit <count>", "how many items to print", count(1, 100_000), 20)
    .option("--skip <count>", "how many items to leave out first", count(0, 1_000_000), 0)
    .option("--json", "print JSON lines, also on a terminal");

const withFilterOptions = (command: Command): Command =>
  command
    .option("--workspace <workspace>", "only in this workspace: its id or name")
    .option("--under <page>", "only this page and what is below it")
    .addOption(new Option("--type <type>", "only these").choices(nodeTypes))
    .option("--is <words>", `${nodeTraits.join(", ")}; -word negates`)
    .option("--updated-after <time>", "a date, a time, or a span such as 7d")
    .option("--updated-before <time>", "the same")
    .option("--created-after <time>", "the same")
    .option("--created-before <time>", "the same")
    .addOption(new Option("--sort <order>", "the order").choices(searchSorts))
    .addOption(new Option("--order <direction>", "its direction").choices(sortOrders));

async function filtersOf(client: Client, options: Filters) {
  const { workspace, under, type, is, sort, order } = options;
  return {
    workspace_id: await findWorkspace(client, workspace),
    under: under === undefined ? undefined : await findPage(client, under),
    type,
    is,
    sort,
    order,
    updated_after: options.updatedAfter,
    updated_before: options.updatedBefore,
    created_after: options.createdAfter,
    created_before: options.createdBefore,
  };
}

const queryOf = (words: readonly string[]) => (words.length === 0 ? {} : { q: words.join(" ") });

/** Asks for pages of a list that hold all that is printed, or as much as the API allows. */
const withLimit = <Input extends object>(input: Input, { limit, skip }: Paging, maximum: number) => ({
  ...input,
  limit: Math.min(maximum, limit + skip),
});

/** The items of a list after the first `skip`, at most `limit`. */
async function takeItems<Item>(items: AsyncIterable<Item>, { limit, skip }: Paging): Promise<Item[]> {
  const wanted: Item[] = [];
  let passed = 0;
  for await (const item of items) {
    passed += 1;
    if (passed > skip) wanted.push(item);
    if (wanted.length === limit) break;
  }
  return wanted;
}

/** Prints items, a row each for people. Throws a `ReadingError` if there are none. */
async function printItems<Item>(
  context: ReadingContext,
  { json, limit, skip }: Paging,
  items: readonly Item[],
  wide: string,
  rowOf: (item: Item) => Row,
): Promise<void> {
  if (items.length === 0)
    throw new ReadingError("nothing", isForPeople(context, json) ? "Nothing was found." : "");
  if (!isForPeople(context, json)) {
    for (const item of items) await write(context, jsonLine(item));
    return;
  }
  await write(context, tableText(items.map(rowOf), wide, context.stdout.columns || 80));
  if (items.length === limit) context.warn(`There may be more: --skip ${skip + limit}`);
}

async function printNodes(
  context: ReadingContext,
  found: AsyncIterable<ListItem<"searchPages">>,
  options: Paging,
): Promise<void> {
  const items = await takeItems(found, options);
  const short = shortIds(items.map(({ node }) => node.id));
  await printItems(context, options, items, "title", ({ node }) => ({
    id: short.get(node.id) ?? "",
    title: node.title || "Untitled",
    type: node.type,
    updated: minute(node.updated_at),
    links: `${node.degree.in} in, ${node.degree.out} out`,
  }));
}

/** The links between an item and what is nearer to the page: `link to it, mention from it`. */
function linksOf({ id }: Node, edges: readonly Edge[]): string {
  const words = edges.map(({ type, name, to }) => `${name ?? type} ${to === id ? "to it" : "from it"}`);
  return [...new Set(words)].join(", ");
}

const minute = (time: string) => time.slice(0, 16).replace("T", " ");

async function read(
  context: ReadingContext,
  client: Client,
  page: string,
  { json }: Printing,
): Promise<void> {
  const id = await findPage(client, page);
  const parts: string[] = [];
  let offset: number | null = 0;
  while (offset !== null) {
    const content = await client.getPageContent({ id, offset, max_chars: 200_000 });
    parts.push(content.markdown);
    offset = content.next_offset;
  }
  const markdown = parts.join("");
  if (json === true) return write(context, jsonLine({ ...(await client.getPage({ id })), markdown }));
  if (markdown === "") {
    const { content_state: state } = await client.getPage({ id });
    throw new ReadingError("nothing", `The page has no text (${state}).`);
  }
  const text = markdown.endsWith("\n") ? markdown : `${markdown}\n`;
  await write(context, context.stdout.isTTY === true ? safeText(text) : text);
}

async function printPaths(
  context: ReadingContext,
  client: Client,
  ends: readonly [string, string],
  { json, paths: maxPaths, depth }: Printing & { paths: number; depth: number },
): Promise<void> {
  const [from, to] = [await findPage(client, ends[0]), await findPage(client, ends[1])];
  const { status, paths } = await client.findPaths({ from, to, max_paths: maxPaths, max_depth: depth });
  const reasons = {
    found: "",
    none: "No path from one to the other was found.",
    depth_reached: `No path of ${depth} steps or fewer was found: --depth looks further.`,
    budget_reached: "No path was found before the limit of the search.",
  };
  if (paths.length === 0) throw new ReadingError("nothing", reasons[status]);
  const isTable = isForPeople(context, json);
  for (const path of paths) await write(context, isTable ? safeText(pathText(path)) : jsonLine(path));
}

/** `Jupiter -link-> Earth <-mention- Crux`. */
function pathText({
  nodes,
  edges,
}: {
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
}): string {
  const short = shortIds(nodes.map(({ id }) => id));
  const words = nodes.flatMap(({ id, title }, index) => {
    const edge = edges[index - 1];
    const page = `${title.replaceAll(/\s+/g, " ") || "Untitled"} [${short.get(id)}]`;
    if (edge === undefined) return [page];
    const label = edge.name ?? edge.type;
    return [edge.to === id ? `-${label}->` : `<-${label}-`, page];
  });
  return `${words.join(" ")}\n`;
}

interface TableOptions extends Paging {
  readonly where?: readonly string[];
  readonly column?: readonly string[];
  readonly sort?: string;
  readonly order?: SortOrder;
}

/** The values of an option that may be repeated. */
const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

interface ExportOptions {
  readonly format: ExportFormat;
  readonly part?: "nodes" | "edges";
  readonly workspace?: string;
  readonly text?: boolean;
}

/** The longest that the last line of an export can be. */
const endBytes = 100;

async function exportGraph(context: ReadingContext, client: Client, options: ExportOptions): Promise<void> {
  const { format, part, workspace, text } = options;
  const workspaceId = await findWorkspace(client, workspace);
  const stream = await client.exportStream({ format, part, workspace_id: workspaceId, text });
  let tail = Buffer.alloc(0);
  const watch = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      tail = Buffer.concat([tail, chunk]).subarray(-endBytes);
      done(null, chunk);
    },
  });
  try {
    // Standard output stays open for what follows.
    await pipeline(Readable.fromWeb(stream), watch, context.stdout, { end: false });
  } catch (error) {
    throw new ReadingError(
      "unavailable",
      `The export broke off: ${error instanceof Error ? error.message : error}.`,
    );
  }
  if (format === "jsonl" && !/(?:^|\n)\{"end":\{[^\n]*\}\}\n$/.test(tail.toString()))
    throw new ReadingError("unavailable", "The export ended before its last line: it is not whole.");
}

async function whoAmI(context: ReadingContext, client: Client, { json }: Printing): Promise<void> {
  const token = await client.getPresentedToken();
  const { items } = await client.listWorkspaces();
  if (!isForPeople(context, json)) return write(context, jsonLine({ token, workspaces: items }));
  const facts = [
    `token       ${token.name} (${token.prefix}…)`,
    `scopes      ${token.scopes.join(", ")}`,
    `expires     ${token.expires_at === null ? "never" : minute(token.expires_at)}`,
  ];
  await write(context, safeText(`${facts.join("\n")}\n\n`));
  const rows = items.map(({ id, name, nodes, edges, last_synced_at }) => ({
    workspace: name ?? "",
    id,
    pages: String(nodes),
    links: String(edges),
    synced: last_synced_at === null ? "never" : minute(last_synced_at),
  }));
  await write(context, tableText(rows, "workspace", context.stdout.columns || 80));
}
