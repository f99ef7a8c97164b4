import { type Named, Neighbors, Node, NodeDetail, Paths, SearchResults } from "@clew/contract";
import fastJsonStringify, { type Schema } from "fast-json-stringify";
import type { FastifySchema, FastifySerializerCompiler } from "fastify";
import { writtenBody } from "./written-body.ts";

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

/** The part of many answers that is written and encoded once: the same object each time, which never changes. */
const lasting = Node.$id;

/** Messages that may be kept to be answered again, with their bodies. */
const repeatable = new Set<string>([NodeDetail, SearchResults, Neighbors, Paths].map(({ $id }) => $id));

/**
 * Compiles the schemas of answers; `shared` are those that they may refer to. Answers that hold the lasting message are
 * put together from what was written of it.
 */
export function serializerCompiler(shared: readonly Named[]): FastifySerializerCompiler<FastifySchema> {
  const named = Object.fromEntries(shared.map((schema) => [schema.$id, schema as Part]));
  const compile = (part: Part) =>
    fastJsonStringify(part as Schema, { schema: named as Record<string, Schema> });
  const lastingWriter = lasting in named ? remembered(encoded(compile({ $ref: lasting }))) : null;

  function holdsLasting({ $ref, items, properties }: Part): boolean {
    if ($ref !== undefined) return $ref === lasting || holdsLasting(named[$ref] ?? {});
    return [items ?? [], Object.values(properties ?? {})].flat().some(holdsLasting);
  }

  function writerOf(part: Part): Writer {
    const { type, $ref, items, properties = {} } = part;
    if (type === "integer" || type === "boolean") return String;
    if (!holdsLasting(part)) return encoded(compile(part));
    if ($ref === lasting && lastingWriter !== null) return lastingWriter;
    if ($ref !== undefined) return writerOf(named[$ref] ?? {});
    if (items !== undefined) return listWriter(writerOf(items));
    return objectWriter(Object.entries(properties).map(([name, field]) => [name, writerOf(field)]));
  }

  return ({ schema }) => {
    const part = schema as Part;
    const isRepeatable = part.$ref !== undefined && repeatable.has(part.$ref);
    if (!isRepeatable && !holdsLasting(part)) return compile(part);
    const write = writerOf(part);
    const bytesOf = (value: unknown) => Buffer.from(write(value), "latin1");
    const writeBytes = (value: unknown) => writtenBody(Object(value), bytesOf);
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

function remembered<Written>(write: (value: unknown) => Written): (value: unknown) => Written {
  const written = new WeakMap<object, Written>();
  return (value) => {
    const message = Object(value);
    const known = written.get(message);
    if (known !== undefined) return known;
    const made = write(message);
    written.set(message, made);
    return made;
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
