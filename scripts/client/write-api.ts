/** The parts of an OpenAPI 3.1 document that a client is made of. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
}

/** An operation that the client has as a method. */
export interface ClientOperation extends DocumentedOperation {
  readonly method: string;
  /** Below the API of the credential, if it is an operation of the graph. */
  readonly path: string;
  readonly isGraph: boolean;
  /** The parameters that a service token may not send. */
  readonly sessionParameters: readonly Parameter[];
  /** The name of the response's schema; null without a body. */
  readonly output: string | null;
}

const graphBase = "/api/v1/";
const sessionSuffix = "InSession";

/**
 * The operations of the document whose responses are JSON or nothing. An operation that both audiences have is one: the client
 * sends it where its credential is for.
 */
export function clientOperations({ paths }: OpenApi): ClientOperation[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
  const byId = new Map(all.map((operation) => [operation.operationId, operation]));
  return all.flatMap((operation) => {
    const { operationId, path, responses } = operation;
    const [, success] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
    const schema = success?.content?.["application/json"]?.schema;
    const isForClients = path.startsWith("/api/") && !operationId.endsWith(sessionSuffix);
    if (!isForClients || success === undefined || (success.content && schema?.$ref === undefined)) return [];
    const inSession = path.startsWith(graphBase) ? byId.get(`${operationId}${sessionSuffix}`) : undefined;
    const isGraph = inSession !== undefined;
    const own = new Set(operation.parameters?.map(({ name }) => name));
    return [
      {
        ...operation,
        path: path.slice(isGraph ? graphBase.length : 1),
        isGraph,
        sessionParameters: inSession?.parameters?.filter(({ name }) => !own.has(name)) ?? [],
        output: schema?.$ref === undefined ? null : nameIn(schema.$ref),
      },
    ];
  });
}

const nameIn = (reference: string) => reference.split("/").at(-1) ?? "";

const inputName = (operationId: string) => `${operationId[0]?.toUpperCase()}${operationId.slice(1)}Input`;

/** The module with the types and operations of the API. Its layout is left to the formatter. */
export function writeApi(document: OpenApi): string {
  const { schemas } = document.components;
  const operations = clientOperations(document).map(
    ({ parameters = [], sessionParameters, ...operation }) => ({
      ...operation,
      sessionParameters,
      parameters: [...parameters, ...sessionParameters],
    }),
  );
  const exported = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === "exportGraph");
  if (exported === undefined) throw new Error("the document has no exportGraph");
  const messages = reachable(schemas, [
    "Problem",
    "ExportLine",
    ...operations.flatMap(({ output }) => output ?? []),
  ]);
  return [
    "// Written by `npm run docs` from the OpenAPI document: do not edit.",
    'import type { RequestOptions } from "./options.ts";',
    ...messages.map(
      (name) => `${comment(schemas[name]?.description)}export ${declaration(name, schemas[name] ?? {})}`,
    ),
    'export type ProblemCode = Problem["code"];',
    ...[...operations, exported].map((operation) => writeInput(operation, schemas)),
    `/** The input and output of each operation. */\nexport interface Operations {\n${operations
      .map(
        ({ operationId, output }) =>
          `${operationId}: { input: ${inputName(operationId)}; output: ${output ?? "null"} };`,
      )
      .join("\n")}\n}`,
    "export type OperationName = keyof Operations;",
    `/** The operations as methods. */\nexport interface Api {\n${operations.map((each) => writeMethod(each, schemas)).join("\n")}\n}`,
    `/** How each operation is called. */\nexport const operations = {\n${operations.map(writeCall).join("\n")}\n} as const;`,
  ].join("\n\n");
}

/** These schemas and all that they refer to, sorted. */
function reachable(schemas: OpenApi["components"]["schemas"], names: readonly string[]): string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    for (const [, reference = ""] of JSON.stringify(schemas[name] ?? {}).matchAll(/"\$ref":"([^"]+)"/g))
      visit(nameIn(reference));
  };
  names.forEach(visit);
  return [...found].sort();
}

const declaration = (name: string, schema: Schema) =>
  schema.properties === undefined
    ? `type ${name} = ${typeOf(schema)};`
    : `interface ${name} ${typeOf(schema)}`;

