import { type Named, Neighbors, Node, NodeDetail, Paths, SearchResults } from "@clew/contract";
import fastJsonStringify, { type Schema } from "fast-json-stringify";
import type { FastifySchema, FastifySerializerCompiler } from "fastify";

/**
 * Writes a part of an answer as JSON. Each character stands for one byte of its UTF-8, so that texts which are put
 * together need not be encoded again.
 */
type Writer = (value: unknown) => string;

/** As much of a schema as tells where other messages are in it. */
interface Part {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: Part;
  readonly properties?: Readonly<Record<string, Part>>;
}

/** Messages that are answered over and over as the same object, which never changes. */
const lasting = new Set<string>([Node, NodeDetail, SearchResults, Neighbors, Paths].map(({ $id }) => $id));

/**
 * Compiles the schemas of answers; `shared` are those that they may refer to. A lasting message is written and encoded
 * once, and larger answers are put together from that.
 */
export function serializerCompiler(shared: readonly Named[]): FastifySerializerCompiler<FastifySchema> {
  const named = Object.fromEntries(shared.map((schema) => [schema.$id, schema as Part]));
  const compile = (part: Part) =>
    fastJsonStringify(part as Schema, { schema: named as Record<string, Schema> });
  const lastingWriters = new Map<string, Writer>();

  function holdsLasting({ $ref, items, properties }: Part): boolean {
    if ($ref !== undefined) return lasting.has($ref) || holdsLasting(named[$ref] ?? {});
    return [items ?? [], Object.values(properties ?? {})].flat().some(holdsLasting);
  }

  function lastingWriter($ref: string): Writer {
    const known = lastingWriters.get($ref);
    if (known !== undefined) return known;
    const schema = named[$ref] ?? {};
    const writer = remembered(holdsLasting(schema) ? writerOf(schema) : encoded(compile({ $ref })));
    lastingWriters.set($ref, writer);
    return writer;
  }

  function writerOf(part: Part): Writer {
    const { type, $ref, items, properties = {} } = part;
    if (type === "integer" || type === "boolean") return String;
    if (!holdsLasting(part)) return encoded(compile(part));
    if ($ref !== undefined) return lasting.has($ref) ? lastingWriter($ref) : writerOf(named[$ref] ?? {});
    if (items !== undefined) return listWriter(writerOf(items));
    return objectWriter(Object.entries(properties).map(([name, field]) => [name, writerOf(field)]));
  }

  return ({ schema }) => {
    const part = schema as Part;
    if (!holdsLasting(part)) return compile(part);
    const write = writerOf(part);
    const writeBytes = (value: unknown) => Buffer.from(write(value), "latin1");
    // Fastify sends bytes as they are; its types know only of texts.
    return writeBytes as unknown as (value: unknown) => string;
  };
}

function encoded(write: (value: unknown) => string): Writer {
  return (value) => {
    const text = write(value);
    // What is ASCII is its own UTF-8.
    return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text).toString("latin1");
  };
}

function remembered(write: Writer): Writer {
  const written = new WeakMap<object, string>();
  return (value) => {
    const message = Object(value);
    const known = written.get(message);
    if (known !== undefined) return known;
    const text = write(message);
    written.set(message, text);
    return text;
  };
}

function listWriter(write: Writer): Writer {
  return (values) => {
    let text = "";
    for (const value of values as readonly unknown[]) text += text === "" ? write(value) : `,${write(value)}`;
    return `[${text}]`;
  };
}

/** Every field of an answer is there. */
function objectWriter(fields: readonly (readonly [string, Writer])[]): Writer {
  const parts = fields.map(([name, write], index) => ({
    name,
    write,
    before: `${index === 0 ? "{" : ","}${JSON.stringify(name)}:`,
  }));
  return (value) => {
    const message = value as Readonly<Record<string, unknown>>;
    let text = "";
    for (const { name, write, before } of parts) text += before + write(message[name]);
    return `${text}}`;
  };
}
