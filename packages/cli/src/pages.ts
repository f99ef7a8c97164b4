import type { Client, Node } from "@clew/client";
import { graphLimits } from "@clew/contract/vocabulary";
import { ReadingError } from "./exit-codes.ts";
import { plainText } from "./table.ts";

const shortestId = 8;
const maxSuggestions = 5;

/** The last digits of ids: eight, or as many as no other of these ids shares. */
export function shortIds(ids: Iterable<string>): ReadonlyMap<string, string> {
  const all = [...new Set(ids)].map((id) => ({ id, digits: id.replaceAll("-", "") }));
  const short = new Map<string, string>();
  for (let length = shortestId; short.size < all.length; length += 1) {
    const endings = Map.groupBy(all, ({ digits }) => digits.slice(-length));
    for (const [ending, sharing] of endings) {
      const [first] = sharing;
      if (sharing.length === 1 && first !== undefined && !short.has(first.id)) short.set(first.id, ending);
    }
  }
  return short;
}

const uuid = "[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}";

/** An id, or a URL that ends in one. */
const withId = new RegExp(
  String.raw`^(?:(?:https?://)?[\w.-]+(?::\d+)?/[^?#\s]*?)?(?<id>${uuid})(?:/?(?:[?#]\S*)?)?$`,
  "i",
);

/**
 * The id of the page that a text names (AGT-3). An id, or a URL that ends in one, needs no request, and so no
 * `graph:search`. Throws a `ReadingError` that says which pages may be meant.
 */
export async function findPage(client: Client, text: string): Promise<string> {
  const name = text.trim();
  const id = withId.exec(name)?.groups?.id;
  if (id !== undefined) return id;
  const { items } = await client.resolvePage({ page: name });
  const [only, ...others] = items;
  if (only === undefined) throw await noSuchPage(client, name);
  if (others.length > 0) throw ambiguous(name, items);
  return only.id;
}

function ambiguous(name: string, nodes: readonly Node[]): ReadingError {
  const what = /^\[?[0-9a-f]{8,31}\]?$/i.test(name)
    ? `Several pages have an id that ends in ${name}`
    : `Several pages are called ${JSON.stringify(name)}`;
  const more = nodes.length > maxSuggestions ? ", and others" : "";
  return new ReadingError("usage", `${what}: ${namesOf(nodes)}${more}. Use the id in brackets.`);
}

async function noSuchPage(client: Client, name: string): Promise<ReadingError> {
  const { items } = await client.searchPages({
    q: name.slice(0, graphLimits.queryLength),
    limit: maxSuggestions,
  });
  const hint = items.length === 0 ? "" : ` Nearest titles: ${namesOf(items.map(({ node }) => node))}.`;
  return new ReadingError("nothing", `No readable page ${JSON.stringify(name)} was found.${hint}`);
}

function namesOf(nodes: readonly Node[]): string {
  const short = shortIds(nodes.map(({ id }) => id));
  return nodes
    .slice(0, maxSuggestions)
    .map(({ id, title }) => `${plainText(title) || "Untitled"} [${short.get(id)}]`)
    .join("; ");
}

const { compare } = new Intl.Collator("und", { sensitivity: "base" });

/** Whether two names differ in case and accents at most. */
const isSameName = (one: string, other: string): boolean => compare(one, other) === 0;

/** The id of the workspace that a text names, by id or name. Throws a `ReadingError` that names the readable ones. */
export async function findWorkspace(client: Client, text: string | undefined): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const { items } = await client.listWorkspaces();
  const found = items.filter(({ id, name }) => id === text || isSameName(name ?? "", text));
  if (found.length === 1) return found[0]?.id;
  const names = (found.length > 1 ? found : items).map(
    ({ id, name }) => `${plainText(name ?? "Untitled")} (${id})`,
  );
  if (found.length > 1)
    throw new ReadingError("usage", `Several workspaces have this name: ${names.join("; ")}.`);
  throw new ReadingError(
    "refused",
    `The token opens no such workspace. Readable are: ${names.join("; ") || "none"}.`,
  );
}
