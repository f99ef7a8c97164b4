import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";

/** A request without its last bytes. It is in flight until they are sent. */
export interface HeldBack {
  /** Sends the rest, and resolves with the response. */
  finish(): Promise<{ status: number; body: string }>;
}

interface HeldRequest {
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  readonly body?: string;
  /** The number of bytes that are held back. */
  readonly heldBytes?: number;
}

/**
 * Sends a request to the Clew at this port without its last bytes: those of the body, or of the headers without a body.
 * Resolves when Clew has accepted the connection.
 */
export async function holdBack(
  port: number,
  { method, path, token, body = "", heldBytes = 2 }: HeldRequest,
): Promise<HeldBack> {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  // Waiting for the response reports errors. Servers may close connections with unfinished requests.
  socket.on("error", () => {});
  await once(socket, "connect");
  await answerOf(socket, "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n");
  const headers = [
    `${method} ${path} HTTP/1.1`,
    "host: localhost",
    "connection: close",
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...(body === "" ? [] : ["content-type: application/json", `content-length: ${Buffer.byteLength(body)}`]),
  ];
  const request = `${headers.join("\r\n")}\r\n\r\n${body}`;
  socket.write(request.slice(0, -heldBytes));
  return {
    async finish() {
      socket.write(request.slice(-heldBytes));
      const [head = "", ...rest] = (await text(socket)).split("\r\n\r\n");
      return { status: Number(head.split(" ")[1]), body: rest.join("\r\n\r\n") };
    },
  };
}

/** One complete exchange on a connection that stays open, which proves that the server has accepted it. */
async function answerOf(socket: Socket, request: string): Promise<void> {
  socket.write(request);
  await once(socket, "data");
}
