import type { FieldError } from "@clew/contract";
import { editDistance } from "../model/edit-distance.ts";

/*
 * The names of arguments as agents write them (AGT-3).
 */

/** Other names of parameters. If a tool has several parameters that a name may mean, it means the first of them. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  query: ["q", "search", "search_query", "text", "keyword", "keywords", "question", "name", "title"],
  question: ["q", "query", "search", "text", "topic", "task"],
  page: ["id", "ids", "page_id", "page_ids", "node", "node_id", "url", "name", "title", "page_url"],
  near: ["page", "id", "page_id", "node", "node_id", "url", "name", "title"],
  database: ["page", "id", "database_id", "page_id", "node_id", "url", "name", "title", "table", "db"],
  id: ["page", "page_id", "node_id", "url", "name", "title"],
  heading: ["section"],
  limit: ["max_results", "num_results", "top_k", "k", "n", "count", "page_size", "max_paths"],
  skip: ["offset", "start"],
  offset: ["skip", "start"],
  kinds: ["edge_type", "edge_types", "link_type", "link_types", "types", "type"],
  depth: ["max_depth", "hops"],
  workspace: ["workspace_id", "workspace_name"],
  under: ["parent", "parent_id", "ancestor", "folder"],
  updated_after: ["since", "edited_after", "modified_after", "after"],
  updated_before: ["edited_before", "modified_before", "before"],
  by: ["author", "created_by", "edited_by", "person", "user", "owner"],
  since: ["after", "updated_after", "edited_after"],
  where: ["filter", "filters", "condition", "conditions"],
  columns: ["fields", "properties", "select"],
  sort: ["sort_by", "order_by", "sorts", "sorting"],
  order: ["sort_order"],
  from: ["source", "from_page", "start_page", "start"],
  to: ["target", "to_page", "end_page", "end"],
};

/** Names whose values a parameter does not take. An error leads to the parameter. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  skip: ["cursor", "start_cursor", "next_cursor", "page_token"],
  max_tokens: ["max_chars", "max_length"],
};

/** Fields in which models and the programs around them note what is not for a tool. */
const asides: readonly string[] = [
  "reasoning",
  "reason",
  "thought",
  "thoughts",
  "thinking",
  "explanation",
  "rationale",
  "justification",
  "intent",
  "intention",
  "purpose",
  "goal",
  "plan",
  "comment",
  "note",
  "notes",
  "session_id",
  "tool_call_id",
  "chat_input",
];

/** A name as it is compared: agents write `topK`, `top-k` and `top_k`. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, "");

const has = (names: readonly string[] | undefined, name: string): boolean =>
  names?.some((each) => plain(each) === name) === true;

/** The meaning of a name for a tool. `isGuess` is true if the name is only near that of the parameter. */
type NameMeaning =
  | { readonly kind: "parameter"; readonly parameter: string; readonly isGuess: boolean }
  | { readonly kind: "aside" }
  | { readonly kind: "unknown"; readonly nearest: readonly string[] };

/** Longer names mean nothing. */
const longestName = 40;

/** Returns what an agent means by the name of an argument; `parameters` are those of the tool. */
export function meaningOf(given: string, parameters: readonly string[]): NameMeaning {
  if (given.length > longestName) return { kind: "unknown", nearest: [] };
  const name = plain(given);
  const parameter =
    parameters.find((each) => each === given) ??
    parameters.find((each) => plain(each) === name) ??
    parameters.find((each) => has(synonyms[each], name));
  if (parameter !== undefined) return { kind: "parameter", parameter, isGuess: false };
  if (has(asides, name)) return { kind: "aside" };
  const other = parameters.find((each) => has(elsewhere[each], name));
  if (other !== undefined) return { kind: "unknown", nearest: [other] };
  const typos = parameters.map((each) => editDistance(name, plain(each)));
  const least = Math.min(...typos);
  const nearest = least <= maxTypos(name) ? parameters.filter((_, index) => typos[index] === least) : [];
  const [only, ...others] = nearest;
  return only !== undefined && others.length === 0
    ? { kind: "parameter", parameter: only, isGuess: true }
    : { kind: "unknown", nearest };
}

/** The most typos in a name that is still near. Two letters that changed places are two. */
function maxTypos({ length }: string): number {
  if (length < 3) return 0;
  return length < 5 ? 1 : 2;
}

/** A value that an agent sent, under its own name for the parameter. */
export interface SentValue {
  readonly name: string;
  readonly isGuess: boolean;
  readonly value: unknown;
}

/** Arguments by what their names mean. */
interface MatchedNames {
  /** By parameter. */
  readonly sent: ReadonlyMap<string, SentValue>;
  /** The names of asides. */
  readonly asides: readonly string[];
  readonly errors: readonly FieldError[];
}

/** Names of `since` that count from now, with the unit of their number. */
const spans: Readonly<Record<string, string>> = { hours: "h", days: "d", weeks: "w" };

/** `days: 7` is `since: "7d"`. */
function asSpan(name: string, value: unknown, parameters: readonly string[]): readonly [string, unknown] {
  const unit = spans[plain(name)];
  return unit !== undefined && parameters.includes("since") ? ["since", `${value}${unit}`] : [name, value];
}

/** Finds the parameter of each argument. If several arguments mean one parameter, that with its name counts. */
export function matchNames(
  given: readonly (readonly [name: string, value: unknown])[],
  parameters: readonly string[],
): MatchedNames {
  const sent = new Map<string, SentValue>();
  const asides: string[] = [];
  const errors: FieldError[] = [];
  const isExact = ([name]: readonly [string, unknown]) => parameters.includes(name);
  const read = given.map(([name, value]) => asSpan(name, value, parameters));
  for (const [name, value] of read.toSorted((a, b) => Number(isExact(b)) - Number(isExact(a)))) {
    const meaning = meaningOf(name, parameters);
    if (meaning.kind === "aside") asides.push(name);
    else if (meaning.kind === "unknown")
      errors.push({ path: name, message: unknownName(meaning.nearest, parameters) });
    else if (sent.has(meaning.parameter))
      errors.push({ path: name, message: `means ${meaning.parameter}, which is given too` });
    else sent.set(meaning.parameter, { name, isGuess: meaning.isGuess, value });
  }
  return { sent, asides, errors };
}

function unknownName(nearest: readonly string[], parameters: readonly string[]): string {
  const meant = nearest.length === 0 ? "" : `Did you mean ${nearest.join(" or ")}? `;
  return `is not known. ${meant}There are ${parameters.join(", ")}`;
}
