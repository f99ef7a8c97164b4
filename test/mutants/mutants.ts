import { createHash } from "node:crypto";
import { type Edit, operators, type Place } from "./operators.ts";
import { isModule, nodeIn, parseModule, type SyntaxNode, scopeOf, walk } from "./syntax.ts";

/** A change of one place of a source file. */
export interface Mutant extends Edit {
  /** The digest of the file's contents and of the change: the same as long as the file does not change. */
  readonly id: string;
  /** The file, below the root. */
  readonly file: string;
  readonly line: number;
  /** The change in words that stay the same if other parts of the file change: function, kind, before and after. */
  readonly name: string;
}

/** The most characters of code that a name quotes. */
const longestQuote = 70;

const digest = (...parts: readonly (string | number)[]) =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);

function quote(code: string): string {
  const line = code.replace(/\s+/g, " ").trim();
  return line.length > longestQuote ? `${line.slice(0, longestQuote)}…` : line;
}

/** Methods of a log, and words that end the name of what they are called on. */
const logMethods = new Set(["debug", "info", "warn", "error", "trace"]);

/** A call that writes a line of a log: no test has to know its words. */
function isLogCall(node: SyntaxNode, source: string): boolean {
  const callee = node.type === "CallExpression" ? nodeIn(node, "callee") : undefined;
  const object = callee && nodeIn(callee, "object");
  const method = callee && nodeIn(callee, "property")?.name;
  if (!object || typeof method !== "string" || !logMethods.has(method)) return false;
  return /(?:log|console)$/i.test(source.slice(object.start, object.end));
}

/** The kind of change that can leave text that is no module: it removes part of an expression. Parsing takes long. */
const parsed = "method changed";

/** The edits at a place with the kind of each. Those whose result is no module are left out. */
function editsAt(place: Place): readonly (readonly [string, Edit])[] {
  const { source } = place;
  const all = Object.entries(operators).flatMap(([operator, edits]) =>
    edits(place).map((edit) => [operator, edit] as const),
  );
  return all.filter(([operator, { start, end, text }]) => {
    if (source.slice(start, end) === text) return false;
    return operator !== parsed || isModule(source.slice(0, start) + text + source.slice(end));
  });
}

/** The words for a change: the function, the kind, before and after, and the code around it. */
function wordsFor(scope: string, operator: string, { node, source }: Place, edit: Edit): string {
  const around = quote(source.slice(node.start, node.end));
  const change = `${quote(source.slice(edit.start, edit.end))} → ${quote(edit.text) || "nothing"}`;
  const words = `${scope === "" ? "" : `${scope}: `}${operator}, ${change}`;
  return change.startsWith(around) ? words : `${words}, in ${around}`;
}

/** Lists all mutants of a file in the order of their places. */
export function mutantsOf(file: string, source: string): readonly Mutant[] {
  const found: Mutant[] = [];
  const seen = new Set<string>();
  const names = new Map<string, number>();
  const contents = digest(source);
  const add = (words: string, { start, end, text }: Edit) => {
    const id = digest(file, contents, start, end, text);
    if (seen.has(id)) return;
    seen.add(id);
    const count = (names.get(words) ?? 0) + 1;
    names.set(words, count);
    const name = count === 1 ? words : `${words} (${count})`;
    const line = source.slice(0, start).split("\n").length;
    found.push({ id, file, line, name, start, end, text });
  };
  walk(parseModule(source), (node, ancestors) => {
    const inner = node.type === "ExpressionStatement" ? nodeIn(node, "expression") : node;
    if (inner !== undefined && isLogCall(inner, source)) return "skip";
    const place = { node, parent: ancestors[0], source };
    const scope = scopeOf([node, ...ancestors]);
    for (const [operator, edit] of editsAt(place)) add(wordsFor(scope, operator, place, edit), edit);
    return undefined;
  });
  return found;
}

/** The first `count` mutants in a random order. A larger sample of the same seed has those of a smaller one. */
export function sample(mutants: readonly Mutant[], seed: number, count: number): readonly Mutant[] {
  const drawn = mutants.map((mutant) => ({ mutant, key: digest(seed, mutant.file, mutant.name) }));
  drawn.sort((one, other) => (one.key < other.key ? -1 : 1));
  return drawn.slice(0, count).map(({ mutant }) => mutant);
}
