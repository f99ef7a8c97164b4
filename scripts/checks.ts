import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

/** A check of the source: its name, and why it failed or null. */
interface Check {
  readonly name: string;
  run(): string | null;
}

/** Environment variables for programs in Go: memory of a few seconds needs no garbage collector. */
const withoutCollector = { ...process.env, GOGC: "off" };

const root = join(import.meta.dirname, "..");

function command(name: string, ...args: string[]): { status: number | null; output: string } {
  const path = join(root, "node_modules", ".bin", name);
  const options = {
    cwd: root,
    env: withoutCollector,
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  } as const;
  const { status, stdout, stderr, error } = spawnSync(path, args, options);
  return { status, output: error ? String(error) : stdout + stderr };
}

function passes(name: string, ...args: string[]): string | null {
  const { status, output } = command(name, ...args);
  return status === 0 ? null : output;
}

/** The folder in which checkers keep their results for a file, by its content, for the next run. */
const cache = join(root, "node_modules", ".cache", "checks");

/** Arguments of `tsc` for a project whose last state is kept under a name. */
const typesOf = (name: string, ...project: string[]) => [
  ...project,
  "--incremental",
  "--tsBuildInfoFile",
  join(cache, `${name}.tsbuildinfo`),
  // Each further checker takes processor time to check again what others have checked.
  "--checkers",
  "1",
];

const cruise = ["--config", ".dependency-cruiser.cjs", "--output-type", "json"];

interface Cruise {
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly { rule: { name: string }; from: string; to: string }[];
  };
}

function cruised(...args: string[]): Cruise | string {
  const { output } = command("depcruise", ...cruise, ...args);
  try {
    return JSON.parse(output) as Cruise;
  } catch {
    return output;
  }
}

