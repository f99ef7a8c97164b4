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
 * read as the type asked for.
 */
export function validatorCompiler(shared: readonly Named[]): FastifySchemaCompiler<FastifySchema> {
  const create = (coerceTypes: false | "array") => {
    const ajv = new Ajv2020({ ...options, coerceTypes, schemas: [...shared] });
    addFormats.default(ajv);
    return ajv;
  };
  const bodies = create(false);
  const texts = create("array");
  return ({ schema, httpPart }) => (httpPart === "body" ? bodies : texts).compile(schema);
}
