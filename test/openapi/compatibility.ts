import type { Document, Operation, Parameter, Response } from "./document.ts";

/** The part of JSON Schema that Clew's messages use. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: unknown;
  readonly [keyword: string]: unknown;
}

/** A document before and after a change, and where in it the comparison is. */
interface Pair<Part> {
  readonly before: Part;
  readonly after: Part;
}

type Direction = "request" | "response";

/**
 * Finds the changes in a document that break clients of an older one (docs/versioning.md), as a sentence each:
 * something was removed, accepts less, demands more, or answers with other types.
 */
export function breakingChanges(before: Document, after: Document): string[] {
  return Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const now = after.paths[path]?.[method];
      const name = `${method.toUpperCase()} ${path}`;
      if (now === undefined) return [`${name} was removed`];
      return operationChanges({ before, after }, { before: operation, after: now }).map(
        (change) => `${name}: ${change}`,
      );
    }),
  );
}

function operationChanges(documents: Pair<Document>, { before, after }: Pair<Operation>): string[] {
  return [
    ...(before.operationId === after.operationId ? [] : [`its id ${before.operationId} was changed`]),
    ...credentialChanges({ before, after }),
    ...parameterChanges(documents, { before: before.parameters ?? [], after: after.parameters ?? [] }),
    ...bodyChanges(documents, { before, after }),
    ...Object.keys(before.responses).flatMap((status) => {
      const [was, is] = [
        responseIn(documents.before, before, status),
        responseIn(documents.after, after, status),
      ];
      if (was === undefined) return [];
      if (is === undefined) return [`the response ${status} was removed`];
      return responseChanges(documents, { before: was, after: is }).map((change) => `${status}: ${change}`);
    }),
  ];
}

function credentialChanges({ before, after }: Pair<Operation>): string[] {
  const kinds = ({ security }: Operation) => security.flatMap((each) => Object.keys(each));
  const scopes = ({ security }: Operation) => security.flatMap((each) => Object.values(each).flat());
  const demanded = scopes(after).filter((scope) => !scopes(before).includes(scope));
  return [
    ...(String(kinds(before)) === String(kinds(after)) ? [] : ["it takes other credentials"]),
    ...demanded.map((scope) => `it demands the scope ${scope}`),
  ];
}

function parameterChanges(
  documents: Pair<Document>,
  { before, after }: Pair<readonly Parameter[]>,
): string[] {
  const added = after.filter(({ name, required }) => required && !before.some((each) => each.name === name));
  return [
    ...before.flatMap((was) => {
      const is = after.find(({ name, in: place }) => name === was.name && place === was.in);
      if (is === undefined) return [`the parameter ${was.name} was removed`];
      return [
        ...(is.required && !was.required ? [`the parameter ${was.name} became required`] : []),
        ...schemaChanges(
          documents,
          { before: was.schema, after: is.schema },
          "request",
          `the parameter ${was.name}`,
        ),
      ];
    }),
    ...added.map(({ name }) => `the required parameter ${name} was added`),
  ];
}

function bodyChanges(documents: Pair<Document>, { before, after }: Pair<Operation>): string[] {
  if (before.requestBody === undefined)
    return after.requestBody?.required === true ? ["a required body was added"] : [];
  const now = after.requestBody;
  if (now === undefined) return ["its body was removed"];
  return Object.entries(before.requestBody.content).flatMap(([mediaType, { schema }]) => {
    const is = now.content[mediaType];
    if (is === undefined) return [`the body ${mediaType} was removed`];
    return schemaChanges(documents, { before: schema, after: is.schema }, "request", "the body");
  });
}

function responseChanges(documents: Pair<Document>, { before, after }: Pair<Response>): string[] {
  const headers = Object.keys(before.headers ?? {}).filter((name) => !(name in (after.headers ?? {})));
  return [
    ...headers.map((name) => `the header ${name} was removed`),
    ...Object.entries(before.content ?? {}).flatMap(([mediaType, { schema }]) => {
      const is = after.content?.[mediaType];
      if (is === undefined) return [`${mediaType} was removed`];
      return schemaChanges(documents, { before: schema, after: is.schema }, "response", "the body");
    }),
  ];
}

function responseIn(document: Document, operation: Operation, status: string): Response | undefined {
  const response = operation.responses[status];
  if (response?.$ref === undefined) return response;
  return document.components.responses[response.$ref.split("/").at(-1) ?? ""];
}

/** Follows a reference, which is noted in `seen`. Null if the comparison has been here before. */
function resolve(document: Document, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  return (document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}) as Schema;
}