/** Without its parser the tool sees no modules and calls that a success, so their number is checked too. */
function importDirection(): string | null {
  const kept = ["--cache", join(cache, "imports"), "--cache-strategy", "content"];
  const result = cruised(...kept, "packages", "test", "bench", "scripts", "packaging");
  if (typeof result === "string") return result;
  const { totalCruised, violations } = result.summary;
  if (totalCruised < 100) return `only ${totalCruised} modules were seen`;
  return violations.length === 0
    ? null
    : violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`).join("\n");
}

/** Forbidden imports, the names of the rules that they break, and the folder to plant them in. */
const plantedImports = [
  {
    folder: "packages/server/src/model",
    source:
      'import type { Database } from "../../store/port.ts";\nexport type Planted = Database;\nexport { seededRandom } from "@clew/stand-in/testing/random";\n',
    rules: ["model-imports-nothing-above", "product-imports-no-testing"],
  },
  {
    folder: "packages/server/src/store/testing",
    source: 'export { Graphs } from "../../../graphs/graphs.ts";\n',
    rules: ["config-http-providers-store-imports-nothing-above"],
  },
  {
    folder: "packages/text/src",
    source: 'export { termsOf } from "@clew/text-index";\n',
    rules: ["text-imports-no-package"],
  },
];

/** Plants forbidden imports, to prove that the check above can fail. */
function importDirectionCanFail(): string | null {
  const planted = plantedImports.map((each) => ({
    ...each,
    at: mkdtempSync(join(root, each.folder, "planted-")),
  }));
  try {
    for (const { at, source } of planted) writeFileSync(join(at, "planted.ts"), source);
    const result = cruised(...planted.map(({ folder }) => folder));
    if (typeof result === "string") return result;
    const missing = planted.flatMap(({ at, rules }) => {
      const file = relative(root, join(at, "planted.ts"));
      const found = result.summary.violations.filter(({ from }) => from === file);
      return rules.filter((rule) => !found.some((violation) => violation.rule.name === rule));
    });
    return missing.length === 0 ? null : `planted violations were not found: ${missing.join(", ")}`;
  } finally {
    for (const { at } of planted) rmSync(at, { recursive: true });
  }
}

/** Identifiers that docs/glossary.md has replaced. */
const retiredNames = [
  "allThere",
  "asTheyStand",
  "askedAgain",
  "askedOnce",
  "Asking",
  "Awaitable",
  "awaitHastyTexts",
  "breather",
  "bury",
  "Catalog",
  "doings",
  "Door",
  "Edition",
  "Editions",
  "Findings",
  "findings",
  "giveBack",
  "glance",
  "handOver",
  "hangsIn",
  "holdings",
  "inFull",
  "Intake",
  "leaveOpen",
  "letGo",
  "mourning",
  "Outage",
  "patience",
  "readingRoom",
  "Refusal",
  "seeNode",
  "Shelves",
  "Sighting",
  "sighting",
  "signInStepByStep",
  "Surroundings",
  "Teller",
  "wayOut",
  "whenThere",
  "willRepeat",
  "worthless",
];

/** Phrases that plain English does not need. */
const retiredPhrases = [
  "Not any more",
  "[Ww]ho(?:so)?ever",
  "for all that",
  "gives? way",
  "comes by",
  "(?:is|are|was) told",
  "tells of",
  "told of",
  "lets? go of",
  "thereby",
  "wherein",
  "brought forward",
  "makes out",
  "is what it was",
  "as it stands",
  "so that they are none",
];

/** The lines that match, as `file:line: match`. */
function matchesIn(files: readonly string[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((line, index) => {
        const [match] = pattern.exec(line) ?? [];
        return match === undefined ? [] : [`${file}:${index + 1}: ${match}`];
      }),
  );
}

const sources = () =>
  globSync(
    ["{packages,test,bench,interop,scripts,packaging}/**/*.{ts,tsx,js,mjs,md}", "docs/**/*.md", "*.md"],
    {
      cwd: root,
      exclude: (path) =>
        ["node_modules", "stand-in/sample", "dashboard/dist"].some((part) => path.includes(part)),
    },
  ).filter((file) => file !== "scripts/checks.ts");

function language(): string | null {
  const files = sources();
  const code = files.filter((file) => !file.endsWith(".md"));
  const found = [
    ...matchesIn(code, new RegExp(`\\b(?:${retiredNames.join("|")})\\b`)),
    ...matchesIn(files, new RegExp(`\\b(?:${retiredPhrases.join("|")})\\b`)),
  ];
  return found.length === 0 ? null : `use the words of docs/glossary.md instead of:\n${found.join("\n")}`;
}

/** Plants a retired name and retired phrases. */
function languageCanFail(): string | null {
  const folder = mkdtempSync(join(root, "scripts/planted-"));
  try {
    writeFileSync(join(folder, "planted.ts"), "export interface Shelves {}\n");
    writeFileSync(
      join(folder, "planted.md"),
      "A worker may let go of its lease.\nWhoever takes it waits.\nThe lease is told.\n",
    );
    const found = language() ?? "";
    const planted = [
      "planted.ts:1: Shelves",
      "planted.md:1: let go of",
      "planted.md:2: Whoever",
      "planted.md:3: is told",
    ];
    const missing = planted.filter((line) => !found.includes(line));
    return missing.length === 0 ? null : `planted words were not found: ${missing.join(", ")}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Openings that leave a comment without a verb or a noun, and a phrase that stands for the name of a parameter. */
const vagueWords =
  /(?:\/\*\*?(?:\s*\n\s*\*)?|\/\/)\s*(?:What|Where|Since when|That|So many|How many)\b|\bso many\b/g;

/**
 * A docstring begins with a verb if it is of a function, and with a noun if it is of a value (CONTRIBUTING.md). Other
 * comments begin with neither a question nor a pronoun.
 */
function docstrings(): string | null {
  // It is written from descriptions in the contract, which are sentences of their own.
  const files = sources().filter((file) => !file.endsWith(".md") && file !== "packages/client/src/api.ts");
  const found = files.flatMap((file) => {
    const source = readFileSync(join(root, file), "utf8");
    return [...source.matchAll(vagueWords)].map(({ 0: match, index }) => {
      const line = source.slice(0, index).split("\n").length;
      return `${file}:${line}: ${match.replaceAll(/\s+/g, " ")}`;
    });
  });
  return found.length === 0
    ? null
    : `begin a comment with a verb or a noun, and name the parameter:\n${found.join("\n")}`;
}

/** Plants vague docstrings. */
function docstringsCanFail(): string | null {
  const folder = mkdtempSync(join(root, "scripts/planted-"));
  try {
    const lines = [
      "/** What it is. */",
      "/**",
      " * Where it is.",
      " */",
      "/** How many there are. */",
      "/* What it does. */",
      "const one = 1; // Where it begins.",
      "// For so many bytes.",
    ];
    writeFileSync(join(folder, "planted.ts"), `${lines.join("\n")}\n`);
    const found = docstrings() ?? "";
    const openings = [
      "1: /** What",
      "2: /** * Where",
      "5: /** How many",
      "6: /* What",
      "7: // Where",
      "8: so many",
    ];
    const planted = openings.map((opening) => `planted.ts:${opening}`);
    const missing = planted.filter((line) => !found.includes(line));
    return missing.length === 0 ? null : `planted docstrings were not found: ${missing.join(", ")}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Product code that may name the provider: the client of Notion, what connects it, and the table of its settings. */
const providerFiles = [
  "packages/notion/",
  "packages/stand-in/",
  "packages/folder/",
  "packages/server/src/providers/",
  "packages/contract/src/settings.ts",
  // Tells addresses of pages from others, in a browser, which does not have the provider.
  "packages/dashboard/src/views/graph/markdown/addresses.ts",
  // Lists the pages of the documentation by their names.
  "packages/dashboard/site/pages.ts",
];

/** Other code knows the provider by the port in packages/provider, and its name by what it says of itself. */
function providerName(): string | null {
  const files = globSync(["packages/**/*.{ts,tsx,html,css}"], { cwd: root }).filter(
    (file) =>
      !/\/(?:node_modules|testing|dist)\/|\.test\.ts$/.test(file) &&
      !providerFiles.some((allowed) => file.startsWith(allowed)),
  );
  // Names of packages are lower-case, in imports that another check restricts.
  const found = matchesIn(files, /(?<!@clew\/)notion/i);
  return found.length === 0
    ? null
    : `leave the name of the provider to packages/notion, or ask the port for it:\n${found.join("\n")}`;
}

/** Plants the provider's name. */
function providerNameCanFail(): string | null {
  const folder = mkdtempSync(join(root, "packages/server/src/sync/planted-"));
  try {
    writeFileSync(
      join(folder, "planted.ts"),
      '/** Reads Notion. */\nexport const planted = "NOTION_TOKEN";\n',
    );
    const found = providerName() ?? "";
    const missing = ["planted.ts:1: Notion", "planted.ts:2: NOTION"].filter((line) => !found.includes(line));
    return missing.length === 0 ? null : `planted names were not found: ${missing.join(", ")}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Checks the given files, or all of the product, in a process of its own: the check replaces `RegExp`. */
const expressions = (...files: string[]) => passes("node", "scripts/expressions.ts", ...files);

/** Plants expressions that take exponential and polynomial time: a literal, constructed ones, and one that no check can see. */
function expressionsCanFail(): string | null {
  const folder = mkdtempSync(join(root, "packages/text/src/planted-"));
  try {
    const lines = [
      "export const literal = /^(a|a)*$/;",
      'const part = "^(?:[ab]|b)*$";',
      "export const constructed = new RegExp(part);",
      'export const slow = RegExp("a+b");',
      "export const late = (text: string) => new RegExp(text);",
      "export const known = /^[a-z]+$/;",
    ];
    const file = join(folder, "planted.ts");
    writeFileSync(file, `${lines.join("\n")}\n`);
    const found = expressions(relative(root, file)) ?? "";
    const planted = ["1: /^(a|a)*$/", "3: /^(?:[ab]|b)*$/", "4: /a+b/", "5: construct it"];
    const missing = planted.filter((line) => !found.includes(`planted.ts:${line}`));
    if (found.includes("planted.ts:6")) return "a linear expression was refused";
    return missing.length === 0
      ? null
      : `planted expressions were not found: ${missing.join(", ")}\n${found}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Everything that is checked without running the product. */
export const checks: readonly Check[] = [
  { name: "format and lint", run: () => passes("biome", "ci", "--error-on-warnings", ".") },
  { name: "types", run: () => passes("tsc", ...typesOf("types")) },
  {
    name: "types of the dashboard",
    run: () => passes("tsc", ...typesOf("dashboard-types", "-p", "packages/dashboard")),
  },
  {
    name: "dead code",
    run: () => passes("knip", "--no-progress", "--cache", "--cache-location", join(cache, "dead-code")),
  },
  { name: "import direction", run: importDirection },
  { name: "words of the glossary", run: language },
  { name: "docstrings", run: docstrings },
  { name: "name of the provider", run: providerName },
  { name: "regular expressions", run: () => expressions() },
];

/** Proofs that checks are able to fail. They plant faults in the checkout for a moment: nothing that reads it may run beside them. */
export const proofs: readonly Check[] = [
  { name: "import direction is able to fail", run: importDirectionCanFail },
  { name: "words of the glossary are able to fail", run: languageCanFail },
  { name: "docstrings are able to fail", run: docstringsCanFail },
  { name: "name of the provider is able to fail", run: providerNameCanFail },
  { name: "regular expressions are able to fail", run: expressionsCanFail },
];

/** Runs each check, and prints a line for it and why it failed. Returns how many passed, and the lines of those that failed. */
export function runChecks(these: readonly Check[]): {
  readonly passed: number;
  readonly failures: readonly string[];
} {
  const failures: string[] = [];
  for (const { name, run } of these) {
    const fault = run();
    if (fault !== null) failures.push(`✖ ${name}\n${fault}`);
    console.log(fault === null ? `✔ ${name}` : failures.at(-1));
  }
  return { passed: these.length - failures.length, failures };
}
