/** How the answers of a provider differ from Notion's. */
export interface Dialect {
  /**
   * The demo workspace alone has one: its pages have addresses of the form `<demoUrl>pages/<id>`, and its pages and
   * databases carry `aliases`.
   */
  readonly demoUrl: URL | null;
}

export const notionDialect: Dialect = { demoUrl: null };
