import type { Client, Node } from "@clew/client";
import { fold, parseNodeId } from "@clew/graph";
import { plainText } from "../table.ts";
import { ReadingError } from "./connect.ts";

const shortestId = 8;
const maxSuggestions = 5;

/** How many pages are listed to find a short id, a hundred at a time. */
const maxListed = 20_000;

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

/**
 * The id of the page that a text names (AGT-3): by URL, id, short id, `title [short id]` or a title that one page alone has.
 * Throws a `ReadingError` that says which pages may be meant.
 */
export async function findPage(client: Client, text: string): Promise<string> {
  const id = parseNodeId(text) ?? idInUrl(text);
  if (id !== null) return id;
  const [, title = "", digits] = /^(?:(.*?)\s*\[)?([0-9a-f]{8,32})\]?$/i.exec(text.trim()) ?? [];
  if (digits !== undefined) {
    const found = await endingIn(client, title, digits.toLowerCase());
    if (found !== null) return found;
  }
  return byTitle(client, text.trim());
}

/** The id at the end of an address. */
function idInUrl(text: string): string | null {
  const path = /^(?:https?:\/\/)?[\w.-]+(?::\d+)?(\/[^?#\s]*)/.exec(text)?.[1]?.replace(/\/$/, "") ?? "";
  const end = /([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.exec(path)?.[1];
  return end === undefined ? null : parseNodeId(end);
}

/** The page with an id that ends in these digits: looked for among the pages of a title, or else among all. */
async function endingIn(client: Client, title: string, digits: string): Promise<string | null> {
  const query = title === "" ? { sort: "importance" as const, limit: 100 } : { q: title, limit: 100 };
  const found: Node[] = [];
  let listed = 0;
  for await (const { node } of client.iterate("searchPages", query)) {
    if (node.id.replaceAll("-", "").endsWith(digits)) found.push(node);
    listed += 1;
    if (title !== "" && listed === 100) break;
    if (listed === maxListed)
      throw new ReadingError("usage", `There are too many pages to look for ${digits}: give the whole id.`);
  }
  if (found.length > 1) throw ambiguous(`Several pages have an id that ends in ${digits}`, found);
  return found[0]?.id ?? null;
}

async function byTitle(client: Client, title: string): Promise<string> {
  const { items } = await client.searchPages({ q: title, limit: 20 });
  const exact = items.filter(({ match }) => match === "exact").map(({ node }) => node);
  const named = exact.filter((node) => fold(node.title) === fold(title));
  // The rest have it as an alias.
  const candidates = named.length > 0 ? named : exact;
  const [only] = candidates;
  if (candidates.length === 1 && only !== undefined) return only.id;
  if (candidates.length > 1) throw ambiguous(`Several pages are called ${JSON.stringify(title)}`, candidates);
  const nearest = items.slice(0, maxSuggestions).map(({ node }) => node);
  const hint = nearest.length === 0 ? "" : ` Nearest titles: ${namesOf(nearest)}.`;
  throw new ReadingError("nothing", `No readable page ${JSON.stringify(title)} was found.${hint}`);
}

function ambiguous(message: string, nodes: readonly Node[]): ReadingError {
  const more = nodes.length > maxSuggestions ? ", and others" : "";
  return new ReadingError("usage", `${message}: ${namesOf(nodes)}${more}. Use the id in brackets.`);
}

function namesOf(nodes: readonly Node[]): string {
  const short = shortIds(nodes.map(({ id }) => id));
  return nodes
    .slice(0, maxSuggestions)
    .map(({ id, title }) => `${plainText(title) || "Untitled"} [${short.get(id)}]`)
    .join("; ");
}

/** The id of the workspace that a text names, by id or name. Throws a `ReadingError` that names the readable ones. */
export async function findWorkspace(client: Client, text: string | undefined): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const { items } = await client.listWorkspaces();
  const found = items.filter(({ id, name }) => id === text || fold(name ?? "") === fold(text));
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
