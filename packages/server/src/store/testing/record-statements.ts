import type { TestContext } from "node:test";
import Sqlite from "better-sqlite3";
import pg from "pg";

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** The statements of each test that records them. */
const recordings = new WeakMap<TestContext, string[]>();

/** Records every statement that this thread runs from now on, on either database, until the test ends. Returns those so far. */
export function recordStatements(t: TestContext): () => readonly string[] {
  const recorded = recordings.get(t) ?? record(t);
  recordings.set(t, recorded);
  const start = recorded.length;
  return () => recorded.slice(start);
}

/** A test records once: a method that is mocked twice stays mocked after the test, because mocks are restored in their order. */
function record(t: TestContext): string[] {
  const recorded: string[] = [];
  const mock = (object: object, name: string, textOf: (self: unknown, query: unknown) => string) => {
    const methods = object as Record<string, Method>;
    const original = methods[name];
    if (original === undefined) throw new Error(`a statement has no ${name}()`);
    t.mock.method(methods, name, function run(this: unknown, ...args: unknown[]) {
      recorded.push(textOf(this, args[0]));
      return original.apply(this, args);
    });
  };
  const memory = new Sqlite(":memory:");
  const statement: object = Object.getPrototypeOf(memory.prepare("select 1"));
  memory.close();
  for (const name of ["all", "get", "iterate", "run"])
    mock(statement, name, (self) => (self as Sqlite.Statement).source);
  mock(pg.Client.prototype, "query", (_self, query) =>
    typeof query === "string" ? query : (query as pg.QueryConfig).text,
  );
  return recorded;
}
