import { writeFiles } from "../../test/support/markdown-folder.ts";

const words = [
  "budget",
  "harbour",
  "meeting",
  "planet",
  "roadmap",
  "signal",
  "summer",
  "telescope",
  "window",
];

/** A sentence of `length` words, different for each number. */
const sentence = (number: number, length: number): string =>
  `${Array.from({ length }, (_, index) => words[(number * 7 + index * index) % words.length]).join(" ")} ${number}.`;

const columns = Array.from({ length: 20 }, (_, index) => `A column with a long name ${index + 1}`);

/**
 * Writes a workspace of `pages` pages with texts of about 4 000 characters, half of them rows of a database with twenty
 * columns of long texts.
 */
export async function writeLongPages(folder: string, pages: number): Promise<void> {
  const types = columns.map((name) => `  ${name}: { type: rich_text }`);
  const files: Record<string, string> = {
    "_workspace.yml": "name: Long pages\n",
    "register/_database.yml": `title: Register\nproperties:\n${types.join("\n")}\n`,
  };
  for (let page = 0; page < pages; page += 1) {
    const isRow = page % 2 === 0;
    const values = isRow ? columns.map((name, index) => `${name}: ${sentence(page + index, 30)}`) : [];
    const text = Array.from({ length: 20 }, (_, index) => sentence(page + index, 28)).join("\n\n");
    const path = `${isRow ? "register" : `section-${page % 97}`}/page-${page}.md`;
    files[path] = `---\ntitle: ${sentence(page, 6)}\n${values.join("\n")}\n---\n${text}\n`;
  }
  await writeFiles(folder, files);
}
