import { countTokens } from "../../model/tokens.ts";
import { leftOut, visibleText } from "../../model/visible-text.ts";
import type { ToolAnswer } from "../tool-call.ts";

/*
 * The way out to agents. Whatever a page contains, people could have seen it: hidden characters leave every answer.
 */

/** An answer without hidden characters. A text says how many were left out, if that fits into its tokens. */
export function visibleAnswer(answer: ToolAnswer, maxTokens: number): ToolAnswer {
  const { text, message, isJson } = answer;
  // JSON writes controls as escapes, which agents read back.
  if (message !== undefined || isJson) {
    const shown = visibleValue(message ?? JSON.parse(text));
    return { ...answer, text: JSON.stringify(shown), ...(message && { message: Object(shown) }) };
  }
  const visible = visibleText(text);
  if (visible.hidden === 0) return answer;
  const noted = `${visible.text}\n${leftOut(visible.hidden)}`;
  return { ...answer, text: countTokens(noted) <= maxTokens ? noted : visible.text };
}

function visibleMessage(message: object): object {
  return Object.fromEntries(
    Object.entries(message).map(([name, value]) => [
      visibleText(name).text,
      name === "marks" && "snippet" in message
        ? visibleMarks(String(message.snippet), value)
        : visibleValue(value),
    ]),
  );
}

function visibleValue(value: unknown): unknown {
  if (typeof value === "string") return visibleText(value).text;
  if (Array.isArray(value)) return value.map(visibleValue);
  return typeof value === "object" && value !== null ? visibleMessage(value) : value;
}

/** The marks of a snippet, which count its code points, after hidden characters have left it. */
function visibleMarks(snippet: string, marks: readonly (readonly number[])[]): number[][] {
  const { removed } = visibleText(snippet);
  return marks.map((mark) => mark.map((place) => place - removed.filter((at) => at < place).length));
}
