import type { MatchedPassage } from "./pages.ts";
import {
  fromUnits,
  inUnits,
  type PassageScores,
  type Place,
  type RankedPage,
  type RankParts,
  type ScoredPassage,
  type ScoreParts,
} from "./scores.ts";
import type { WordMatcher } from "./word-matching.ts";

/** Why a page is in a context. Parts are multiples of a billionth, and add up to their rank or score. */
export interface Explanation {
  readonly rank: number;
  readonly parts: RankParts;
  /** The node whose link is a part of the rank; null if none is. */
  readonly via: number | null;
  /** The best block of each part of the text that is shown: the best of these, highest scores first. */
  readonly passages: readonly ExplainedPassage[];
}

interface ExplainedPassage extends Pick<MatchedPassage["block"], "offset" | "chars"> {
  readonly score: number;
  readonly parts: ScoreParts;
  /** The words of the question that count in some place. */
  readonly words: readonly ExplainedWord[];
}

/** A word of the question. For each place, the share of it that counts there. */
interface ExplainedWord extends Readonly<Record<Place, number>> {
  readonly word: string;
  /** Its share of the weight of all words. */
  readonly weight: number;
}

interface Scored extends Pick<MatchedPassage, "block">, Pick<ScoredPassage, "position" | "score"> {}

/** A hundred words may count in each passage, and a context may have thousands of them. */
const mostPassages = 5;

/** Explains pages of a context by the scores that chose them. */
export class Explainer {
  readonly #scores: PassageScores;
  readonly #matcher: WordMatcher;
  /** The scores of the passages of each page, by their positions. */
  readonly #ranked = new Map<RankedPage, number[]>();

  /** @param ranked What `scores` ranked. */
  constructor(scores: PassageScores, ranked: readonly ScoredPassage[], matcher: WordMatcher) {
    this.#scores = scores;
    this.#matcher = matcher;
    for (const { page, position, score } of ranked) {
      const own = this.#ranked.get(page) ?? [];
      own[position] = score;
      this.#ranked.set(page, own);
    }
  }

  /** Explains a page and the runs of its passages that are shown. */
  explain(page: RankedPage, runs: readonly (readonly number[])[]): Explanation {
    const { link, via } = page.candidate;
    return {
      rank: fromUnits(page.rank),
      parts: mapped(page.rankParts, fromUnits),
      via: link > 0 ? via : null,
      passages: runs
        .flatMap((run) => this.#scored(page, run).slice(0, 1))
        .sort((a, b) => b.score - a.score)
        .slice(0, mostPassages)
        .map((scored) => this.#explained(page, scored)),
    };
  }

  /** Some passages of a page, the best first. */
  #scored(page: RankedPage, positions: readonly number[]): Scored[] {
    const scores = this.#ranked.get(page);
    return positions
      .flatMap((position) => {
        const [block, score] = [page.passages[position]?.block, scores?.[position]];
        return block === undefined || score === undefined ? [] : [{ position, block, score }];
      })
      .sort((a, b) => b.score - a.score);
  }

  #explained(page: RankedPage, { position, block, score }: Scored): ExplainedPassage {
    return {
      offset: block.offset,
      chars: block.chars,
      score: fromUnits(score),
      parts: mapped(this.#scores.partsOf(page, position), fromUnits),
      words: this.#wordsOf(page, position),
    };
  }

  #wordsOf(page: RankedPage, position: number): ExplainedWord[] {
    const matches = this.#scores.matchesOf(page, position);
    return this.#matcher.words.flatMap(({ term, weight }, word) => {
      const shares = mapped(matches, (own) => own[word] ?? 0);
      const isFound = Object.values(shares).some((share) => share > 0);
      return isFound ? [{ word: term, weight: fromUnits(inUnits(weight)), ...shares }] : [];
    });
  }
}

/** A record with each value replaced. */
function mapped<Name extends string, Value, Result>(
  record: Readonly<Record<Name, Value>>,
  replace: (value: Value) => Result,
): Record<Name, Result> {
  const entries = Object.entries<Value>(record).map(([name, value]) => [name, replace(value)]);
  // The names are those of the record.
  return Object.fromEntries(entries) as Record<Name, Result>;
}
