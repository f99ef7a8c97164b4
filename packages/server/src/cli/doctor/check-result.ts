/** The result of one check of `clew doctor`. */
export interface CheckResult {
  readonly state: "ok" | "warning" | "failed";
  /** The thing, in a word or two. */
  readonly name: string;
  /** The state of it, without secrets. */
  readonly text: string;
  /** Advice, if something is to be done. */
  readonly advice?: string;
}

export const ok = (name: string, text: string): CheckResult => ({ state: "ok", name, text });
export const warning = (name: string, text: string, advice: string): CheckResult => ({
  state: "warning",
  name,
  text,
  advice,
});
export const failed = (name: string, text: string, advice: string): CheckResult => ({
  state: "failed",
  name,
  text,
  advice,
});

const indent = " ".repeat("warning  ".length);

/** A result as a line, and one for what to do. */
export function linesOf({ state, name, text, advice }: CheckResult): string[] {
  const line = `${state.padEnd(indent.length)}${name}: ${text}`;
  return advice === undefined ? [line] : [line, ...advice.split("\n").map((each) => indent + each)];
}
