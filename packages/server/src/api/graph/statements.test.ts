import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { onPostgres } from "../../store/testing/location.ts";
import { recordStatements } from "../../store/testing/record-statements.ts";
import { requests, serveLinkedPages } from "./testing/linked-pages.ts";

const file = join(import.meta.dirname, "../../../../../docs/benchmarks-postgresql.md");

/** The table `| operation | SQLite | PostgreSQL |` of the document: statements for each operation. */
async function documented(): Promise<Readonly<Record<string, number>>> {
  const lines = (await readFile(file, "utf8")).matchAll(/^\| `(\w+)` \| (\d+) \| (\d+) \|$/gm);
  return Object.fromEntries(
    [...lines].map(([, operation, sqlite, postgres]) => [operation, Number(onPostgres ? postgres : sqlite)]),
  );
}

/** Looks for commits, in memory that SQLite shares between processes, are no statements. */
const isStatement = (sql: string) => !sql.startsWith("pragma");

test("OPS-8: an operation of V1 runs as many statements on a warm instance as docs/benchmarks-postgresql.md says", async (t) => {
  const { token } = await serveLinkedPages(t);
  const recorded = recordStatements(t);
  const counts: Record<string, number> = {};
  for (const [operation, [path = ""]] of Object.entries(requests)) {
    for (const isWarm of [false, true]) {
      const before = recorded().length;
      const { status, text } = await token.get(path);
      assert.equal(status, 200, text);
      // Work that a request leaves for later counts as well.
      await setTimeout(20);
      if (isWarm) counts[operation] = recorded().slice(before).filter(isStatement).length;
    }
  }
  assert.deepEqual(counts, await documented());
});
