import {
  type AccountRoute,
  audiences,
  type GraphMessages,
  graphOperations,
  type RouteBody,
  type RouteQuery,
  type RouteResponse,
} from "@clew/contract";
import { ResponseError } from "./response-error.ts";

/** A response of Clew, whatever its status. */
export interface Response<Body> {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; null if the response has no body. */
  readonly body: Body;
}

interface RequestOptions {
  readonly query?: object | undefined;
  readonly body?: unknown;
}

interface AccountOptions<Route extends AccountRoute> {
  /** Replaces `:id` in the route. */
  readonly id?: string | number;
  readonly query?: RouteQuery<Route>;
  readonly body?: RouteBody<Route>;
}

/** The operations that `graph` answers. */
type QueryOperation = keyof GraphMessages;

type ListOperation = "search" | "neighbors" | "tree";

/** An item of a list operation. */
export type GraphItem<Operation extends ListOperation> = GraphMessages[Operation]["output"]["items"][number];

/** Calls Clew's HTTP API with one credential. */
export interface Client {
  /** Sends a request to a path below the base URL. Does not check the status or the type of the body. */
  send<Body = unknown>(method: string, path: string, options?: RequestOptions): Promise<Response<Body>>;
  /** Calls a route outside the graph. Throws a `ResponseError` if the request is refused. */
  account<Route extends AccountRoute>(
    route: Route,
    options?: AccountOptions<Route>,
  ): Promise<RouteResponse<Route>>;
  /** Runs one graph operation. Throws a `ResponseError` if the request is refused. */
  graph<Operation extends QueryOperation>(
    operation: Operation,
    input: GraphMessages[Operation]["input"],
  ): Promise<GraphMessages[Operation]["output"]>;
  /** All items of a list, page by page. Throws as `graph` does. */
  items<Operation extends ListOperation>(
    operation: Operation,
    input: GraphMessages[Operation]["input"],
  ): AsyncGenerator<GraphItem<Operation>>;
}

/**
 * Creates a client. The token is a service token (`svc_…`), which reads at `/api/v1`, or the access token of a session;
 * some routes need none.
 */
export function createClient(options: {
  /** Clew's public URL. */
  readonly baseUrl: URL | string;
  readonly token?: string | undefined;
  readonly fetch?: typeof globalThis.fetch;
}): Client {
  const { token, fetch = globalThis.fetch } = options;
  const baseUrl = new URL(`${String(options.baseUrl).replace(/\/$/, "")}/`);
  const graphPath = audiences[token?.startsWith("svc_") ? "v1" : "session"].slice(1);

  const send: Client["send"] = async <Body>(
    method: string,
    path: string,
    { query, body }: RequestOptions = {},
  ) => {
    const url = new URL(path, baseUrl);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, String(value));
    const response = await fetch(url, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const { status, headers } = response;
    const text = await response.text();
    // The caller names the type, which the contract declares for each route.
    return { status, headers, body: (text === "" ? null : JSON.parse(text)) as Body };
  };

  async function request<Body>(method: string, path: string, options: RequestOptions): Promise<Body> {
    const { status, body } = await send<Body>(method, path, options);
    if (status >= 400) throw new ResponseError(`${method} ${path}`, status, body);
    return body;
  }

  const graph: Client["graph"] = (operation, input) => {
    // TypeScript cannot destructure a generic type; `id` is in the inputs of the operations on one node.
    const { id = "", ...query } = input as { id?: string };
    const path = graphPath + graphOperations[operation].path.replace(":id", encodeURIComponent(id));
    return request("GET", path, { query });
  };

  return {
    send,
    graph,
    account(route, { id = "", query, body } = {}) {
      const [method = "", path = ""] = route.split(" ", 2);
      return request(method, path.slice(1).replace(":id", encodeURIComponent(id)), { query, body });
    },
    async *items(operation, input) {
      let page = await graph(operation, input);
      for (;;) {
        yield* page.items;
        if (page.next_cursor === null) return;
        page = await graph(operation, { ...input, cursor: page.next_cursor });
      }
    },
  };
}
