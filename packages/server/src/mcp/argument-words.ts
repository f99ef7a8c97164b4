/*
 * The words of arguments as agents write them (AGT-3).
 */

/** Other words for values, in the form in which words are compared. */
const sameWords: Readonly<Record<string, string>> = {
  backlink: "in",
  incoming: "in",
  incoming_link: "in",
  inbound: "in",
  outgoing: "out",
  outgoing_link: "out",
  outbound: "out",
  ascending: "asc",
  descending: "desc",
  child: "subpage",
  children: "subpage",
  content: "text",
  body: "text",
  edited: "updated",
  last_edited: "updated",
  last_edited_time: "updated",
  last_updated: "updated",
  updated_at: "updated",
  modified: "updated",
  recent: "updated",
  created_time: "created",
  created_at: "created",
  brief: "compact",
  concise: "compact",
  short: "compact",
};

/** Whether two words are the same, but for case, singular and plural, what joins their parts, and other words for values. */
export const isSameWord = (one: string, other: string): boolean => plainWord(one) === plainWord(other);

function plainWord(text: string): string {
  const word = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "_")
    .replace(/s$/, "");
  return sameWords[word] ?? word;
}

const wordsForAll = new Set(["all", "any", "everything", "*"]);

/** Whether a word stands for every value. */
export const meansAll = (text: string): boolean => wordsForAll.has(text.trim().toLowerCase());

/** The order of a list: a name to sort by, and a direction. */
interface Sorting {
  readonly sort: string;
  readonly order: "asc" | "desc";
}

const directionAtEnd = /^(.*[^\s,:])[\s,:]+(asc|desc)(?:ending)?$/is;

/** Reads `updated desc`, `updated:descending` or `-updated`; null for any other text. */
export function sortAndOrder(text: string): Sorting | null {
  const minus = /^-\s*(\p{L}.*)$/su.exec(text.trim())?.[1];
  if (minus !== undefined) return { sort: minus, order: "desc" };
  const [, sort, order] = directionAtEnd.exec(text.trim()) ?? [];
  return sort === undefined ? null : { sort, order: order?.toLowerCase() === "asc" ? "asc" : "desc" };
}

const sortFields = ["sort", "by", "property", "column", "field", "timestamp", "name"];
const orderFields = ["direction", "order"];

/** The parts of an object, or of a list of one, that says what to sort by: `{"property": "Due", "direction": "descending"}`. */
export function sortFieldsOf(value: unknown): { readonly sort: string; readonly order?: string } | null {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof only !== "object" || only === null) return null;
  const fields = new Map<string, unknown>(Object.entries(only));
  const textOf = (names: readonly string[]) =>
    names.map((name) => fields.get(name)).find((field) => typeof field === "string");
  const [sort, order] = [textOf(sortFields), textOf(orderFields)];
  return sort === undefined ? null : { sort, ...(order !== undefined && { order }) };
}
