import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseAst } from "rolldown/parseAst";
import { exceptions } from "./expressions-exceptions.ts";

/**
 * Checks that no regular expression of the product backtracks over other people's text: none takes exponential time for
 * any text, and only the exceptions take polynomial time. Prints the faults, and exits with 1 if there are any.
 *   node scripts/expressions.ts [file …]
 * Literals are found in the source. Constructed expressions are recorded while the modules that construct them are loaded, so
 * they may be constructed nowhere else.
 */

// The other backends need Java, or a program that is not installed everywhere. The variable is read when the module is loaded.
process.env.RECHECK_BACKEND = "pure";
const { checkSync } = await import("recheck");

interface Expression {
  readonly source: string;
  readonly flags: string;
  /** The places where it stands, as `file:line`. */
  readonly places: string[];
}

const root = join(import.meta.dirname, "..");
const expressions = new Map<string, Expression>();
const faults: string[] = [];

function add(source: string, flags: string, place: string): void {
  const key = `/${source}/${flags}`;
  const known = expressions.get(key) ?? { source, flags, places: [] };
  known.places.push(place);
  expressions.set(key, known);
}

const given = process.argv.slice(2);
const files =
  given.length > 0
    ? given
    : globSync("packages/**/*.{ts,tsx,js,mjs}", { cwd: root }).filter(
        (file) =>
          !/\/(?:node_modules|dist|testing)\/|\.test\.tsx?$/.test(file) &&
          !exceptions.builds.some((path) => file.startsWith(path)),
      );

/** The places where a file constructs expressions. Adds its literals. */
function constructionsIn(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const places: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, regex, callee, start } = node as Partial<Record<string, unknown>>;
    const place = () => `${file}:${text.slice(0, Number(start)).split("\n").length}`;
    if (type === "Literal" && isLiteral(regex)) add(regex.pattern, regex.flags, place());
    const constructs = type === "NewExpression" || type === "CallExpression";
    if (constructs && (callee as { name?: unknown }).name === "RegExp") places.push(place());
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(text, { lang: /x$/.test(file) ? "tsx" : "ts" }));
  return places;
}

function isLiteral(value: unknown): value is { pattern: string; flags: string } {
  return typeof value === "object" && value !== null && "pattern" in value && "flags" in value;
}

const constructions = files.map((file) => ({ file, places: constructionsIn(file) }));
await recordConstructions();
await recordSchemas();

/** Loads the modules that construct expressions, and adds these. */
async function recordConstructions(): Promise<void> {
  const recorded = new Set<string>();
  const { RegExp: original } = globalThis;
  const record = (expression: RegExp) => {
    const place = placeInStack(new Error().stack ?? "");
    if (place === null) return expression;
    recorded.add(place);
    add(expression.source, expression.flags, place);
    return expression;
  };
  globalThis.RegExp = new Proxy(original, {
    construct: (target, values) => record(Reflect.construct(target, values)),
    apply: (target, self, values) => record(Reflect.apply(target, self, values)),
  });
  for (const { file, places } of constructions)
    if (places.length > 0) await import(pathToFileURL(join(root, file)).href);
  globalThis.RegExp = original;
  for (const place of constructions.flatMap(({ places }) => places))
    if (!recorded.has(place) && !(place.replace(/:\d+$/, "") in exceptions.constructions))
      faults.push(`${place}: construct it while the module is loaded, so that it is checked`);
}

/** The line of the product that constructs an expression. */
function placeInStack(stack: string): string | null {
  const line = stack
    .split("\n")
    .find((each) => each.includes("file://") && !each.includes("/scripts/expressions.ts"));
  const [, url = "", number = ""] = /(file:\/\/\S+?):(\d+):\d+\)?$/.exec(line ?? "") ?? [];
  const prefix = `${pathToFileURL(root).href}/`;
  return url.startsWith(prefix) ? `${url.slice(prefix.length)}:${number}` : null;
}

/** Adds the patterns of the schemas, which requests and answers are matched with. */
async function recordSchemas(): Promise<void> {
  const seen = new Set<object>();
  const visit = (value: unknown, file: string): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if ("pattern" in value && typeof value.pattern === "string") add(value.pattern, "u", file);
    for (const child of Object.values(value)) visit(child, file);
  };
  for (const file of files.filter((each) => each.startsWith("packages/contract/src/")))
    visit({ ...(await import(pathToFileURL(join(root, file)).href)) }, file);
}

/** Results of earlier runs. A result depends on nothing but the expression, the version of the checker and its limits. */
const cacheFile = join(root, "node_modules", ".cache", "checks", "expressions-4.5.0.json");
type Result = "linear";
const results = new Map<string, Result>(readCache());

function readCache(): [string, Result][] {
  try {
    return JSON.parse(readFileSync(cacheFile, "utf8")) as [string, Result][];
  } catch {
    return [];
  }
}

function keep(key: string, result: Result): void {
  results.set(key, result);
  writeFileSync(cacheFile, JSON.stringify([...results]));
}

/** An expression without what the checker does not know: the flag `v`, whose classes it takes for any character. */
function simplified({ source, flags }: Expression): [source: string, flags: string] {
  if (!flags.includes("v")) return [source, flags];
  let depth = 0;
  let simple = "";
  for (const [sign] of source
    .replaceAll("\\p{RGI_Emoji}", "[^]{1,9}")
    .matchAll(/\\[pP]\{[^{}]*\}|\\u\{[^{}]*\}|\\.|./gsu)) {
    if (sign === "[") depth += 1;
    if (depth === 0) simple += sign;
    if (sign === "]") {
      depth -= 1;
      if (depth === 0) simple += "[^]";
    }
  }
  return [simple, flags.replace("v", "u")];
}

/** Limits of the search for a text that takes long. Steps end it: the times are those of a very busy machine. */
const limits = {
  timeout: 300_000,
  attackTimeout: 3_000,
  incubationTimeout: 3_000,
  attackLimit: 2_000_000,
  maxAttackStringSize: 10_000,
  maxNFASize: 2_000,
  // Half of the default finds the same in half of the time.
  maxIteration: 5,
};

/** Checks an expression; the reason why it fails, or null. */
function faultOf(key: string, expression: Expression): string | null {
  const known = results.get(key);
  if (known === "linear") return null;
  // The checker may take minutes for one of these. The person who adds one has seen its verdict.
  if (polynomial.has(key)) return null;
  const result = checkSync(...simplified(expression), limits);
  if (result.status === "safe") {
    keep(key, "linear");
    return null;
  }
  const found =
    result.status === "vulnerable"
      ? `${result.complexity.summary}, for ${result.attack.pattern}`
      : `it could not be decided (${result.error.kind})`;
  return `${expression.places.join(", ")}: ${key}\n  ${found}`;
}

/** The expressions that may take polynomial time. */
const polynomial = new Set(exceptions.polynomial.map(([expression]) => String(expression)));

mkdirSync(dirname(cacheFile), { recursive: true });
for (const [key, expression] of expressions) {
  const fault = faultOf(key, expression);
  if (fault !== null) faults.push(fault);
}

const constructed = constructions.flatMap(({ places }) => places).length;
if (given.length === 0) {
  for (const key of polynomial) if (!expressions.has(key)) faults.push(`${key} is no exception any more`);
  // A checker that finds nothing must not pass.
  if (expressions.size < 500 || constructed < 15)
    faults.push(`only ${expressions.size} expressions were found, ${constructed} of them constructed`);
}
for (const fault of faults) console.log(fault);
console.log(`${expressions.size} expressions, ${constructed} of them constructed`);
process.exitCode = faults.length === 0 ? 0 : 1;
