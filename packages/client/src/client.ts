import { type Api, type ExportGraphInput, type OperationName, type Operations, operations } from "./api.ts";
import { type ExportItem, readExport } from "./export-lines.ts";
import type { RequestOptions } from "./options.ts";
import { type ClientOptions, createTransport, type Transport } from "./transport.ts";

/** Operations whose output is one part of a list. */
export type ListOperation = {
  [Name in OperationName]: Operations[Name]["output"] extends { items: unknown[]; next_cursor: string | null }
    ? Name
    : never;
}[OperationName];

/** An item of a list. */
export type ListItem<Name extends ListOperation> = Operations[Name]["output"]["items"][number];

/** The input may be left out if none of it is required. */
type Call<Input> =
  Record<never, never> extends Input
    ? [input?: Input, options?: RequestOptions]
    : [input: Input, options?: RequestOptions];

interface GetMapInput {
  readonly id: string;
  /** Regions of linked pages instead of folders. */
  readonly links?: boolean | undefined;
  readonly colour?: "region" | "folder" | "database" | "edited" | undefined;
}

/** Calls Clew's API with one credential. All calls throw a `ClewError`. */
export interface Client extends Api {
  /** All items of a list, asked for as they are needed. */
  iterate<Name extends ListOperation>(
    operation: Name,
    ...call: Call<Operations[Name]["input"]>
  ): AsyncGenerator<ListItem<Name>>;
  /** The nodes, edges and, if wanted, texts of the whole graph. Throws an `IncompleteExportError` if it is not whole. */
  exportGraph(input?: Omit<ExportGraphInput, "format">, options?: RequestOptions): AsyncGenerator<ExportItem>;
  /** An export as it is sent, for a file. A stream that fails was not whole; JSON lines also need their `end`. */
  exportStream(input?: ExportGraphInput, options?: RequestOptions): Promise<ReadableStream<Uint8Array>>;
  /** The map of a workspace, in the binary format that the API's documentation describes. */
  getMap(input: GetMapInput, options?: RequestOptions): Promise<ArrayBuffer>;
}

/**
 * Creates a client. Throws `TypeError` for a token and an address with http that is not on this machine.
 *
 * ```ts
 * const clew = createClient({ url: "https://clew.example", token: "svc_…" });
 * for await (const { node } of clew.iterate("searchPages", { q: "moon" })) console.log(node.title);
 * ```
 */
export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options);
  const methods = Object.fromEntries(
    Object.entries<Operation>(operations).map(([name, operation]) => [
      name,
      (input: Input = {}, { signal }: RequestOptions = {}) => call(transport, name, operation, input, signal),
    ]),
  );
  // `operations` and `Api` are written together, from one document.
  const api = methods as unknown as Api;

  async function openExport(input: Input, { signal }: RequestOptions) {
    const request = requestOf(transport, "exportGraph", exportOperation, input);
    return transport.request({ ...request, signal }, async ({ body }) => {
      if (body === null) throw new TypeError("the response has no body");
      return body;
    });
  }

  return {
    ...api,
    async *iterate<Name extends ListOperation>(
      operation: Name,
      ...[input = {}, options = {}]: Call<Operations[Name]["input"]>
    ) {
      // The compiler does not see that the method of a list takes the list's input and a cursor.
      const method = api[operation] as (input: object, options: RequestOptions) => Promise<ListPage<Name>>;
      let page = await method(input, options);
      for (;;) {
        yield* page.items;
        // If there is `more`, the last page has a cursor too, for later.
        if (page.next_cursor === null || page.more === false) return;
        page = await method({ ...input, cursor: page.next_cursor }, options);
      }
    },
    async *exportGraph(input = {}, options = {}) {
      const stream = await openExport({ ...input, format: "jsonl" }, options);
      yield* readExport("exportGraph", stream, options.signal);
    },
    getMap: (input, { signal } = {}) =>
      transport.request(
        { ...requestOf(transport, "getMap", mapOperation, { ...input }), signal },
        (response) => response.arrayBuffer(),
      ),
    exportStream: (input = {}, options = {}) => openExport({ ...input }, options),
  };
}

interface ListPage<Name extends ListOperation> {
  readonly items: ListItem<Name>[];
  readonly next_cursor: string | null;
  readonly more?: boolean;
}

type Input = Readonly<Record<string, unknown>>;

/** The call of an operation. */
interface Operation {
  readonly method: string;
  /** Below the API that the credential is for, if the operation is of the graph; otherwise below Clew's URL. */
  readonly path: string;
  readonly isGraph?: boolean;
  /** Whether the input is the body, as JSON. Otherwise it is the query. */
  readonly hasBody?: boolean;
  /** Parameters that are repeated for each of several values. All others are lists with commas. */
  readonly repeated?: readonly string[];
}

const mapOperation: Operation = { method: "GET", path: "workspaces/{id}/map/", isGraph: true };
const exportOperation: Operation = { method: "GET", path: "export/", isGraph: true };

async function call(
  transport: Transport,
  name: string,
  operation: Operation,
  input: Input,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const request = { ...requestOf(transport, name, operation, input), signal };
  return transport.request(request, (response) =>
    response.status === 204 ? Promise.resolve(null) : response.json(),
  );
}

function requestOf({ isServiceToken }: Transport, name: string, operation: Operation, input: Input) {
  const { method, path, isGraph = false, hasBody = false, repeated = [] } = operation;
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = String(rest.get(field) ?? "");
    rest.delete(field);
    // A path without its id would be another operation.
    if (value === "") throw new TypeError(`${name} needs ${field}`);
    return encodeURIComponent(value);
  });
  const base = isServiceToken ? "api/v1/" : "api/provider-graph/";
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  for (const [field, value] of rest) {
    if (hasBody) body[field] = value;
    else if (Array.isArray(value) && repeated.includes(field))
      for (const each of value) query.append(field, String(each));
    else query.set(field, String(value));
  }
  return { name, method, path: (isGraph ? base : "") + filled, query, ...(hasBody ? { body } : {}) };
}
