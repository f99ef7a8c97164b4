import { toolLimits } from "@clew/contract";
import { ApiError } from "../../model/api-error.ts";
import { countTokens } from "../../model/tokens.ts";
import type { ToolAnswer } from "../tool-call.ts";

/** An answer before it is cut to size. */
export interface Draft {
  /** Always shown. */
  readonly head: readonly string[];
  /** In order of importance; as many are shown as fit. */
  readonly lines: readonly string[];
  /** Always shown: what was left out and how to continue, for `shown` lines. */
  readonly tail: (shown: number) => readonly string[];
}

/** The text of an answer within the tokens that the caller wants to spend. */
export function compose(draft: Draft, maxTokens?: number): string {
  return composeLines(draft, maxTokens).text;
}

/** An answer whose lines are pages, with these ids in the order of the lines, besides those that it is about. */
export function pagesAnswer(
  draft: Draft,
  { pages, about = [] }: { readonly pages: readonly string[]; readonly about?: readonly string[] },
  maxTokens?: number,
): ToolAnswer {
  const { text, shown } = composeLines(draft, maxTokens);
  return { text, pages: [...about, ...pages.slice(0, shown)] };
}

/** The text of an answer, and how many of its lines there was room for. */
function composeLines(
  { head, lines, tail }: Draft,
  maxTokens: number = toolLimits.maxTokens.standard,
): { readonly text: string; readonly shown: number } {
  const whole = [...head, ...lines, ...tail(lines.length)].join("\n");
  if (countTokens(whole) <= maxTokens) return { text: whole, shown: lines.length };
  const end = Math.max(...[0, lines.length >> 1, lines.length].map((shown) => tokensOfLines(tail(shown))));
  let left = maxTokens - tokensOfLines(head) - end;
  let shown = 0;
  for (const line of lines) {
    left -= tokensOfLines([line]);
    if (left < 0) break;
    shown += 1;
  }
  return { text: [...head, ...lines.slice(0, shown), ...tail(shown)].join("\n"), shown };
}

const tokensOfLines = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + countTokens(`${line}\n`), 0);

/**
 * A message of the contract as an answer, with the pages that it shows. `read` is asked again, with fewer items, until the message
 * fits. Throws `ApiError` if even the shortest message does not.
 */
export async function fullAnswer<Message extends object>(
  {
    limit,
    maxTokens = toolLimits.maxTokens.standard,
  }: { readonly limit: number; readonly maxTokens?: number | undefined },
  read: (limit: number) => Promise<Message>,
  pagesOf: (message: Message) => readonly string[],
): Promise<ToolAnswer> {
  for (let items = limit; ; ) {
    const message = await read(items);
    const text = JSON.stringify(message);
    const tokens = countTokens(text);
    if (tokens <= maxTokens) return { text, message, pages: pagesOf(message) };
    if (items <= 1) throw tooLong(tokens);
    items = Math.max(1, Math.min(items - 1, Math.floor((items * maxTokens) / tokens)));
  }
}

function tooLong(tokens: number): ApiError {
  const wanted = Math.min(tokens, toolLimits.maxTokens.maximum);
  return new ApiError(
    "invalid_request",
    `The full message has about ${tokens} tokens: use detail=compact, or max_tokens=${wanted}.`,
  );
}
