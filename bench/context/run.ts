/**
 * Measures how often a context has the passage that answers a question (README.md), beside two simple ways of search:
 *
 *     CORPUS=<folder of Markdown> npm run bench context [-- tuning [ablation]]
 *
 * `ablation` measures `context/` alone, with each part of its ranking left out in turn.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Client } from "@clew/client";
import { openServedFolder } from "../../test/corpus/served-graph.ts";
import { type Agent, agentOf } from "../mcp/agent.ts";
import { printAblation } from "./ablation.ts";
import { askers, budgets, charsPerToken, type Question, readQuestions, recallsOf } from "./questions.ts";

interface Clew {
  readonly client: Client;
  readonly agent: Agent;
}

/** A way of gathering text for a question. */
type Gather = (clew: Clew, question: string, maxTokens: number) => Promise<string>;

const ways: Readonly<Record<string, Gather>> = {
  build_context: buildContext,
  "best sections by BM25": bestSections,
  "pages by title": pagesByTitle,
};

/** The answer of the tool, as a model sees it. */
async function buildContext({ agent }: Clew, question: string, maxTokens: number): Promise<string> {
  const { text, tokens } = await agent.use("build_context", { question, max_tokens: maxTokens });
  if (tokens > maxTokens) throw new Error(`${tokens} tokens instead of ${maxTokens}: ${question}`);
  return text;
}

/** The texts around the hits of text search, in its order. */
async function bestSections({ client }: Clew, q: string, maxTokens: number): Promise<string> {
  const maxChars = maxTokens * charsPerToken;
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
async function pagesByTitle({ client }: Clew, question: string, maxTokens: number): Promise<string> {
  const maxChars = maxTokens * charsPerToken;
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

async function printRecalls(clew: Clew, questions: readonly Question[]): Promise<void> {
  console.log(`Answers found within ${budgets.join(", ")} tokens:`);
  for (const [name, gather] of Object.entries(ways)) {
    for (const [index, asker] of askers.entries()) {
      const recalls = await recallsOf(questions, ({ wordings }, tokens) =>
        gather(clew, wordings[index] ?? "", tokens),
      );
      console.log(`${name}, ${asker}: ${recalls.join(", ")} of ${questions.length}`);
    }
  }
}

const { positionals } = parseArgs({ allowPositionals: true });
const [set = "questions", mode] = positionals;
const folder = process.env.CORPUS;
// The questions that count say nothing of single parts: they would be used for tuning.
const isAblation = set === "tuning" && mode === "ablation";
if (folder === undefined || (mode !== undefined && !isAblation)) {
  console.error("usage: CORPUS=<folder of Markdown> npm run bench context [-- tuning [ablation]]");
  process.exitCode = 2;
} else {
  const questions = await readQuestions(set);
  const served = await openServedFolder(folder);
  try {
    const { client } = served;
    await waitForTexts(client);
    if (isAblation) await printAblation(served.databaseLocation, questions);
    else await printRecalls({ client, agent: agentOf(served.url, served.token) }, questions);
  } finally {
    await served.close();
  }
}
