/**
 * Compares the links that Clew serves of a folder with those that the folder's own tool makes of it. Fails if less than
 * 99.5 % of them are edges, or if the tool makes none: then it was given a folder without the settings of the tool.
 *
 *     npm run campaign dialects -- <folder>
 */
import { stat } from "node:fs/promises";
import { compareWithTool } from "./compare.ts";

/** The least share of links that are edges. */
const leastShare = 0.995;
const shown = 20;

const [folder] = process.argv.slice(2);
if (folder === undefined || !(await stat(folder).catch(() => null))?.isDirectory()) {
  console.error("usage: npm run campaign dialects -- <folder>");
  process.exitCode = 2;
} else {
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
  process.exitCode = share >= leastShare ? 0 : 1;
}
