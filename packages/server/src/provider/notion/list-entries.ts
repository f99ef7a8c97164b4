import type { ListEntry, UnreadableEntry } from "../port.ts";
import type { Dialect } from "./dialect.ts";
import { requiredId, requiredText, UnreadableError } from "./json.ts";
import { isNodeObject, listedNode } from "./listed-node.ts";

/**
 * Reads the entries of a list. One that cannot be read, or of which a property cannot, is told by its id, so that it can
 * be looked up; one of a kind that is new is told by that. Throws `UnreadableError` after the last where one says not
 * even what it is.
 */
export async function* listEntries(
  list: AsyncIterable<unknown>,
  dialect: Dialect,
): AsyncGenerator<ListEntry> {
  let fault: UnreadableError | null = null;
  for await (const json of list) {
    const entry = entryOf(json, dialect);
    if (entry instanceof UnreadableError) fault ??= entry;
    else yield entry;
  }
  if (fault !== null) throw fault;
}

function entryOf(json: unknown, dialect: Dialect): ListEntry | UnreadableError {
  try {
    const object = requiredText(json, "object");
    if (!isNodeObject(object)) return { type: "unsupported", unsupported: { kind: "object", type: object } };
    const of = object === "data_source" ? "data-source" : object;
    return readOrName(json, { type: "unreadable", of, id: requiredId(json, "id") }, dialect);
  } catch (error) {
    if (error instanceof UnreadableError) return error;
    throw error;
  }
}

function readOrName(json: unknown, entry: Omit<UnreadableEntry, "error">, dialect: Dialect): ListEntry {
  try {
    const node = listedNode(json, dialect);
    const unread = node.unreadProperties.find(({ error }) => error !== null);
    return unread?.error ? { ...entry, error: unread.error } : node;
  } catch (error) {
    if (error instanceof UnreadableError) return { ...entry, error };
    throw error;
  }
}
