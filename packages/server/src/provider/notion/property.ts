import type { Json } from "../../model/node.ts";
import type { NodeId } from "../../model/node-id.ts";
import type { HeldThreads } from "../port.ts";
import type { NotionApi } from "./api.ts";
import { answersOf, type Cursor, pageSize } from "./listing.ts";
import { propertyOfItems } from "./property-item.ts";
import { threadsOfProperty } from "./property-threads.ts";
import { propertyValue } from "./property-value.ts";

/**
 * Reads the whole of a property of which its page shows only the first values.
 * https://developers.notion.com/reference/retrieve-a-page-property
 */
export async function wholeProperty(
  api: NotionApi,
  pageId: NodeId,
  { id, name }: { id: string; name: string },
  signal: AbortSignal,
): Promise<HeldThreads & { readonly value: Json }> {
  const answers: unknown[] = [];
  const ask = (cursor: Cursor) => {
    if (cursor.start_cursor === undefined) answers.length = 0;
    return api.call(signal, ({ pages }) =>
      pages.properties.retrieve({
        page_id: pageId,
        property_id: segment(id),
        page_size: pageSize,
        ...cursor,
      }),
    );
  };
  for await (const answer of answersOf(ask)) answers.push(answer);
  const property = propertyOfItems(answers);
  return { value: propertyValue(property), ...threadsOfProperty(name, property, api.dialect) };
}

/** Ids of properties are percent-encoded already where they come from the provider. */
function segment(id: string): string {
  return /^[\w%~.!*'()-]+$/.test(id) ? id : encodeURIComponent(id);
}
