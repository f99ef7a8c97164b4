import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes text files to their paths below a folder. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/**
 * Gives a folder, and all that is in it, one time of change. Pages without times of their own and databases are as old as their
 * files, and what was edited within the last minute is read a second time.
 */
export async function setTimes(folder: string, time: Date): Promise<void> {
  for (const path of [...(await readdir(folder, { recursive: true })), "."])
    await utimes(join(folder, path), time, time);
}

/** A Markdown page with fixed times, so that equal pages make equal graphs. */
export function markdownPage(title: string, text: string, properties: Readonly<Record<string, string>> = {}) {
  const fields = { title, created: "2026-01-05T10:00:00Z", updated: "2026-02-06T11:00:00Z", ...properties };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return `---\n${lines.join("\n")}\n---\n${text}\n`;
}

/** The size of a graph. References of one type between the same two nodes are one edge. */
export interface GraphSize {
  readonly nodes: number;
  readonly edges: number;
}

/** A word in the title of every linked page. */
export const titleWord = "reference";

/**
 * Writes a folder with all four types of edge: `pages` pages in ten sections, where each page links to the next page and
 * mentions another one, and a database of ten rows that are related in a ring. Equal folders make equal graphs.
 */
export async function writeLinkedPages(folder: string, pages: number): Promise<GraphSize> {
  const [sections, rows] = [10, 10];
  const pathOf = (page: number) => `section-${page % sections}/page-${page}.md`;
  const files: Record<string, string> = {
    "_workspace.yml": "name: Linked pages\n",
    "marks/_database.yml":
      "title: Reference marks\nproperties:\n  Next: { type: relation, database: ../marks }\n",
  };
  for (let section = 0; section < sections; section += 1) {
    files[`section-${section}/index.md`] = markdownPage(
      `Reference section ${section}`,
      "Pages of a section.",
    );
  }
  for (let page = 0; page < pages; page += 1) {
    const next = `../${pathOf((page + 1) % pages)}`;
    const text = `On to [the next](${next}), or to [[Reference ${(page + 2) % pages}]].`;
    files[pathOf(page)] = markdownPage(`Reference ${page}`, text);
  }
  for (let row = 0; row < rows; row += 1) {
    const next = { Next: `mark-${(row + 1) % rows}.md` };
    files[`marks/mark-${row}.md`] = markdownPage(`Reference mark ${row}`, "A row.", next);
  }
  await writeFiles(folder, files);
  const database = 1;
  // Each page is a child, links and mentions; each row is a child and is related.
  return { nodes: sections + pages + database + rows, edges: 3 * pages + 2 * rows };
}
