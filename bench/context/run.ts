/**
 * Measures how often a context has the passage that answers a question (README.md), beside two simple ways of search:
 *
 *     CORPUS=<folder of Markdown> npm run bench:context [-- tuning]
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Client } from "@clew/client";
import { openServedFolder } from "../../test/corpus/served-graph.ts";

interface Question {
  readonly id: string;
  readonly question: string;
  readonly marker: string;
}

/** Tokens that a context may have, and characters to a token: an estimate for English prose. */
const budgets = [1_000, 2_000, 4_000, 8_000];
const charsPerToken = 4;

/** A way of gathering text for a question. */
type Gather = (client: Client, question: string, maxChars: number) => Promise<string>;

const ways: Readonly<Record<string, Gather>> = {
  build_context: async (client, q, max_chars) => (await client.buildContext({ q, max_chars })).markdown,
  "best sections by BM25": bestSections,
  "pages by title": pagesByTitle,
};

/** The texts around the hits of text search, in its order. */
async function bestSections(client: Client, q: string, maxChars: number): Promise<string> {
  const sectionChars = 2_000;
  let gathered = "";
  const { items } = await client.searchTexts({ q, limit: 50 });
  for (const { node, hits } of items) {
    for (const { offset } of hits) {
      if (offset === null || gathered.length + sectionChars > maxChars) continue;
      const part = await client.getPageContent({ id: node.id, offset, max_chars: sectionChars });
      gathered += `${part.markdown}\n`;
    }
  }
  return gathered;
}

/** The openings of the pages whose titles have words of the question. */
async function pagesByTitle(client: Client, question: string, maxChars: number): Promise<string> {
  const pageChars = 4_000;
  let gathered = "";
  const seen = new Set<string>();
  const words = question
    .split(/\W+/)
    .filter((word) => word.length > 3)
    .sort((a, b) => b.length - a.length);
  for (const q of words) {
    for (const { node } of (await client.searchPages({ q, limit: 3 })).items) {
      if (seen.has(node.id) || gathered.length + pageChars > maxChars) continue;
      seen.add(node.id);
      gathered += `${(await client.getPageContent({ id: node.id, max_chars: pageChars })).markdown}\n`;
    }
  }
  return gathered;
}

/** Without Markdown signs, without case, and with each run of whitespace as one space. */
const plain = (text: string) =>
  text
    .replaceAll(/[*_`~#>|\\]/g, "")
    .toLowerCase()
    .replaceAll(/\s+/g, " ");

/** A sync may end before all of its texts can be found. */
async function waitForTexts(client: Client): Promise<void> {
  while ((await client.searchTexts({ q: "text", limit: 1 })).indexed < 1) await sleep(200);
}

async function report(folder: string, set: string): Promise<void> {
  const questions: Question[] = JSON.parse(await readFile(join(import.meta.dirname, `${set}.json`), "utf8"));
  const served = await openServedFolder(folder);
  try {
    await waitForTexts(served.client);
    for (const [name, gather] of Object.entries(ways)) {
      for (const tokens of budgets) {
        const missed: string[] = [];
        for (const { id, question, marker } of questions) {
          const gathered = await gather(served.client, question, tokens * charsPerToken);
          if (!plain(gathered).includes(plain(marker))) missed.push(id);
        }
        const found = questions.length - missed.length;
        console.log(
          `${name}, ${tokens} tokens: ${found} of ${questions.length}; missed: ${missed.join(" ") || "none"}`,
        );
      }
    }
  } finally {
    await served.close();
  }
}

const { positionals } = parseArgs({ allowPositionals: true });
const folder = process.env.CORPUS;
if (folder === undefined) {
  console.error("usage: CORPUS=<folder of Markdown> npm run bench:context [-- tuning]");
  process.exitCode = 2;
} else await report(folder, positionals[0] ?? "questions");
