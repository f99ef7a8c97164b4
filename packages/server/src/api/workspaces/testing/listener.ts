import { type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { SyncEvent } from "@clew/contract";
import type { Person } from "../../graph/testing/graph-server.ts";
import { type WorkspaceServer, workspace } from "./workspace-server.ts";

/** One block of a stream: an event or a comment. */
interface StreamBlock {
  readonly id?: string;
  readonly event?: string;
  readonly data?: SyncEvent;
  readonly retry?: string;
  readonly comment?: string;
}

/** A client with an open event stream. */
export interface Listening {
  readonly answer: IncomingMessage;
  /** The next block; null at the end. */
  next(): Promise<StreamBlock | null>;
  leave(): void;
}

/** Starts the server on a free port, and returns a function that opens a stream of a workspace's events. */
export async function listening({ app }: WorkspaceServer) {
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return (person: Person, headers: Readonly<Record<string, string>> = {}): Promise<Listening> =>
    new Promise((resolve, reject) => {
      const path = `/api/provider-graph/workspaces/${workspace}/events`;
      const authorization = `Bearer ${person.tokens.access}`;
      const outgoing = request({ port, path, agent: false, headers: { authorization, ...headers } });
      outgoing.once("error", reject);
      outgoing.once("response", (answer) => {
        const blocks = blocksOf(answer);
        resolve({
          answer,
          next: async () => {
            const { done, value } = await blocks.next();
            return done === true ? null : parse(value);
          },
          leave: () => outgoing.destroy(),
        });
      });
      outgoing.end();
    });
}

async function* blocksOf(answer: IncomingMessage): AsyncGenerator<string, undefined> {
  let rest = "";
  for await (const part of answer.setEncoding("utf8")) {
    const blocks = (rest + part).split("\n\n");
    rest = blocks.pop() ?? "";
    yield* blocks;
  }
}

function parse(block: string): StreamBlock {
  const fields = block.split("\n").map((line) => {
    const [name = "", ...value] = line.split(": ");
    return [name === "" ? "comment" : name, value.join(": ")] as const;
  });
  const entry = Object.fromEntries(fields);
  return entry.data === undefined ? entry : { ...entry, data: JSON.parse(entry.data) };
}
