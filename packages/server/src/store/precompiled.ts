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

/**
 * A precompiled query over a list of any length, for `in`. One is built for each power of two, and shorter lists are filled
 * up with their last value. An empty list has no rows.
 */
export function precompiledList<Value, Row>(
  build: (db: ReadHandle, values: readonly Value[]) => Compilable<Row>,
): (db: ReadHandle, values: readonly Value[]) => Promise<Row[]> {
  const bySize = new Map<number, (db: ReadHandle, ...values: Value[]) => Promise<Row[]>>();
  return async (db, values) => {
    const last = values.at(-1);
    if (last === undefined) return [];
    const size = 2 ** Math.ceil(Math.log2(values.length));
    const query =
      bySize.get(size) ?? precompiled((handle: ReadHandle, ...all: Value[]) => build(handle, all));
    bySize.set(size, query);
    return query(db, ...values, ...Array<Value>(size - values.length).fill(last));
  };
}

function assertArguments(parameters: readonly unknown[], args: readonly unknown[]): void {
  const same = parameters.length === args.length && parameters.every((value, at) => value === args[at]);
  if (!same) throw new Error("A precompiled query must take its arguments in order as its only parameters");
}
