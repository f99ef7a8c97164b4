/** What a generated workspace is like. All but the seed and the size has a default. */
export interface WorkspaceShape {
  /** The same seed and shape make the same files. */
  readonly seed: number;
  /** How many pages, rows of databases among them; databases come on top. At least 10. */
  readonly pages: number;
  /** The share of pages that are rows, 0.35 when left out. */
  readonly rowShare?: number;
  /** The rows of the largest database; about a third of all rows when left out. */
  readonly largestDatabase?: number;
  /** The share of rows with relations to others, 0.5 when left out. */
  readonly relationShare?: number;
  /** How many links and mentions a page's text has on average, 2 when left out. */
  readonly linksPerPage?: number;
}