function schemaChanges(
  documents: Pair<Document>,
  pair: Pair<Schema>,
  direction: Direction,
  at: string,
  seen: ReadonlySet<string> = new Set(),
): string[] {
  const name = pair.before.$ref ?? "";
  if (seen.has(name)) return [];
  const visited = name === "" ? seen : new Set([...seen, name]);
  const before = resolve(documents.before, pair.before);
  const after = resolve(documents.after, pair.after);
  const inner = (was: Schema, is: Schema, place: string) =>
    schemaChanges(documents, { before: was, after: is }, direction, place, visited);
  return [
    ...typeChanges({ before, after }, direction, at),
    ...(direction === "request" ? limitChanges({ before, after }, at) : []),
    ...propertyChanges({ before, after }, direction, at, inner),
    ...(before.items === undefined ? [] : inner(before.items, after.items ?? {}, `${at}[]`)),
    ...(["anyOf", "allOf"] as const).flatMap((keyword) => {
      const [was, is] = [before[keyword] ?? [], after[keyword] ?? []];
      if (was.length !== is.length) return [`${at} has other alternatives`];
      return was.flatMap((branch, index) => inner(branch, is[index] ?? {}, at));
    }),
  ];
}

const typesOf = ({ type }: Schema): readonly string[] => [type ?? []].flat();

/** A request must still take each type and value; a response must not begin to give others, nor cease to give any. */
function typeChanges({ before, after }: Pair<Schema>, direction: Direction, at: string): string[] {
  const [was, is] = [typesOf(before), typesOf(after)];
  const gone = was.filter((type) => !is.includes(type) && !(type === "integer" && is.includes("number")));
  const added = was.length === 0 ? [] : is.filter((type) => !was.includes(type));
  const values = after.enum ?? before.enum ?? [];
  const lost = (before.enum ?? []).filter((value) => !values.includes(value));
  const closed = direction === "request" && before.enum === undefined && after.enum !== undefined;
  return [
    ...(gone.length > 0 || (direction === "response" && added.length > 0)
      ? [`${at} changed from ${was.join("|")} to ${is.join("|") || "anything"}`]
      : []),
    ...lost.map((value) => `${at} lost the value ${value}`),
    ...(closed ? [`${at} takes only some values`] : []),
    ...(before.const === after.const ? [] : [`${at} has another constant`]),
  ];
}

/** Limits of requests, with the direction in which they narrow. */
const limits = {
  minimum: 1,
  minLength: 1,
  minItems: 1,
  maximum: -1,
  maxLength: -1,
  maxItems: -1,
} as const;

/** Whether a pattern is the same as before, but for alternatives that were added. */
function takesAll({ pattern: before }: Schema, { pattern: after }: Schema): boolean {
  if (after === undefined || after === before) return true;
  if (typeof before !== "string" || typeof after !== "string") return false;
  const alternatives = /\(\?:([\w|]+)\)/g;
  if (before.replace(alternatives, "") !== after.replace(alternatives, "")) return false;
  const wordsOf = (pattern: string) =>
    [...pattern.matchAll(alternatives)].map(([, words = ""]) => words.split("|"));
  const is = wordsOf(after);
  return wordsOf(before).every((words, index) => words.every((word) => is[index]?.includes(word)));
}

function limitChanges({ before, after }: Pair<Schema>, at: string): string[] {
  const narrowed = Object.entries(limits).filter(([keyword, sign]) => {
    const is = after[keyword];
    if (typeof is !== "number") return false;
    const was = before[keyword];
    return typeof was !== "number" || (is - was) * sign > 0;
  });
  return [
    ...narrowed.map(([keyword]) => `${at} has a narrower ${keyword}`),
    ...(takesAll(before, after) ? [] : [`${at} has another pattern`]),
    ...(before.default === undefined || before.default === after.default
      ? []
      : [`${at} has another default`]),
  ];
}

function propertyChanges(
  { before, after }: Pair<Schema>,
  direction: Direction,
  at: string,
  inner: (was: Schema, is: Schema, place: string) => string[],
): string[] {
  const [was, is] = [before.required ?? [], after.required ?? []];
  const demanded = direction === "request" ? is.filter((name) => !was.includes(name)) : [];
  const optional = direction === "response" ? was.filter((name) => !is.includes(name)) : [];
  return [
    ...Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
      const now = after.properties?.[name];
      const place = `${at}.${name}`;
      return now === undefined ? [`${place} was removed`] : inner(schema, now, place);
    }),
    ...demanded.map((name) => `${at}.${name} became required`),
    ...optional
      .filter((name) => after.properties?.[name] !== undefined)
      .map((name) => `${at}.${name} became optional`),
  ];
}
