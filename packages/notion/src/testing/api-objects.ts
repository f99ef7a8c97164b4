/** The id that ends in `number`. */
export function someId(number: number): string {
  const hex = number.toString(16).padStart(12, "0");
  return `00000000-0000-4000-8000-${hex}`;
}

/** The same without dashes, as in addresses. */
export function bareId(number: number): string {
  return someId(number).replaceAll("-", "");
}

/** Rich text with one plain item. */
export function richText(text: string, link: string | null = null): unknown[] {
  return [
    {
      type: "text",
      text: { content: text, link: link === null ? null : { url: link } },
      plain_text: text,
      href: link,
    },
  ];
}

/** A page as the API returns it; `given` overrides defaults. https://developers.notion.com/reference/page */
export function pageObject(number: number, given: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    object: "page",
    id: someId(number),
    created_time: "2026-01-02T03:04:00.000Z",
    last_edited_time: "2026-02-03T04:05:00.000Z",
    icon: null,
    cover: null,
    parent: { type: "workspace", workspace: true },
    in_trash: false,
    properties: { title: { id: "title", type: "title", title: richText(`Page ${number}`) } },
    url: `https://www.notion.so/Page-${bareId(number)}`,
    public_url: null,
    ...given,
  };
}

/** A data source as the API returns it. https://developers.notion.com/reference/data-source */
export function sourceObject(
  number: number,
  database: number,
  given: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    ...pageObject(number),
    object: "data_source",
    parent: { type: "database_id", database_id: someId(database) },
    database_parent: { type: "workspace", workspace: true },
    title: richText("Tasks"),
    description: [],
    ...given,
  };
}

/** A list as the API returns it. https://developers.notion.com/reference/pagination */
export function listObject(
  results: readonly unknown[],
  next: string | null = null,
  given: Record<string, unknown> = {},
): Record<string, unknown> {
  return { object: "list", results, has_more: next !== null, next_cursor: next, ...given };
}
