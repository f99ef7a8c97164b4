import type { ToolName } from "@clew/contract";
import written from "./examples.json" with { type: "json" };

/** A request to an operation, and what the demo workspace answers. */
export interface Example {
  readonly title: string;
  readonly parameters: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** The media type of the response; by default JSON. */
  readonly accept?: string;
  readonly body?: unknown;
  /** The lines of the response that are shown, if not all are. A negative number counts from the end. */
  readonly lines?: readonly number[];
  /** The number of bytes of a binary response that are shown, as hexadecimal digits. */
  readonly bytes?: number;
  /** The call of a tool that gives the same to agents. */
  readonly tool?: { readonly name: ToolName; readonly arguments: Readonly<Record<string, unknown>> };
  /** The command that gives the same in a terminal. */
  readonly command?: string;
  /** Left out where the operation answers nothing, or ends what the reader has. */
  readonly response?: unknown;
}

/** The examples of the operations by their ids. `npm run docs` asks for each response again. */
export const examples: Readonly<Record<string, readonly Example[]>> = written as Readonly<
  Record<string, readonly Example[]>
>;

interface Media {
  examples?: Record<string, { summary: string; description?: string; value: unknown }>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: { readonly name: string; example?: unknown }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

/** Writes the examples into a document: values of parameters, bodies of requests, and responses with their requests. */
export function addExamples(document: object): void {
  // The plugin's types also cover documents of other versions.
  const { paths } = document as { paths: Record<string, Record<string, Operation>> };
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      for (const [index, example] of (examples[operation.operationId] ?? []).entries()) {
        const request = `${method.toUpperCase()} ${requestPath(path, example)}`;
        addExample(operation, { name: `example-${index + 1}`, request, example });
      }
    }
  }
}

function addExample(
  { operationId, parameters = [], requestBody, responses }: Operation,
  { name, request, example }: { readonly name: string; readonly request: string; readonly example: Example },
): void {
  const {
    title: summary,
    accept = "application/json",
    parameters: values,
    body,
    lines,
    bytes,
    response,
  } = example;
  for (const parameter of parameters) parameter.example ??= values[parameter.name];
  const sent = requestBody?.content["application/json"];
  if (sent !== undefined) sent.examples = { ...sent.examples, [name]: { summary, value: body } };
  if (response === undefined) return;
  const received = (responses["200"] ?? responses["201"])?.content?.[accept];
  if (received === undefined) throw new Error(`${operationId} does not respond with ${accept}`);
  const part = lines === undefined ? "" : `. ${namesOf(lines)}`;
  const description = `\`${request}\`${bytes === undefined ? part : `. The first ${bytes} bytes, as hexadecimal digits`}`;
  received.examples = { ...received.examples, [name]: { summary, description, value: response } };
}

/** The path and the query of an example's request. */
export function requestPath(path: string, { parameters }: Pick<Example, "parameters">): string {
  const query = Object.entries(parameters)
    .filter(([name]) => !path.includes(`{${name}}`))
    .flatMap(([name, values]) => [values].flat().map((value) => `${name}=${encodeQuery(String(value))}`))
    .join("&");
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(parameters[name]));
  return query === "" ? filled : `${filled}?${query}`;
}

/** Encodes a value of a query as little as it needs, so that people can read it. */
const encodeQuery = (value: string) =>
  encodeURIComponent(value).replaceAll("%20", "+").replaceAll("%2C", ",").replaceAll("%3A", ":");

function namesOf(lines: readonly number[]): string {
  const names = lines.map((line) => (line === -1 ? "the last" : String(line + 1)));
  return `Of the response, only these lines: ${names.join(", ")}.`;
}
