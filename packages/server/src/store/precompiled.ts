import type { Compilable, CompiledQuery, DialectAdapter } from "kysely";
import type { ReadHandle } from "./port.ts";

/**
 * A query that is built once per database and then run with other arguments: building one costs several times what SQLite
 * needs to run it. `build` must use every argument once, in order, and no other value as a parameter; the first run checks it.
 */
export function precompiled<Handle extends ReadHandle, Args extends readonly unknown[], Row>(
  build: (db: Handle, ...args: Args) => Compilable<Row>,
): (db: Handle, ...args: Args) => Promise<Row[]> {
  const compiledFor = new WeakMap<DialectAdapter, CompiledQuery<Row>>();
  return async (db, ...args) => {
    const { adapter } = db.getExecutor();
    let query = compiledFor.get(adapter);
    if (query === undefined) {
      query = build(db, ...args).compile();
      assertArguments(query.parameters, args);
      compiledFor.set(adapter, query);
    }
    const { rows } = await db.executeQuery<Row>({ ...query, parameters: args });
    return rows;
  };
}

function assertArguments(parameters: readonly unknown[], args: readonly unknown[]): void {
  const same = parameters.length === args.length && parameters.every((value, at) => value === args[at]);
  if (!same) throw new Error("A precompiled query must take its arguments in order as its only parameters");
}
