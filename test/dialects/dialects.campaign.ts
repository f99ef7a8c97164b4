/**
 * Compares the links that Clew serves of folders with those that each folder's own tool makes of it. Fails if less than 99.5 % of
 * them are edges, or if the tool makes none: then it was given a folder without the settings of the tool.
 *
 *     npm run campaign dialects -- <folder> …
 */
import { stat } from "node:fs/promises";
import { compareWithTool } from "./compare.ts";

/** The least share of links that are edges. */
const leastShare = 0.995;
const shown = 20;

const folders = process.argv.slice(2);
const isFolder = async (path: string) => (await stat(path).catch(() => null))?.isDirectory() === true;
const areFolders = await Promise.all(folders.map(isFolder));
if (folders.length === 0 || areFolders.includes(false)) {
  console.error("usage: npm run campaign dialects -- <folder> …");
  process.exitCode = 2;
} else for (const folder of folders) if (!(await compare(folder))) process.exitCode = 1;

/** Prints how the two compare. Returns whether enough links are edges. */
async function compare(folder: string): Promise<boolean> {
  const { dialect, pages, links, missing, extra, notFound } = await compareWithTool(folder);
  const share = links === 0 ? 0 : (links - missing.length) / links;
  console.log(`${dialect}: ${pages} pages, ${links} links, ${(share * 100).toFixed(2)} % are edges`);
  const print = (what: string, some: readonly string[]) => {
    console.log(`${some.length} ${what}`);
    for (const one of some.slice(0, shown)) console.log(`  ${one}`);
  };
  print("links are missing", missing);
  print("edges are Clew's alone", extra);
  print("pages are not found by the name of their file", notFound);
  return share >= leastShare;
}
