import type { Named } from "@clew/contract";
import fastJsonStringify from "fast-json-stringify";
import type { FastifySerializerCompiler } from "fastify";
import { compileOnce } from "./compile-once.ts";
import { messages } from "./messages.ts";

/** Compiles the schema of a response when it is first sent. What a schema does not declare is not sent. */
export const compileSerializer: FastifySerializerCompiler<unknown> = ({ schema }) => {
  let serialize: ((value: unknown) => string) | null = null;
  return (value) => {
    serialize ??= serializerOf(schema);
    return serialize(value);
  };
};

/** fast-json-stringify reads every schema that it is given, so it is given only those that are referred to. */
const serializerOf = compileOnce((schema) => {
  const referred = new Set<Named>();
  addReferred(referred, schema);
  const byName = Object.fromEntries([...referred].map((message) => [message.$id, Object(message)]));
  return fastJsonStringify(Object(schema), { schema: byName });
});

const messageOf = new Map(messages.map((message) => [message.$id, message]));

/** Adds the messages that a part of a schema refers to, and those that they refer to. */
function addReferred(referred: Set<Named>, part: unknown): void {
  if (typeof part !== "object" || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    const message = key === "$ref" ? messageOf.get(value) : undefined;
    if (message === undefined) addReferred(referred, value);
    else if (!referred.has(message)) {
      referred.add(message);
      addReferred(referred, message);
    }
  }
}
