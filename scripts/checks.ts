import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A check of the source: its name, and why it failed or null. */
interface Check {
  readonly name: string;
  run(): string | null;
}

const root = join(import.meta.dirname, "..");

function command(name: string, ...args: string[]): { status: number | null; output: string } {
  const path = join(root, "node_modules", ".bin", name);
  const options = { cwd: root, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 } as const;
  const { status, stdout, stderr, error } = spawnSync(path, args, options);
  return { status, output: error ? String(error) : stdout + stderr };
}

function passes(name: string, ...args: string[]): string | null {
  const { status, output } = command(name, ...args);
  return status === 0 ? null : output;
}

const cruise = ["--config", ".dependency-cruiser.cjs", "--output-type", "json"];

interface Cruise {
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly { rule: { name: string }; from: string; to: string }[];
  };
}

function cruised(...folders: string[]): Cruise | string {
  const { output } = command("depcruise", ...cruise, ...folders);
  try {
    return JSON.parse(output) as Cruise;
  } catch {
    return output;
  }
}

/** Without its parser the tool sees no modules and calls that a success, so their number is checked too. */
function importDirection(): string | null {
  const result = cruised("packages", "test", "bench", "scripts");
  if (typeof result === "string") return result;
  const { totalCruised, violations } = result.summary;
  if (totalCruised < 100) return `only ${totalCruised} modules were seen`;
  return violations.length === 0
    ? null
    : violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`).join("\n");
}

/** Plants two forbidden imports, to prove that the check above can fail. */
function importDirectionCanFail(): string | null {
  const folder = mkdtempSync(join(root, "packages/server/src/model/planted-"));
  try {
    writeFileSync(
      join(folder, "planted.ts"),
      'import type { Database } from "../../store/port.ts";\nexport type Planted = Database;\nexport { seededRandom } from "@clew/stand-in/testing/random";\n',
    );
    const result = cruised("packages/server/src/model");
    if (typeof result === "string") return result;
    const found = result.summary.violations.filter(({ from }) => from.includes("planted"));
    const missing = ["model-imports-nothing-above", "product-imports-no-testing"].filter(
      (name) => !found.some(({ rule }) => rule.name === name),
    );
    return missing.length === 0 ? null : `planted violations were not found: ${missing.join(", ")}`;
  } finally {
    rmSync(folder, { recursive: true });
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
  globSync(["{packages,test,bench,interop,scripts}/**/*.{ts,tsx,js,mjs,md}", "docs/**/*.md", "*.md"], {
    cwd: root,
    exclude: (path) =>
      ["node_modules", "stand-in/sample", "dashboard/dist"].some((part) => path.includes(part)),
  }).filter((file) => file !== "scripts/checks.ts");

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

/** Everything that is checked without running the product. */
export const checks: readonly Check[] = [
  { name: "format and lint", run: () => passes("biome", "ci", "--error-on-warnings", ".") },
  { name: "types", run: () => passes("tsc") },
  { name: "types of the dashboard", run: () => passes("tsc", "-p", "packages/dashboard") },
  { name: "dead code", run: () => passes("knip", "--no-progress") },
  { name: "import direction", run: importDirection },
  { name: "import direction is able to fail", run: importDirectionCanFail },
  { name: "words of the glossary", run: language },
  { name: "words of the glossary are able to fail", run: languageCanFail },
];
