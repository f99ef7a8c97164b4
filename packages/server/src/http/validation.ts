import type { Named } from "@clew/contract";
import { Ajv2020, type Options } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { FastifySchema, FastifySchemaCompiler } from "fastify";

const options: Options = {
  allErrors: true,
  removeAdditional: false,
  useDefaults: true,
  strict: true,
  allowUnionTypes: true,
};

/**
 * Compiles the schemas of requests; `shared` are those that they may refer to. Bodies are taken as they are:
 * `"5"` is no integer and an unknown field is a fault. Query and path values are text by nature, so those are
 * read as the type asked for first.
 */
export function validatorCompiler(shared: readonly Named[]): FastifySchemaCompiler<FastifySchema> {
  const ajv = new Ajv2020({ ...options, schemas: [...shared] });
  addFormats.default(ajv);
  return ({ schema, httpPart }) => {
    const validate = ajv.compile(schema);
    if (httpPart === "body") return validate;
    const { properties = {} } = schema as { properties?: Readonly<Record<string, { type?: unknown }>> };
    const typed = Object.entries(properties).map(([name, { type }]) => ({ name, type }));
    return (texts: Readonly<Record<string, unknown>>) => {
      const value = { ...texts };
      for (const { name, type } of typed) if (name in texts) value[name] = readText(type, texts[name]);
      return validate(value) ? { value } : { error: validate.errors ?? [] };
    };
  };
}

/** Each number has one spelling: `0x10`, `1e1`, `1.0`, `+1` and `Infinity` are none. */
function readText(type: unknown, text: unknown): unknown {
  if (typeof text !== "string") return text;
  if (type === "integer" && /^(?:0|-?[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}
