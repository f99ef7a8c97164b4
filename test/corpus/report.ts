/**
 * Prints the size of the graph that Clew serves for a folder of Markdown, its differences from the expected graph, and the
 * unresolved links with their reasons.
 *
 *     npm run corpus -- <folder>
 */
import { stat } from "node:fs/promises";
import { parseArgs } from "node:util";
import { differences } from "./compare.ts";
import { type ExpectedGraph, readExpectedGraph } from "./expected-graph.ts";
import { readServedGraph, type ServedGraph } from "./served-graph.ts";

/** The most unresolved links shown for each reason. */
const shown = 20;

function printSizes({ nodes, edges }: ServedGraph): void {
  const types = Map.groupBy(nodes, ({ type }) => type);
  console.log(`${nodes.length} nodes: ${sizes(types)}`);
  console.log(`${edges.length} edges: ${sizes(Map.groupBy(edges, ({ type }) => type))}`);
  const references = edges.filter(({ type }) => type === "link" || type === "mention");
  const occurrences = references.reduce((sum, { count }) => sum + count, 0);
  const pairs = new Set(references.map(({ from, to }) => `${from} ${to}`));
  console.log(`${occurrences} links and mentions between ${pairs.size} pairs of pages`);
}

const sizes = (groups: ReadonlyMap<string, readonly unknown[]>) =>
  [...groups].map(([name, members]) => `${members.length} ${name}`).join(", ");

function printUnresolved({ unresolved }: ExpectedGraph): void {
  console.log(`\n${unresolved.length} links are unresolved`);
  for (const [reason, links] of Map.groupBy(unresolved, (link) => link.reason)) {
    const targets = [...Map.groupBy(links, ({ raw }) => raw)].sort(
      ([, one], [, other]) => other.length - one.length,
    );
    console.log(`  ${reason}: ${links.length}, to ${targets.length} addresses`);
    for (const [raw, [first, ...others]] of targets.slice(0, shown)) {
      const more = others.length === 0 ? "" : `, and ${others.length} more`;
      console.log(`    ${raw}  (${first?.from}:${first?.line}${more})`);
    }
    if (targets.length > shown) console.log(`    … ${targets.length - shown} more`);
  }
}

/** Reports on a folder. Returns whether Clew's graph is the expected one. */
async function report(folder: string): Promise<boolean> {
  const expected = await readExpectedGraph(folder);
  const served = await readServedGraph(folder, [...expected.nodes.keys()]);
  printSizes(served);
  const differing = differences(expected, served);
  console.log(`\n${differing.length} differences from the expected graph`);
  for (const difference of differing) console.log(`  ${difference}`);
  printUnresolved(expected);
  return differing.length === 0;
}

const [folder] = parseArgs({ allowPositionals: true }).positionals;
const isFolder = folder !== undefined && (await stat(folder).catch(() => null))?.isDirectory();
if (folder === undefined || !isFolder) {
  console.error("usage: npm run corpus -- <folder of Markdown>");
  process.exitCode = 2;
} else {
  process.exitCode = (await report(folder)) ? 0 : 1;
}
