import { type Context, graphLimits } from "@clew/contract";

/** English has about as many characters for each token. */
export const charsPerToken = 4;

/** The search for the longest context. */
interface Fitting {
  readonly maxTries: number;
  /** The share of the tokens that a context uses at least, unless there is no more to say. */
  readonly leastUse: number;
  /** The share of the tokens that a further try aims at. */
  readonly aimedUse: number;
}

const fittingLong: Fitting = { maxTries: 4, leastUse: 0.95, aimedUse: 0.98 };

/** Short contexts are worth more tries: one more passage is a large part of them. */
const fittingShort: Fitting = { maxTries: 6, leastUse: 0.98, aimedUse: 0.99 };
const shortTokens = 1000;

const { minimumChars: smallest, maximumChars: largest } = graphLimits.context;

/** A number of characters within the limits of a context. */
export const withinLimits = (chars: number): number =>
  Math.min(largest, Math.max(smallest, Math.floor(chars)));

/**
 * Finds the longest context within a number of tokens, in a few tries: how many tokens a text has is known only once it is there.
 * Null if the shortest one has more. `read` makes a context of up to `chars` characters; `tokensOf` counts the tokens of the answer
 * with it.
 */
export async function fitContext(
  maxTokens: number,
  read: (chars: number) => Promise<Context>,
  tokensOf: (found: Context) => number,
): Promise<{ readonly found: Context; readonly tokens: number } | null> {
  const { maxTries, leastUse, aimedUse } = maxTokens < shortTokens ? fittingShort : fittingLong;
  let best: { readonly found: Context; readonly tokens: number } | null = null;
  let [enough, tooMany] = [0, Number.POSITIVE_INFINITY];
  let chars = withinLimits(maxTokens * charsPerToken);
  for (let tries = 1; tries <= maxTries && chars > enough && chars < tooMany; tries += 1) {
    const found = await read(chars);
    const tokens = tokensOf(found);
    const fits = tokens <= maxTokens;
    if (fits && tokens > (best?.tokens ?? 0)) best = { found, tokens };
    if (fits) enough = chars;
    else tooMany = chars;
    // With more room than it needed there would be no more to say.
    if (fits && (tokens >= leastUse * maxTokens || found.markdown.length < 0.8 * chars)) break;
    const guess = withinLimits((chars * aimedUse * maxTokens) / tokens);
    chars = guess > enough && guess < tooMany ? guess : withinLimits((enough + tooMany) / 2);
  }
  return best;
}
