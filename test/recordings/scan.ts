import { uuidOf } from "@clew/text/basics";

/**
 * Finds the ids of pages, databases and blocks that an answer refers to, independently of the provider's code, which must
 * have found them too.
 */
export function idsLedTo(json: unknown): Map<string, string> {
  const found = new Map<string, string>();
  walk(json, [], found);
  return found;
}

const id = /[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/;
const pageAddress = new RegExp(
  `https?://(?:(?:www\\.)?notion\\.so|app\\.notion\\.com|[\\w-]+\\.notion\\.site)/[^\\s"()<>?#]*?(${id.source})(?![\\w-])`,
  "g",
);

/** Keys whose values are references; the id may be in a further `id`. */
const leading = /^(?:page|database|page_id|database_id|data_source_id|block_id|relation)$/;

function walk(value: unknown, path: readonly string[], found: Map<string, string>): void {
  if (typeof value === "string") {
    scanText(value, path, found);
  } else if (typeof value === "object" && value !== null) {
    const object = "object" in value ? value.object : null;
    const isNode = object === "page" || object === "database" || object === "data_source";
    if ("type" in value && "id" in value && (value.type === "child_page" || value.type === "child_database"))
      note(`${value.id}`, [...path, "id"], found);
    for (const [key, inner] of Object.entries(value)) {
      // A node's own address is no reference.
      if (isNode && (key === "url" || key === "public_url")) continue;
      walk(inner, [...path, key], found);
    }
  }
}

function scanText(text: string, path: readonly string[], found: Map<string, string>): void {
  for (const [, address = ""] of text.matchAll(pageAddress)) note(address, path, found);
  const named = path.findLast((key) => !/^(?:\d+|id)$/.test(key)) ?? "";
  if (leading.test(named) && id.test(text) && text.length <= 36) note(text, path, found);
}

function note(found: string, path: readonly string[], into: Map<string, string>): void {
  const dashed = uuidOf(found.replaceAll("-", ""));
  if (!into.has(dashed)) into.set(dashed, path.join("."));
}
