import assert from "node:assert/strict";
import { test } from "node:test";
import { mutantsOf, sample } from "./mutants.ts";
import { operators } from "./operators.ts";

/** A source, and what its mutants make of it. */
const examples: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  "condition negated": ["if (a) b();", ["if (!(a)) b();"]],
  "negation removed": ["f(!a)", ["f( a)"]],
  "comparison changed": ["x = a < b", ["x = a <= b"]],
  "logic changed": ["x = a && b", ["x = a || b"]],
  "calculation changed": ["x = a + b", ["x = a - b"]],
  "value changed": [
    'x = f(true, 7, "word", "asc")',
    [
      'x = f(false, 7, "word", "asc")',
      'x = f(true, 8, "word", "asc")',
      'x = f(true, 7, "", "asc")',
      'x = f(true, 7, "word", "desc")',
    ],
  ],
  "text emptied": ["x = `word`", ['x = ""']],
  "list emptied": ["x = [a]", ["x = []"]],
  "statement removed": ["f();", [";"]],
  "result removed": ["const f = () => a", ["const f = () => undefined"]],
  "optional chain removed": ["x = a?.b", ["x = a.b"]],
  "default removed": ["const { a = b } = c", ["const { a } = c"]],
  "method changed": ["x = a.filter(f).some(g)", ["x = a.filter(f).every(g)", "x = a.some(g)"]],
  "statement of SQL changed": [
    "x = sql`select a from b where c = 1 and d`",
    ["x = sql`select a from b where c <> 1 and d`", "x = sql`select a from b where c = 1 or d`"],
  ],
};

const changed = (source: string, operator?: string) =>
  mutantsOf("a.ts", source)
    .filter(({ name }) => operator === undefined || name.includes(operator))
    .map(({ start, end, text }) => source.slice(0, start) + text + source.slice(end));

test("each kind of change makes its mutants", () => {
  assert.deepEqual(Object.keys(examples), Object.keys(operators));
  for (const [operator, [source, expected]] of Object.entries(examples))
    assert.deepEqual(changed(source, operator), expected, operator);
});

test("types, imports, lines of logs, texts for people and names of members are not changed", () => {
  const source = `import { a } from "b";
interface C { readonly d: "e"; f(g: number): true }
type H = [1, 2];
let i: Map<"j", 3>;
log.warn({ k: 1 }, "l");
m("words for people");
const n = { "o": p } as const satisfies Q<4>;`;
  assert.deepEqual(changed(source), [source.replace('m("words for people");', ";")]);
});

test("a name says the function, and tells equal changes apart", () => {
  const source = "class A { b() { return c === 1 || c === 2; } }\nconst d = () => { e(1); e(1); };";
  const names = mutantsOf("a.ts", source).map(({ name }) => name);
  assert.ok(names.includes("A.b: comparison changed, === → !==, in c === 1"), names.join("\n"));
  assert.ok(names.includes("d: statement removed, e(1); → ;"));
  assert.ok(names.includes("d: statement removed, e(1); → ; (2)"));
});

test("a larger sample of a seed has those of a smaller one, and another seed draws others", () => {
  const source = Array.from({ length: 200 }, (_, index) => `f(${index});`).join("\n");
  const mutants = mutantsOf("a.ts", source);
  const ids = (seed: number, count: number) => sample(mutants, seed, count).map(({ id }) => id);
  assert.deepEqual(ids(1, 50).slice(0, 20), ids(1, 20));
  assert.notDeepEqual(ids(1, 20), ids(2, 20));
  assert.equal(new Set(ids(1, 1000)).size, mutants.length);
});