const comment = (text: string | undefined) =>
  text === undefined || text === "" ? "" : `/** ${text.replaceAll("*/", "*\\/")} */\n`;

function typeOf(schema: Schema): string {
  const { $ref, type, enum: values, anyOf, items, properties, required = [] } = schema;
  if ($ref !== undefined) return nameIn($ref);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (anyOf !== undefined) return anyOf.map(typeOf).join(" | ");
  if (Array.isArray(type)) return type.map((each: string) => typeOf({ ...schema, type: each })).join(" | ");
  if (type === "array") return `(${typeOf(items ?? {})})[]`;
  if (type === "integer" || type === "number") return "number";
  if (type !== "object") return typeof type === "string" ? type : "unknown";
  const fields = Object.entries(properties ?? {});
  if (fields.length === 0) return "{ [name: string]: unknown }";
  return `{\n${fields.map(([name, field]) => writeField(name, field, required.includes(name))).join("\n")}\n}`;
}

const writeField = (name: string, schema: Schema, isRequired: boolean) =>
  `${comment(schema.description)}${/^\w+$/.test(name) ? name : JSON.stringify(name)}${isRequired ? "" : "?"}: ${typeOf(schema)};`;

/** The inputs of an operation: the parameters of its path and query, or the fields of its body. */
function inputsOf(
  { parameters = [], requestBody }: DocumentedOperation,
  schemas: OpenApi["components"]["schemas"],
): Parameter[] {
  const schema = requestBody?.content?.["application/json"]?.schema ?? {};
  const { properties = {}, required = [] } =
    schema.$ref === undefined ? schema : (schemas[nameIn(schema.$ref)] ?? {});
  const fields = Object.entries(properties).map(([name, field]) => ({
    name,
    in: "body",
    required: required.includes(name),
    schema: field,
    ...(field.description === undefined ? {} : { description: field.description }),
  }));
  return [
    ...parameters.filter((parameter) => parameter.in === "path"),
    ...parameters.filter((parameter) => parameter.in === "query"),
    ...fields,
  ];
}

/** Lists may be given as lists, whatever the query makes of them. */
function inputType({ in: place, schema, description }: Parameter): string {
  if (place === "path") return "string | number";
  if (schema.type === "array") return `readonly ${typeOf(schema)}`;
  return description?.startsWith("Comma-separated") ? "string | readonly string[]" : typeOf(schema);
}

function writeInput(operation: DocumentedOperation, schemas: OpenApi["components"]["schemas"]): string {
  const fields = inputsOf(operation, schemas).map((parameter) => {
    const { name, required = false, description, schema } = parameter;
    const standard = schema.default === undefined ? "" : ` Default: ${JSON.stringify(schema.default)}.`;
    const about =
      `${description ?? ""}${description && standard && !description.endsWith(".") ? "." : ""}${standard}`.trim();
    const type = inputType(parameter);
    return `${comment(about)}readonly ${name}${required ? `: ${type}` : `?: ${type} | undefined`};`;
  });
  const body = fields.length === 0 ? "{ readonly [name: string]: never }" : `{\n${fields.join("\n")}\n}`;
  return `export ${fields.length === 0 ? `type ${inputName(operation.operationId)} = ${body};` : `interface ${inputName(operation.operationId)} ${body}`}`;
}

function writeMethod(operation: ClientOperation, schemas: OpenApi["components"]["schemas"]): string {
  const { operationId, summary, description, output } = operation;
  const isOptional = inputsOf(operation, schemas).every(({ required = false }) => !required);
  const about = [`${summary}.`, description ?? ""].filter((part) => part !== "").join("\n\n");
  return `${comment(about)}${operationId}(input${isOptional ? "?" : ""}: ${inputName(operationId)}, options?: RequestOptions): Promise<${output ?? "null"}>;`;
}

function writeCall({
  operationId,
  method,
  path,
  isGraph,
  requestBody,
  parameters = [],
}: ClientOperation): string {
  const repeated = parameters.filter(({ schema }) => schema.type === "array").map(({ name }) => name);
  const call = {
    method,
    path,
    ...(isGraph ? { isGraph } : {}),
    ...(requestBody === undefined ? {} : { hasBody: true }),
    ...(repeated.length === 0 ? {} : { repeated }),
  };
  return `${operationId}: ${JSON.stringify(call)},`;
}
