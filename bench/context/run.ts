/**
 * Measures how often a context has the passage that answers a question (README.md), beside two simple ways of search:
 *
 *     CORPUS=<folder of Markdown> npm run bench:context [-- tuning [ablation]]
 *
 * `ablation` measures `context/` alone, with each part of its ranking left out in turn.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Client } from "@clew/client";
import { openServedFolder } from "../../test/corpus/served-graph.ts";
import { printAblation } from "./ablation.ts";
import { answers, budgets, charsPerToken, type Question, readQuestions } from "./questions.ts";

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

/** A sync may end before all of its texts can be found. */
async function waitForTexts(client: Client): Promise<void> {
  while ((await client.searchTexts({ q: "text", limit: 1 })).indexed < 1) await sleep(200);
}

async function printRecalls(client: Client, questions: readonly Question[]): Promise<void> {
  for (const [name, gather] of Object.entries(ways)) {
    for (const tokens of budgets) {
      let found = 0;
      for (const question of questions) {
        const gathered = await gather(client, question.question, tokens * charsPerToken);
        if (answers(gathered, question)) found += 1;
      }
      console.log(`${name}, ${tokens} tokens: ${found} of ${questions.length}`);
    }
  }
}

const { positionals } = parseArgs({ allowPositionals: true });
const [set = "questions", mode] = positionals;
const folder = process.env.CORPUS;
// The questions that count say nothing of single parts: they would be used for tuning.
const isAblation = set === "tuning" && mode === "ablation";
if (folder === undefined || (mode !== undefined && !isAblation)) {
  console.error("usage: CORPUS=<folder of Markdown> npm run bench:context [-- tuning [ablation]]");
  process.exitCode = 2;
} else {
  const questions = await readQuestions(set);
  const served = await openServedFolder(folder);
  try {
    await waitForTexts(served.client);
    if (isAblation) await printAblation(served.databaseLocation, questions);
    else await printRecalls(served.client, questions);
  } finally {
    await served.close();
  }
}
