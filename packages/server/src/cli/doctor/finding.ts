/** What `clew doctor` found out about one thing. */
export interface Finding {
  readonly state: "ok" | "warning" | "failed";
  /** The thing, in a word or two. */
  readonly name: string;
  /** What is so, without secrets. */
  readonly text: string;
  /** What to do about it. */
  readonly advice?: string;
}

export const ok = (name: string, text: string): Finding => ({ state: "ok", name, text });
export const warning = (name: string, text: string, advice: string): Finding => ({
  state: "warning",
  name,
  text,
  advice,
});
export const failed = (name: string, text: string, advice: string): Finding => ({
  state: "failed",
  name,
  text,
  advice,
});

const indent = " ".repeat("warning  ".length);

/** A finding as a line, and one for what to do. */
export function linesOf({ state, name, text, advice }: Finding): string[] {
  const line = `${state.padEnd(indent.length)}${name}: ${text}`;
  return advice === undefined ? [line] : [line, ...advice.split("\n").map((each) => indent + each)];
}
