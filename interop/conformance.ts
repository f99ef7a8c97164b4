import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** The revisions of the protocol whose requirements are checked. */
const revisions = ["2025-11-25", "2026-07-28"] as const;
type Revision = (typeof revisions)[number];

/** One thing that the suite looked at. */
interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "INFO" | "SKIPPED";
}

/** The checks that cannot pass, as `scenario: check`, with the reason. */
type Table = ReadonlyMap<string, string>;

const suite = join(import.meta.dirname, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const tablePath = join(import.meta.dirname, "conformance.md");

/** Runs the official suite in each revision. Throws if a check fails that is not in the table, or passes although it is. */
export async function runConformance(url: URL): Promise<readonly string[]> {
  const did: string[] = [];
  const faults: string[] = [];
  for (const revision of revisions) {
    const table = await readTable(revision);
    const results = await runSuite(url, revision);
    const isFailing = (check: string) => results.get(check) === "FAILURE";
    const failing = [...results.keys()].filter(isFailing);
    for (const check of failing)
      if (!table.has(check)) faults.push(`${revision}: ${check} fails; it passed before`);
    for (const check of table.keys())
      if (!isFailing(check))
        faults.push(`${revision}: ${check} does not fail; remove it from conformance.md`);
    const passed = [...results.values()].filter((status) => status === "SUCCESS").length;
    if (passed === 0) faults.push(`${revision}: no check passed`);
    did.push(`${revision}: ${passed} checks passed, ${failing.length} do not apply (conformance.md)`);
  }
  if (faults.length > 0) throw new Error(faults.join("\n"));
  return did;
}

/** The worst status of each check, by `scenario: check`. */
async function runSuite(url: URL, revision: Revision): Promise<ReadonlyMap<string, Check["status"]>> {
  const folder = await mkdtemp(join(tmpdir(), "clew-conformance-"));
  try {
    const words = ["server", "--url", url.href, "--requirements", revision, "--output-dir", folder];
    // It ends with 1 if any check fails, and some always do.
    await promisify(execFile)(process.execPath, [suite, ...words], { maxBuffer: 2 ** 26 }).catch(() => {});
    const worst = new Map<string, Check["status"]>();
    for (const name of await readdir(folder)) {
      const [, scenario = name] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name) ?? [];
      const checks: Check[] = JSON.parse(await readFile(join(folder, name, "checks.json"), "utf8"));
      for (const { id, status } of checks) {
        const check = `${scenario}: ${id}`;
        if (worst.get(check) !== "FAILURE") worst.set(check, status);
      }
    }
    return worst;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The rows of conformance.md for a revision. */
async function readTable(revision: Revision): Promise<Table> {
  const lines = (await readFile(tablePath, "utf8")).split("\n");
  return new Map(
    lines.flatMap((line) => {
      const [, check = "", named = "", reason = ""] = /^\| `(.+?)` \| (.+?) \| (.+?) \|$/.exec(line) ?? [];
      return named.split(", ").includes(revision) ? [[check, reason]] : [];
    }),
  );
}
