import { readFile } from "node:fs/promises";
import path from "node:path";
import { partFrontMatter, yamlTitle } from "./front-matter.ts";

/**
 * What a page is called: by its front matter, by its first heading, or by its file's name, made readable. A folder is
 * called by its index page or `_database.yml`, or by its own name.
 */
export async function expectedTitle(root: string, folder: string, file: string | undefined): Promise<string> {
  const folderName = path.posix.basename(folder);
  if (file === undefined) return folderName;
  const source = await readFile(path.join(root, folder, file), "utf8");
  if (file === "_database.yml") return yamlTitle(source) ?? folderName;
  const { head, body } = partFrontMatter(source);
  const isIndex = folder !== "" && /^(?:index|readme)\.mdx?$/i.test(file);
  return yamlTitle(head) ?? firstHeading(body) ?? (isIndex ? folderName : readableName(file));
}

/** The words of the first `# heading` outside of fenced code. */
function firstHeading(body: readonly string[]): string | null {
  let inCode = false;
  for (const line of body) {
    if (/^ {0,3}(?:```|~~~)/.test(line)) inCode = !inCode;
    const heading = inCode ? undefined : /^ {0,3}# +(.*)$/.exec(line)?.[1];
    if (heading !== undefined) return heading.replaceAll(/[`*]|\[([^\]]*)\]\([^)]*\)/g, "$1").trim();
  }
  return null;
}

/** `build-a_server.mdx` → `Build a server`; dates and versions stay as they are. */
function readableName(file: string): string {
  const stem = file.replace(/\.mdx?$/i, "");
  if (/^[\d._-]+$/.test(stem)) return stem;
  const words = stem.replaceAll(/[-_]+/g, " ").trim();
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
