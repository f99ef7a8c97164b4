import { parseNodeId } from "@clew/graph";
import { fold } from "@clew/text/basics";
import type { LocatedNode } from "../graphs/readable.ts";
import { ApiError } from "../model/api-error.ts";
import { workspaceName } from "../operations/page-names.ts";
import { placeIn, titlesIn } from "../operations/page-references.ts";
import { titlesLike } from "../operations/pages-by-title.ts";
import { describePage, maxSuggestions, findPage as pageNamed, readList } from "../operations/resolve.ts";
import { coverageOf } from "./answer/coverage.ts";
import { meansAll } from "./argument-words.ts";
import type { ToolCall } from "./tool-call.ts";

const longestText = 200;

/** Pages that a list in one text may name: each is looked for by itself. */
const maxNames = 50;

/** The page that a text names (AGT-3). Throws `ApiError` that says which pages may be meant. */
export async function findPage(call: ToolCall, text: string): Promise<LocatedNode> {
  const found = await pageNamed(call, text);
  if (found !== null) return found;
  throw noSuchPage(call, text);
}

/** The pages that texts name. A single text that names none may be a comma-separated list. Throws as `findPage` does. */
export async function findPages(call: ToolCall, texts: readonly string[]): Promise<readonly LocatedNode[]> {
  const [first = ""] = texts;
  const wanted = texts.length === 1 && first.includes(",") ? await readList(call, first) : texts;
  if ("node" in wanted) return [wanted];
  if (wanted.length > maxNames)
    throw new ApiError("invalid_request", "Too many pages are named.", {
      errors: [{ path: "page", message: `may name up to ${maxNames} pages` }],
    });
  const found = await Promise.all(wanted.map((text) => findPage(call, text)));
  return [...new Map(found.map((located) => [located.node.id, located])).values()];
}

/** Pages that do not exist and pages that the caller may not read get the same error (GRAPH-10). */
function noSuchPage(call: ToolCall, text: string): ApiError {
  const quoted = JSON.stringify(text.slice(0, longestText));
  const { isWhole, none } = coverageOf(call);
  const message = none(`No readable page is ${quoted}.`, `No readable page ${quoted} was found`);
  if (!call.holds("graph:search"))
    return new ApiError(
      "node_not_found",
      `${message} Give a link or an id: to find pages by title, the token needs the scope graph:search.`,
    );
  const title = titlesIn(withoutBracket(text)).at(-1) ?? "";
  const near = titlesLike(call, placeIn(title)?.at(-1) ?? title, maxSuggestions).slice(0, maxSuggestions);
  const hint =
    near.length === 0
      ? `${isWhole ? "No title is similar" : "No similar title was found so far"}: find the page with search_pages.`
      : `Nearest titles: ${near.map(({ located }) => describePage(call.graphs, located.node)).join("; ")}.`;
  return new ApiError("node_not_found", `${message} ${hint}`);
}

/** A text without the bracket that it ends with. */
function withoutBracket(text: string): string {
  const start = text.endsWith("]") ? text.indexOf("[", text.lastIndexOf("]", text.length - 2) + 1) : -1;
  return start < 0 ? text : text.slice(0, start);
}

/** The id of the workspace that a text names, by id or name; undefined for all. Throws `ApiError`, which names the readable ones. */
export function findWorkspace({ graphs }: ToolCall, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const connections = graphs.map(({ connection }) => connection);
  const wanted = fold(text);
  const id = /\(([^()]+)\)$/.exec(text)?.[1] ?? text;
  const found = connections.filter(
    ({ workspaceId, name }) =>
      parseNodeId(id) === workspaceId || workspaceId === id || fold(name ?? "") === wanted,
  );
  if (found.length === 1) return found[0]?.workspaceId;
  if (found.length === 0 && meansAll(text)) return undefined;
  const shown = (found.length > 1 ? found : connections).slice(0, 10);
  const names = shown
    .map((connection) => `${workspaceName(connection)} (${connection.workspaceId})`)
    .join("; ");
  if (found.length > 1)
    throw new ApiError("invalid_request", `Several workspaces have this name. Use an id: ${names}.`);
  const readable = names === "" ? "No workspace is readable" : `Readable are: ${names}`;
  throw new ApiError(
    "workspace_not_allowed",
    `The workspace does not exist or is not open to this token. ${readable}.`,
  );
}
