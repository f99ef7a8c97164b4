import { Agent, request } from "node:http";

/** A request as sent on the wire. Only Host and Content-Length are added; nothing is normalised or encoded. */
export interface RawRequest {
  readonly method: string;
  /** The path from the host's root, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array;
}

/** A response with its body. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  /** The parsed JSON; undefined if the body is empty or not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test checks the fields that it reads
  readonly body: any;
}

/** Sends a complete request to a host. */
export type Send = (wanted: RawRequest) => Promise<RawAnswer>;

const agent = new Agent({ keepAlive: true });

/** Sends requests to the host and port of a URL, from a local address if given. Ignores the URL's path. */
export function senderTo({ hostname, port }: URL, localAddress?: string): Send {
  const from = localAddress === undefined ? {} : { localAddress };
  return ({ method, path, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
      const target = { agent, host: hostname, port, method, path, ...from };
      const outgoing = request({ ...target, headers: { ...headers, ...length } });
      outgoing.on("error", reject);
      outgoing.on("response", (incoming) => {
        const parts: Buffer[] = [];
        incoming.on("data", (part: Buffer) => parts.push(part));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const text = Buffer.concat(parts).toString();
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text,
            body: isJson(incoming.headers["content-type"]) && text !== "" ? JSON.parse(text) : undefined,
          });
        });
      });
      outgoing.end(body);
    });
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/(problem\+)?json\b/.test(contentType ?? "");
}
