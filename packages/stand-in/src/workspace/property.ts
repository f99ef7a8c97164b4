import type { Span } from "../document/span.ts";

/** The value of a page's property, before the provider's JSON. */
export type PropertyValue =
  | { readonly type: "title" | "rich_text"; readonly text: readonly Span[] }
  | { readonly type: "number"; readonly number: number | null }
  | { readonly type: "checkbox"; readonly checked: boolean }
  | { readonly type: "url" | "email"; readonly address: string | null }
  | { readonly type: "date"; readonly date: DateRange | null }
  | { readonly type: "select" | "status"; readonly option: string | null }
  | { readonly type: "multi_select"; readonly options: readonly string[] }
  | { readonly type: "relation"; readonly ids: readonly string[] };

/** A date, or a range of dates, in ISO 8601. */
export interface DateRange {
  readonly start: string;
  readonly end: string | null;
}

/** A page's property by its name. */
export interface Property {
  readonly id: string;
  readonly name: string;
  readonly value: PropertyValue;
}
