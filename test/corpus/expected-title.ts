import { readFile } from "node:fs/promises";
import path from "node:path";
import { partFrontMatter, yamlTitle } from "./front-matter.ts";
import { openingHeading } from "./opening-heading.ts";

/**
 * What a page is called: by its front matter, by a heading that it begins with, or by its file's name. A folder is called
 * by its index page or `_database.yml`, or by its own name.
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
