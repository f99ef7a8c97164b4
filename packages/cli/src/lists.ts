import type { Client, Edge, Node, SearchPagesInput, SearchResults } from "@clew/client";
import {
  directions,
  edgeTypes,
  nodeTraits,
  nodeTypes,
  type SortOrder,
  searchSorts,
  sortOrders,
} from "@clew/contract";
import { type Command, Option } from "commander";
import { count, pageHelp, type ReadingCommands } from "./commands.ts";
import type { ReadingContext } from "./connect.ts";
import { ReadingError } from "./exit-codes.ts";
import {
  cellText,
  isForPeople,
  jsonLine,
  minute,
  type Printing,
  type Row,
  tableText,
  write,
} from "./output.ts";
import { findPage, findWorkspace, shortIds } from "./pages.ts";
import { plainText } from "./table.ts";

/*
 * The commands that print lists.
 */

/** Which items of a list a command prints. */
interface Paging extends Printing {
  readonly limit: number;
  readonly skip: number;
}

interface Filters extends Paging {
  readonly workspace?: string;
  readonly under?: string;
  readonly type?: SearchPagesInput["type"];
  readonly by?: string;
  readonly is?: string;
  readonly sort?: SearchPagesInput["sort"];
  readonly order?: SearchPagesInput["order"];
  readonly updatedAfter?: string;
  readonly updatedBefore?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
}

export function search(commands: ReadingCommands): void {
  const { context } = commands;
  const command = commands
    .add("search", "find pages and databases by title, or list them")
    .argument("[words...]", "the title or a part of it; without it, all pages");
  withPrintOptions(withFilterOptions(command)).action(
    commands.action(async (client, words: readonly string[], options: Filters) => {
      const query = words.length === 0 ? {} : { q: words.join(" ") };
      const input = { ...(await filtersOf(client, options)), ...query };
      const items = await takeItems(client.iterate("searchPages", withLimit(input, options, 100)), options);
      const short = shortIds(items.map(({ node }) => node.id));
      const row = ({ node }: (typeof items)[number]) => ({
        ...nameOf(short, node),
        type: node.type,
        updated: minute(node.updated_at),
        links: `${node.degree.in} in, ${node.degree.out} out`,
      });
      await printItems(context, options, items, "title", row, () =>
        client.searchPages({ ...input, limit: 1 }),
      );
    }),
  );
}

export function text(commands: ReadingCommands): void {
  const command = commands
    .add("text", "search the texts of pages")
    .argument("<words...>", 'words, "a phrase", -without, begin*');
  withPrintOptions(withFilterOptions(command)).action(
    commands.action(async (client, words: readonly string[], options: Filters) => {
      const input = { ...(await filtersOf(client, options)), q: words.join(" ") };
      const items = await takeItems(client.iterate("searchTexts", withLimit(input, options, 50)), options);
      const short = shortIds(items.map(({ node }) => node.id));
      const row = ({ node, hits }: (typeof items)[number]) => ({
        ...nameOf(short, node),
        found: hits[0]?.snippet ?? "",
      });
      await printItems(commands.context, options, items, "found", row, () =>
        client.searchTexts({ ...input, limit: 1 }),
      );
    }),
  );
}

interface LinksOptions extends Paging {
  readonly direction?: (typeof directions)[number];
  readonly kind?: string;
  readonly depth: string;
}

export function links(commands: ReadingCommands): void {
  const command = commands
    .add("links", "list what a page is linked with, nearest first")
    .argument("<page>", pageHelp)
    .addOption(
      new Option("--direction <direction>", "in: links to the page; out: links from it").choices(directions),
    )
    .option("--kind <kinds>", `comma-separated list of ${edgeTypes.join(", ")}`)
    .addOption(new Option("--depth <steps>", "how many steps away").choices(["1", "2", "3"]).default("1"));
  withPrintOptions(command).action(
    commands.action(async (client, page: string, options: LinksOptions) => {
      const { direction, kind, depth } = options;
      const input = { id: await findPage(client, page), direction, edge_type: kind, depth: Number(depth) };
      const items = await takeItems(client.iterate("listNeighbors", withLimit(input, options, 200)), options);
      const short = shortIds(items.map(({ node }) => node.id));
      await printItems(commands.context, options, items, "title", ({ node, depth: steps, edges }) => ({
        ...nameOf(short, node),
        steps: String(steps),
        links: linksOf(node, edges),
      }));
    }),
  );
}

