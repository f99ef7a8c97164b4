import { type Static, type TObject, type TSchema, Type } from "typebox";

/** A schema with a name. OpenAPI declares it once and refers to it elsewhere. */
export type Named<Schema extends TSchema = TSchema> = Schema & { readonly $id: string };

/** Names a schema. The name is its `$id` and its key under `components/schemas`. */
export const named = <Schema extends TSchema>(name: string, schema: Schema): Named<Schema> => ({
  ...schema,
  $id: name,
});

/** A typed `$ref` to a named schema. */
export const ref = <Schema extends TSchema>(schema: Named<Schema>) =>
  Type.Unsafe<Static<Schema>>(Type.Ref(schema.$id));

/** A value or null. A plain type becomes a list of types, because unions serialise more slowly. */
export const nullable = <Schema extends TSchema>(schema: Schema) => {
  const { type, enum: values } = schema as { type?: unknown; enum?: readonly unknown[] };
  return Type.Unsafe<Static<Schema> | null>(
    typeof type === "string" && values === undefined && type !== "object"
      ? { ...schema, type: [type, "null"] }
      : Type.Union([schema, Type.Null()]),
  );
};

/** A request object that rejects unknown fields (TOK-3, ERR-2). */
export const closed = <Properties extends Record<string, TSchema>>(
  properties: Properties,
): TObject<Properties> => Type.Object(properties, { additionalProperties: false });

/** The query of a request that takes no parameters. */
export const noQuery = closed({});

interface PageSizes {
  readonly maximum: number;
  readonly standard: number;
}

export const limitOf = ({ maximum, standard }: PageSizes) =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum, default: standard, description: "How many items to return at most" }),
  );

/** The paging parameters of every list (GRAPH-12). */
export const paging = (sizes: PageSizes) => ({
  limit: limitOf(sizes),
  cursor: Type.Optional(Type.String({ description: "`next_cursor` of the page before" })),
});

/** Restricts an operation to one workspace. */
export const inWorkspace = Type.Optional(
  Type.String({ description: "Id of a workspace; by default all that the caller may read" }),
);

/** A page of a list (GRAPH-12). */
export const listOf = <Schema extends TSchema>(item: Schema) =>
  Type.Object({
    items: Type.Array(item),
    next_cursor: nullable(Type.String({ description: "null on the last page" })),
  });

/** An id in responses. Requests may leave out the dashes. */
export const Id = Type.String({ description: "Lower-case UUID with dashes" });

/** RFC 3339 UTC with milliseconds. */
export const Timestamp = Type.String({ format: "date-time" });

/** One of a fixed list of values. */
export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  Type.Unsafe<Values[number]>({ type: "string", enum: [...values] });
