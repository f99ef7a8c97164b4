import { type RawBuilder, sql } from "kysely";

/** Cuts a list into lists of at most `size`: a statement takes a bounded number of parameters. */
export function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/**
 * For `update … set`: gives a column the value that is paired with the row's `id`, and leaves it as it is in other rows.
 * The column as last alternative is what tells PostgreSQL the type of the parameters.
 */
export function valueById<T>(
  column: string,
  values: readonly (readonly [id: Uint8Array, value: T])[],
): RawBuilder<T> {
  if (values.length === 0) return sql<T>`${sql.ref(column)}`;
  const cases = values.map(([id, value]) => sql`when ${id} then ${value}`);
  return sql<T>`case id ${sql.join(cases, sql` `)} else ${sql.ref(column)} end`;
}