export function recent(commands: ReadingCommands): void {
  const command = commands
    .add("recent", "list pages that were added, edited or removed lately, newest first")
    .option("--since <time>", "a date, a time, or a span such as 24h, 7d, 2w")
    .option("--workspace <workspace>", "only in this workspace: its id or name")
    .option("--under <page>", "only this page and what is below it");
  withPrintOptions(command).action(
    commands.action(async (client, options: Filters & { since?: string }) => {
      const { workspace_id, under } = await filtersOf(client, options);
      const input = { since: options.since, workspace_id, under };
      const items = await takeItems(
        client.iterate("listRecentChanges", withLimit(input, options, 200)),
        options,
      );
      const short = shortIds(items.map(({ node_id }) => node_id));
      await printItems(commands.context, options, items, "title", ({ change, at, what, node_id, node }) => ({
        id: short.get(node_id) ?? "",
        title: node === null ? "" : node.title || "Untitled",
        change: what.length === 0 ? change : what.join(", "),
        at: minute(at),
      }));
    }),
  );
}

interface TableOptions extends Paging {
  readonly where?: readonly string[];
  readonly column?: readonly string[];
  readonly sort?: string;
  readonly order?: SortOrder;
}

/** The values of an option that may be repeated. */
const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

export function table(commands: ReadingCommands): void {
  const { context } = commands;
  const command = commands
    .add("table", "list the rows of a database with their properties")
    .argument("<database>", pageHelp)
    .option(
      "--where <condition>",
      'for example "Status = Open"; may be repeated, and then all must hold',
      collect,
    )
    .option("--column <name>", "show only this column; may be repeated", collect)
    .option("--sort <column>", "the name of a column, title, updated or created")
    .addOption(new Option("--order <direction>", "its direction").choices(sortOrders));
  withPrintOptions(command).action(
    commands.action(async (client, database: string, options: TableOptions) => {
      const { where, column, sort, order } = options;
      const input = { id: await findPage(client, database), where, column, sort, order };
      const items = await takeItems(client.iterate("listRows", withLimit(input, options, 200)), options);
      const short = shortIds(items.map(({ node }) => node.id));
      const columns = isForPeople(context, options.json)
        ? await client.listRows({ ...input, limit: 1 })
        : null;
      const titleColumn = columns?.schema.find(({ type }) => type === "title")?.name;
      await printItems(context, options, items, "title", ({ node, properties }) => {
        const own = nameOf(short, node);
        const cells = Object.entries(properties)
          .filter(([name]) => name !== titleColumn)
          .map(([name, value]) => [plainText(name), cellText(value)]);
        return { ...own, ...Object.fromEntries(cells), ...own };
      });
    }),
  );
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
    .option("--by <person>", "only what this person made or edited last: a name or an id")
    .option("--is <words>", `${nodeTraits.join(", ")}; -word negates`)
    .option("--updated-after <time>", "a date, a time, or a span such as 7d")
    .option("--updated-before <time>", "the same")
    .option("--created-after <time>", "the same")
    .option("--created-before <time>", "the same")
    .addOption(new Option("--sort <order>", "the order").choices(searchSorts))
    .addOption(new Option("--order <direction>", "its direction").choices(sortOrders));

async function filtersOf(client: Client, options: Filters) {
  const { workspace, under, type, by, is, sort, order } = options;
  return {
    workspace_id: await findWorkspace(client, workspace),
    under: under === undefined ? undefined : await findPage(client, under),
    type,
    by,
    is,
    sort,
    order,
    updated_after: options.updatedAfter,
    updated_before: options.updatedBefore,
    created_after: options.createdAfter,
    created_before: options.createdBefore,
  };
}

const nameOf = (short: ReadonlyMap<string, string>, { id, title }: Pick<Node, "id" | "title">) => ({
  id: short.get(id) ?? "",
  title: title || "Untitled",
});

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

/**
 * Prints items, a row each for people. Throws a `ReadingError` if there are none.
 *
 * @param ask Asks for the list again, if it counts what its filters leave out.
 */
async function printItems<Item>(
  context: ReadingContext,
  { json, limit, skip }: Paging,
  items: readonly Item[],
  wide: string,
  rowOf: (item: Item) => Row,
  ask: () => Promise<Pick<SearchResults, "unfiltered_total">> = async () => ({ unfiltered_total: null }),
): Promise<void> {
  if (items.length === 0)
    throw new ReadingError("nothing", isForPeople(context, json) ? nothingFound(await ask()) : "");
  if (!isForPeople(context, json)) {
    for (const item of items) await write(context, jsonLine(item));
    return;
  }
  await write(context, tableText(items.map(rowOf), wide, context.stdout.columns || 80));
  if (items.length === limit) context.warn(`There may be more: --skip ${skip + limit}`);
}

function nothingFound({ unfiltered_total: others }: Pick<SearchResults, "unfiltered_total">): string {
  // An earlier Clew does not count them.
  if (!others) return "Nothing was found.";
  return `Nothing was found with these filters; without them, ${others} ${others === 1 ? "page matches" : "pages match"}.`;
}

/** The links between an item and what is nearer to the page: `link to it, mention from it`. */
function linksOf({ id }: Node, edges: readonly Edge[]): string {
  const words = edges.map(({ type, name, to }) => `${name ?? type} ${to === id ? "to it" : "from it"}`);
  return [...new Set(words)].join(", ");
}
