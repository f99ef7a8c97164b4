import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The size of a graph; references of one type between the same two nodes are one edge. */
export interface GraphSize {
  readonly nodes: number;
  readonly edges: number;
}

/** A word that stands in the title of every page. */
export const titleWord = "reference";

const sections = 10;
const marks = 10;

/**
 * Writes a folder of Markdown with all four types of reference: `pages` pages in ten sections, each of which links to the
 * next page and mentions a farther one, and a database whose rows are related in a ring. Every edit time is fixed, so
 * that two such folders make the same graph.
 */
export async function writeLinkedPages(folder: string, pages: number): Promise<GraphSize> {
  const pathOf = (page: number) => `section-${page % sections}/page-${page}.md`;
  const files = new Map([
    ["_workspace.yml", "name: Linked pages\n"],
    [
      "marks/_database.yml",
      "title: Reference marks\nproperties:\n  Next: { type: relation, database: ../marks }\n",
    ],
  ]);
  for (let section = 0; section < sections; section += 1) {
    files.set(
      `section-${section}/index.md`,
      markdown(`Reference section ${section}`, {}, "Pages of a section."),
    );
  }
  for (let page = 0; page < pages; page += 1) {
    const next = pathOf((page + 1) % pages);
    const farther = `Reference ${(page + 2) % pages}`;
    files.set(
      pathOf(page),
      markdown(`Reference ${page}`, {}, `On to [the next](../${next}), or to [[${farther}]].`),
    );
  }
  for (let mark = 0; mark < marks; mark += 1) {
    const next = { Next: `mark-${(mark + 1) % marks}.md` };
    files.set(`marks/mark-${mark}.md`, markdown(`Reference mark ${mark}`, next, "A row."));
  }
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const database = 1;
  // Each page is a child, links and mentions; each row is a child and is related.
  return { nodes: sections + pages + database + marks, edges: 3 * pages + 2 * marks };
}

function markdown(title: string, properties: Readonly<Record<string, string>>, text: string): string {
  const fields = { title, created: "2026-01-05T10:00:00Z", updated: "2026-02-06T11:00:00Z", ...properties };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return `---\n${lines.join("\n")}\n---\n${text}\n`;
}
