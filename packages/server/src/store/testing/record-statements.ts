import type { TestContext } from "node:test";
import Sqlite from "better-sqlite3";

type Run = (this: { readonly source: string }, ...args: unknown[]) => unknown;

/** Records every statement that this thread runs on SQLite until the test ends. Returns the different ones so far. */
export function recordStatements(t: TestContext): () => readonly string[] {
  const recorded = new Set<string>();
  const memory = new Sqlite(":memory:");
  const statement: Record<string, Run> = Object.getPrototypeOf(memory.prepare("select 1"));
  memory.close();
  for (const name of ["all", "get", "iterate", "run"]) {
    const original = statement[name];
    if (original === undefined) throw new Error(`a statement has no ${name}()`);
    t.mock.method(statement, name, function record(this: { readonly source: string }, ...args: unknown[]) {
      recorded.add(this.source);
      return original.apply(this, args);
    });
  }
  return () => [...recorded];
}
