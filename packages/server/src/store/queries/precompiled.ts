import { isDeepStrictEqual } from "node:util";
import type { Compilable, CompiledQuery, DialectAdapter, Kysely } from "kysely";
import type { ReadHandle } from "../port.ts";
import { profileOf } from "./profile.ts";

/** A handle on a database, whatever its tables. */
export type AnyHandle = Pick<Kysely<unknown>, "getExecutor" | "executeQuery">;

/**
 * A query that is built once per database and then run with other arguments: building one costs several times what SQLite
 * needs to run it. `build` must use every argument once, in order, and no other value as a parameter; the first run checks it.
 */
export function precompiled<
  Row,
  Args extends readonly unknown[] = readonly unknown[],
  Handle extends AnyHandle = ReadHandle,
>(build: (db: Handle, ...args: Args) => Compilable<Row>): (db: Handle, ...args: Args) => Promise<Row[]> {
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
 * A precompiled query over lists of any length, each for one `in`. If a list is not one parameter, a query is built for
 * each power of two, and shorter lists are filled up with their last value. If all lists are empty, there are no rows.
 */
export function precompiledLists<
  Row,
  Lists extends readonly (readonly unknown[])[],
  Handle extends AnyHandle = ReadHandle,
>(build: (db: Handle, ...lists: Lists) => Compilable<Row>): (db: Handle, ...lists: Lists) => Promise<Row[]> {
  const bound = precompiled(build);
  const bySizes = new Map<string, (db: Handle, ...values: unknown[]) => Promise<Row[]>>();
  return async (db, ...lists) => {
    if (lists.every(({ length }) => length === 0)) return [];
    if (profileOf(db).bindsLists) return bound(db, ...lists);
    const filled = lists.map(filledUp);
    const sizes = filled.map(({ length }) => length);
    const query =
      bySizes.get(sizes.join()) ??
      precompiled((handle: Handle, ...values: unknown[]) => {
        const cutAgain: unknown = cut(values, sizes);
        // It is called with the values of the lists, one list after the other.
        return build(handle, ...(cutAgain as Lists));
      });
    bySizes.set(sizes.join(), query);
    return query(db, ...filled.flat());
  };
}

function filledUp(values: readonly unknown[]): readonly unknown[] {
  const { length } = values;
  return length === 0
    ? []
    : [...values, ...Array(2 ** Math.ceil(Math.log2(length)) - length).fill(values.at(-1))];
}

function cut(values: readonly unknown[], sizes: readonly number[]): readonly unknown[][] {
  const rest = [...values];
  return sizes.map((size) => rest.splice(0, size));
}

function assertArguments(parameters: readonly unknown[], args: readonly unknown[]): void {
  if (!isDeepStrictEqual(parameters, args))
    throw new Error("A precompiled query must take its arguments in order as its only parameters");
}
