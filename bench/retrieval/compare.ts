import { countTokens } from "../../packages/server/src/model/tokens.ts";
import { printFigures } from "./figures.ts";
import { openKeptClew, withDataFolder } from "./kept.ts";
import { readPages } from "./pages.ts";
import { charsPerToken, type Gather } from "./questions.ts";
import type { MeasuredClew } from "./served.ts";
import { openSet, type QuestionSet } from "./sets.ts";
import { otherWays } from "./ways.ts";

/** Prints what a served Clew answers, and what other ways of search find in as many tokens. */
export async function compare(sets: readonly QuestionSet[]): Promise<void> {
  await withDataFolder(async (root) => {
    for (const set of sets) {
      const { questions, folder } = await openSet(set, root);
      const clew = await openKeptClew(root, set.corpus, folder);
      try {
        const [name, gather] = set.firstPages === null ? toolOf(clew) : contextOf(clew);
        const { recorded, asLong } = equalTokens();
        await printFigures(set, questions, name, recorded(gather));
        for (const [way, other] of Object.entries(otherWays(await readPages(clew.client))))
          await printFigures(set, questions, way, asLong(other));
      } finally {
        await clew.close();
      }
    }
  });
}

/** The answer of the tool, as a model sees it. Throws if it has more tokens than it may have. */
const toolOf = ({ agent }: MeasuredClew): [name: string, gather: Gather] => [
  "build_context",
  async (question, maxTokens) => {
    const { text, tokens } = await agent.use("build_context", { question, max_tokens: maxTokens });
    if (tokens > maxTokens) throw new Error(`${tokens} tokens instead of ${maxTokens}: ${question}`);
    return { text, pages: [] };
  },
];

/** The context over HTTP, which names its pages. */
const contextOf = ({ client }: MeasuredClew): [name: string, gather: Gather] => [
  "context/",
  async (q, maxTokens) => {
    const { markdown, items } = await client.buildContext({ q, max_chars: maxTokens * charsPerToken });
    return { text: markdown, pages: items.map(({ node }) => node.id) };
  },
];

/** Lets other ways gather as many tokens for a question as the first one did. */
function equalTokens() {
  const counts = new Map<string, number>();
  const keyOf = (wording: string, maxTokens: number) => `${maxTokens} ${wording}`;
  return {
    recorded:
      (gather: Gather): Gather =>
      async (wording, maxTokens) => {
        const gathered = await gather(wording, maxTokens);
        counts.set(keyOf(wording, maxTokens), countTokens(gathered.text));
        return gathered;
      },
    asLong:
      (gather: Gather): Gather =>
      (wording, maxTokens) =>
        gather(wording, counts.get(keyOf(wording, maxTokens)) ?? maxTokens),
  };
}
