import type { NodeId } from "@clew/graph";
import type { WholeProperty } from "../port.ts";
import type { NotionApi } from "./api.ts";
import { textAt, UnreadableError } from "./json.ts";
import { answersOf, type Cursor, pageSize } from "./listing.ts";
import { propertyOfItems } from "./property-item.ts";
import { referencesOfProperty } from "./property-references.ts";
import { propertyValue } from "./property-value.ts";
import { UnsupportedTypeError } from "./unsupported-type.ts";

/**
 * Reads the whole of a property of which its page shows only the first values.
 * https://developers.notion.com/reference/retrieve-a-page-property
 */
export async function wholeProperty(
  api: NotionApi,
  pageId: NodeId,
  { id, name }: { id: string; name: string },
  signal: AbortSignal,
): Promise<WholeProperty> {
  let items: unknown[] = [];
  let last: unknown;
  const ask = (cursor: Cursor) => {
    if (cursor.start_cursor === undefined) items = [];
    return api.call(signal, ({ pages }) =>
      pages.properties.retrieve({
        page_id: pageId,
        property_id: segment(id),
        page_size: pageSize,
        ...cursor,
      }),
    );
  };
  for await (const { results, json } of answersOf(ask, isWhole)) {
    items.push(...results);
    last = json;
  }
  const property = isWhole(last) ? last : propertyOfItems(last, items);
  if (textAt(property, "rollup", "type") === "incomplete")
    throw new UnreadableError("a whole rollup", ["rollup"]);
  try {
    return {
      value: propertyValue(property),
      unsupported: [],
      ...referencesOfProperty(name, property, api.dialect),
    };
  } catch (error) {
    if (!(error instanceof UnsupportedTypeError)) throw error;
    const unsupported = [{ kind: "property", type: error.type }] as const;
    return { value: null, unsupported, references: [], mentioned: [] };
  }
}

/** A short property comes as one item, not as a list of them. */
function isWhole(json: unknown): boolean {
  return textAt(json, "object") === "property_item";
}

/** Ids of properties are percent-encoded already where they come from the provider. */
function segment(id: string): string {
  return /^[\w%~.!*'()-]+$/.test(id) ? id : encodeURIComponent(id);
}
