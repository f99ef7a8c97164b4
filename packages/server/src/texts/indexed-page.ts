import { createHash } from "node:crypto";
import type { PageProperty, PageSource } from "@clew/text-index";
import { isJsonList, type Json } from "../model/node.ts";
import type { SearchedNode, SearchedPage } from "../store/queries/page-texts.ts";

/** The parts of a page that are indexed. */
export function pageSourceOf({ title, aliases, properties, markdown }: SearchedPage): PageSource {
  const texts = Object.entries(properties).map(([name, value]) => ({ name, text: textOf(value) }));
  // The title is a property too.
  const others = texts.filter(({ text }) => text !== "" && text !== title);
  return { title, aliases, properties: others satisfies readonly PageProperty[], markdown };
}

/** Relations are lists of ids. */
const id = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A property's value as a reader sees it; empty for relations and checkboxes. */
function textOf(value: Json): string {
  if (typeof value === "string") return id.test(value) ? "" : value;
  if (typeof value === "number") return String(value);
  if (value === null || typeof value === "boolean") return "";
  const parts = isJsonList(value) ? value : [value.start ?? null, value.end ?? null];
  return parts
    .map(textOf)
    .filter((part) => part !== "")
    .join(isJsonList(value) ? ", " : " → ");
}

/** A number that changes with any indexed part of the node. */
export function versionOfNode({ title, aliases, properties, digest }: SearchedNode): number {
  const hash = createHash("sha256").update(JSON.stringify([title, aliases, properties, digest]));
  return hash.digest().readUIntBE(0, 6);
}
