import type { Span } from "./span.ts";

interface Parent {
  readonly children: readonly Block[];
}

interface Textual extends Parent {
  readonly text: readonly Span[];
}

/**
 * A block of a page, in the provider's vocabulary (https://developers.notion.com/reference/block) without its JSON: both
 * forms in which a page can be read are made from it.
 */
export type Block =
  | ({
      readonly type: "paragraph" | "bulleted_list_item" | "numbered_list_item" | "quote" | "toggle";
    } & Textual)
  | ({ readonly type: "heading"; readonly level: 1 | 2 | 3 | 4 } & Textual)
  | ({ readonly type: "to_do"; readonly checked: boolean } & Textual)
  | ({ readonly type: "callout"; readonly icon: string } & Textual)
  | ({ readonly type: "code"; readonly language: string; readonly code: string } & Parent)
  | ({ readonly type: "equation"; readonly expression: string } & Parent)
  | ({ readonly type: "divider" | "unsupported" } & Parent)
  | ({ readonly type: "image"; readonly url: string; readonly caption: string } & Parent)
  | {
      readonly type: "table";
      readonly width: number;
      readonly hasHeader: boolean;
      readonly children: readonly TableRow[];
    }
  | TableRow
  | ({ readonly type: "child"; readonly id: string } & Parent);

/** A row of a table: rich text a cell. */
export interface TableRow extends Parent {
  readonly type: "table_row";
  readonly cells: readonly (readonly Span[])[];
}
