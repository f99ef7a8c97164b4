import { readFile } from "node:fs/promises";
import path from "node:path";
import { partFrontMatter, yamlTitle } from "./front-matter.ts";
import { openingHeading } from "./opening-heading.ts";

/**
 * The title of a page: from its front matter, from a heading at its beginning, or from the file's name. The title of a
 * folder: from its index page or `_database.yml`, or from the folder's name.
 */
export async function expectedTitle(
  root: string,
  folder: string,
  file: string | undefined,
  isIndex: boolean,
): Promise<string> {
  const folderName = path.posix.basename(folder);
  if (file === undefined) return folderName;
  const source = await readFile(path.join(root, folder, file), "utf8");
  if (file === "_database.yml") return yamlTitle(source) ?? folderName;
  const { head, body } = partFrontMatter(source);
  return yamlTitle(head) ?? openingHeading(body) ?? (isIndex ? folderName : file.replace(/\.mdx?$/i, ""));
}
