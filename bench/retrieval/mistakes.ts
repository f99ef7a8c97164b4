import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Reply } from "../mcp/agent.ts";
import { type MeasuredClew, withClew } from "./served.ts";

/** A call as a model sends it, with a typical mistake (README.md). Texts between slashes are regular expressions. */
interface Mistake {
  readonly mistake: string;
  readonly tool: string;
  readonly arguments: unknown;
  /** Texts of an answer if the call works. Without them, no answer can be right. */
  readonly useful?: readonly string[];
  /** Texts of an error that says what to do. */
  readonly advice: readonly string[];
  /** Texts that an answer must not have. */
  readonly false?: readonly string[];
}

const outcomes = ["works", "says what to do", "says too little", "false answer"] as const;
type Outcome = (typeof outcomes)[number];

/** Makes each call, prints what does not work, and counts. */
export function countMistakes(): Promise<void> {
  return withClew(undefined, ask);
}

async function ask({ agent }: MeasuredClew): Promise<void> {
  const mistakes: readonly Mistake[] = JSON.parse(
    await readFile(join(import.meta.dirname, "mistakes.json"), "utf8"),
  );
  const counts = new Map<Outcome, number>();
  for (const mistake of mistakes) {
    const reply = await agent.call(mistake.tool, mistake.arguments);
    const outcome = judge(mistake, reply);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (outcome !== "works")
      console.log(`${outcome}: ${mistake.tool} ${JSON.stringify(mistake.arguments)} (${mistake.mistake})`);
    if (process.env.ANSWERS !== undefined) console.log(reply.text.replaceAll(/^/gm, "    "));
  }
  const parts = outcomes.map((outcome) => `${outcome} ${counts.get(outcome) ?? 0}`);
  console.log(`${mistakes.length} calls with mistakes: ${parts.join(", ")}`);
}

/** An answer that lacks what was asked for is false: a model takes it for what it asked. */
function judge(mistake: Mistake, { text, isError }: Reply): Outcome {
  const has = (pattern: string) => isIn(text, pattern);
  if (isError) return mistake.advice.every(has) ? "says what to do" : "says too little";
  return mistake.useful?.every(has) && !mistake.false?.some(has) ? "works" : "false answer";
}

function isIn(text: string, pattern: string): boolean {
  const expression = /^\/(.+)\/$/s.exec(pattern)?.[1];
  return expression === undefined ? text.includes(pattern) : new RegExp(expression, "i").test(text);
}
