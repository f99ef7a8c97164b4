import { Agent, request } from "node:http";

/** A request as it goes over the wire: nothing is normalised, encoded or added, but for Host and the body's length. */
export interface RawRequest {
  readonly method: string;
  /** From the host's root on, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array;
}

/** An answer with its body read. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  /** The text read as JSON; undefined where it is empty or something else. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects by looking
  readonly body: any;
}

/** Sends a request that is written out in full to a host. */
export type Send = (wanted: RawRequest) => Promise<RawAnswer>;

const agent = new Agent({ keepAlive: true });

/** Sends requests to the host and port of a URL; its path counts for nothing. */
export function senderTo({ hostname, port }: URL): Send {
  return ({ method, path, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
      const target = { agent, host: hostname, port, method, path };
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
