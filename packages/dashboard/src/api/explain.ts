import { ConnectionError, ResponseError } from "@clew/client";
import { failureWords, refusals } from "../words.ts";

/** Describes a failure to a person. */
export function explain(error: unknown): string {
  if (error instanceof ConnectionError) return failureWords.unreachable;
  if (!(error instanceof ResponseError)) return failureWords.own;
  const { problem, status } = error;
  if (problem === null) return failureWords.unexpected(status);
  const own = refusals[problem.code];
  if (own !== undefined) return own;
  return [problem.detail, ...(problem.errors ?? []).map(({ message }) => message)].join(" ");
}
