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

/** Names that gave way to the terms of docs/glossary.md. */
const retiredNames = [
  "Shelves",
  "Editions",
  "Catalog",
  "Findings",
  "Intake",
  "Sighting",
  "Surroundings",
  "Teller",
  "Refusal",
  "hangsIn",
  "inFull",
  "leaveOpen",
  "awaitHastyTexts",
  "giveBack",
  "handOver",
  "letGo",
  "seeNode",
  "asTheyStand",
  "patience",
  "breather",
];

/** Where a retired name is used, a line each. */
function retiredNamesIn(files: readonly string[]): string[] {
  const retired = new RegExp(`\\b(?:${retiredNames.join("|")})\\b`);
  return files.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((line, index) => {
        const [name] = retired.exec(line) ?? [];
        return name === undefined ? [] : `${file}:${index + 1}: ${name}`;
      }),
  );
}

const sources = () =>
  globSync("{packages,test,bench,scripts}/**/*.{ts,js}", {
    cwd: root,
    exclude: (path) => path.includes("node_modules"),
  }).filter((file) => file !== "scripts/checks.ts");

function names(): string | null {
  const found = retiredNamesIn(sources());
  return found.length === 0 ? null : `docs/glossary.md has other words:\n${found.join("\n")}`;
}

/** Plants a retired name. */
function namesCanFail(): string | null {
  const folder = mkdtempSync(join(root, "scripts/planted-"));
  try {
    writeFileSync(join(folder, "planted.ts"), "export interface Shelves {}\n");
    return names()?.includes("planted.ts:1: Shelves") ? null : "a retired name was not found";
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
  { name: "names of the glossary", run: names },
  { name: "names of the glossary are able to fail", run: namesCanFail },
];
