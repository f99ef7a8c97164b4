import { countTokens } from "../../packages/server/src/model/tokens.ts";
import { signTest } from "../compare/statistics.ts";
import { type Answered, printFigures } from "./figures.ts";
import { openKeptClew, withDataFolder } from "./kept.ts";
import { readPages } from "./pages.ts";
import { charsPerToken, type Gather } from "./questions.ts";
import type { MeasuredClew } from "./served.ts";
import { openSet, type QuestionSet } from "./sets.ts";
import { otherWays } from "./ways.ts";

/** Prints what a served Clew answers, what other ways of search find in as many tokens, and which answers more questions. */
export async function compare(sets: readonly QuestionSet[]): Promise<void> {
  const pooled = new Map<string, Comparison>();
  await withDataFolder(async (root) => {
    for (const set of sets) {
      const { questions, folder } = await openSet(set, root);
      const clew = await openKeptClew(root, set.corpus, folder);
      try {
        const [name, gather] = set.firstPages === null ? toolOf(clew) : contextOf(clew);
        const { recorded, asLong } = equalTokens();
        const own = await printFigures(set, questions, name, recorded(gather));
        for (const [way, other] of Object.entries(otherWays(await readPages(clew.client)))) {
          const comparison = compareAnswered(own, await printFigures(set, questions, way, asLong(other)));
          console.log(`${set.name}, ${name} beside ${way}: ${described(comparison)}`);
          if (set.firstPages === null && !set.isForTuning)
            pooled.set(way, added(pooled.get(way) ?? { more: 0, fewer: 0 }, comparison));
        }
      } finally {
        await clew.close();
      }
    }
  });
  for (const [way, comparison] of pooled)
    console.log(`documentation for proof together, beside ${way}: ${described(comparison)}`);
}

/** The number of questions that more of Clew's texts answer than of another way's, and of those that fewer do. */
interface Comparison {
  readonly more: number;
  readonly fewer: number;
}

function compareAnswered(own: Answered, other: Answered): Comparison {
  const ids = [...new Set([...own.keys(), ...other.keys()])];
  const differences = ids.map((id) => (own.get(id) ?? 0) - (other.get(id) ?? 0));
  return {
    more: differences.filter((difference) => difference > 0).length,
    fewer: differences.filter((difference) => difference < 0).length,
  };
}

const added = (one: Comparison, other: Comparison): Comparison => ({
  more: one.more + other.more,
  fewer: one.fewer + other.fewer,
});

const described = ({ more, fewer }: Comparison): string =>
  `answers more often ${more} questions, less often ${fewer} · p = ${signTest(more, fewer).toFixed(3)}`;

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
