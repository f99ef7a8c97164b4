import { type FieldError, wordsOfPattern } from "@clew/contract";
import type { ErrorObject, ValidateFunction } from "ajv";
import { Ajv2020, type Options } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { FastifySchema, FastifySchemaCompiler } from "fastify";
import { compileOnce } from "./compile-once.ts";
import { pointerStep } from "./json-body.ts";
import { messages } from "./messages.ts";

const options: Options = {
  allErrors: true,
  removeAdditional: false,
  useDefaults: true,
  strict: true,
  allowUnionTypes: true,
  // A test does it for the messages, and `strict` refuses wrong keywords in any case.
  validateSchema: false,
};

let ajv: Ajv2020 | null = null;

/** Knows the messages of the contract. It is made when a server needs it. */
function openAjv(): Ajv2020 {
  const opened = new Ajv2020({ ...options, schemas: [...messages] });
  addFormats.default(opened);
  return opened;
}

/**
 * Compiles the schema of a request when the first one comes: most processes serve few of the routes. Bodies are validated
 * without conversion: `"5"` is not an integer, and an unknown field is an error. Query and path values are text, so they are
 * converted to the declared type first.
 */
export const compileValidator: FastifySchemaCompiler<FastifySchema> = ({ schema, httpPart }) => {
  let validate: ValidateFunction | null = null;
  const errorsIn = (value: unknown): ErrorObject[] | null => {
    validate ??= validatorOf(schema);
    return validate(value) ? null : (validate.errors ?? []);
  };
  if (httpPart === "body")
    return (body: unknown) => {
      const error = errorsIn(body);
      return error === null || { error };
    };
  const { properties = {} } = schema as { properties?: Readonly<Record<string, Declared>> };
  const declared = Object.entries(properties);
  return (texts: Readonly<Record<string, unknown>>) => {
    const value = { ...texts };
    for (const [name, schema] of declared) if (name in texts) value[name] = readText(schema, texts[name]);
    const error = errorsIn(value);
    if (error === null) return { value };
    const repeated = new Set(
      declared
        .filter(([name, { type }]) => type !== "array" && Array.isArray(texts[name]))
        .map(([name]) => name),
    );
    return {
      error: error.map((each) => (repeated.has(each.instancePath.slice(1)) ? asRepeated(each) : each)),
    };
  };
};

/** The error of a parameter that was repeated, and may be given once only. */
const asRepeated = (error: ErrorObject): ErrorObject => ({
  ...error,
  keyword: "repeated",
  params: {},
  message: "is given more than once",
});

const validatorOf = compileOnce((schema) => {
  ajv ??= openAjv();
  return ajv.compile(Object(schema));
});

/** The parts of a declared value that `readText` uses. */
interface Declared {
  readonly type?: unknown;
  readonly maxLength?: unknown;
}

/**
 * Each number has one spelling: `0x10`, `1e1`, `1.0`, `+1` and `Infinity` are refused. A text of limited length is what
 * a person typed: spaces around it do not count. A parameter that may be repeated is a list, also where it is given once.
 */
function readText({ type, maxLength }: Declared, text: unknown): unknown {
  if (typeof text !== "string") return text;
  if (type === "array") return [text];
  if (maxLength !== undefined) return text.trim();
  if (type === "integer" && /^(?:0|-?[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text)))
    return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** The errors of a failed schema validation as field errors; null for any other error. */
export function fieldErrorsOf(error: unknown): FieldError[] | null {
  if (!(error instanceof Error) || !("validation" in error) || !Array.isArray(error.validation)) return null;
  const context = "validationContext" in error ? error.validationContext : "body";
  const errors: ErrorObject[] = error.validation;
  const fieldErrors = errors.filter(isSpecific).map((found) => {
    const pointer = pointerOf(found);
    return { path: context === "body" ? pointer : `?${pointer.slice(1)}`, message: messageOf(found) };
  });
  // Branches of a union may find the same error.
  return [...new Map(fieldErrors.map((each) => [`${each.path}\n${each.message}`, each])).values()];
}

/** A union's own error says only that no branch matches; the errors of the branches are useful. */
function isSpecific({ keyword }: ErrorObject, _: number, all: ErrorObject[]): boolean {
  return keyword !== "anyOf" || all.length === 1;
}

/** JSON Pointer (RFC 6901) to the error; a missing or unknown field is named itself. */
function pointerOf({ instancePath, params }: ErrorObject): string {
  const field: unknown = params.missingProperty ?? params.additionalProperty;
  if (typeof field !== "string") return instancePath;
  return instancePath + pointerStep(field);
}

function messageOf({ keyword, message, params }: ErrorObject): string {
  if (keyword === "additionalProperties") return "is not known";
  if (keyword === "required") return "is missing";
  if (keyword === "minLength" && params.limit === 1) return "must not be empty";
  if (keyword === "minLength") return `must have at least ${params.limit} characters`;
  if (keyword === "maxLength") return `must have at most ${params.limit} characters`;
  if (keyword === "pattern") return patternMessage(params.pattern);
  const allowed: unknown = params.allowedValues;
  if (Array.isArray(allowed)) return `must be one of ${allowed.join(", ")}`;
  return message ?? "is not valid";
}

/** Says which texts a pattern allows, as far as it is known what the pattern is for. */
function patternMessage(pattern: unknown): string {
  const { words } = wordsOfPattern(String(pattern)) ?? {};
  if (words?.length === 1) return `must be ${words[0]}`;
  if (words !== undefined) return `must be one of ${words.join(", ")}, or several with commas between them`;
  return "does not have the form that the documentation describes";
}
