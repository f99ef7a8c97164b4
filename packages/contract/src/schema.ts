import { type Static, type TObject, type TSchema, Type } from "typebox";

/** A schema that carries a name, so that OpenAPI shows it once and refers to it everywhere else. */
export type Named<Schema extends TSchema = TSchema> = Schema & { readonly $id: string };

/** Names a schema. The name becomes its `$id` and its place under `components/schemas`. */
export const named = <Schema extends TSchema>(name: string, schema: Schema): Named<Schema> => ({
  ...schema,
  $id: name,
});

/** A `$ref` to a named schema that keeps its type. */
export const ref = <Schema extends TSchema>(schema: Named<Schema>) =>
  Type.Unsafe<Static<Schema>>(Type.Ref(schema.$id));

/** A value or null. One of a plain type keeps it, so that it is written without being validated first. */
export const nullable = <Schema extends TSchema>(schema: Schema) => {
  const { type, enum: values } = schema as { type?: unknown; enum?: readonly unknown[] };
  return Type.Unsafe<Static<Schema> | null>(
    typeof type === "string" && values === undefined && type !== "object"
      ? { ...schema, type: [type, "null"] }
      : Type.Union([schema, Type.Null()]),
  );
};

/** A request object: a field that it does not name is a fault, not noise (TOK-3, ERR-2). */
export const closed = <Properties extends Record<string, TSchema>>(
  properties: Properties,
): TObject<Properties> => Type.Object(properties, { additionalProperties: false });

/** What every list takes: how many items a page has, and where it goes on (GRAPH-12). */
export const paging = ({ maximum, standard }: { readonly maximum: number; readonly standard: number }) => ({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum, default: standard })),
  cursor: Type.Optional(Type.String()),
});

/** A page of a list. `next_cursor` is null on the last one (GRAPH-12). */
export const listOf = <Schema extends TSchema>(item: Schema) =>
  Type.Object({ items: Type.Array(item), next_cursor: nullable(Type.String()) });

/** Lower-case UUID with dashes, as Clew writes ids. Ids are read with or without dashes. */
export const Id = Type.String({ description: "Lower-case UUID with dashes" });

/** RFC 3339 UTC with milliseconds. */
export const Timestamp = Type.String({ format: "date-time" });

/** One of a fixed list of words. */
export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  Type.Unsafe<Values[number]>({ type: "string", enum: [...values] });
