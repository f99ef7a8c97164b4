import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Forwards connections on a port of loopback to a server, so that a test can hold, end or redirect them. */
export interface TcpProxy {
  readonly port: number;
  /** Forwards new connections to another port of loopback. */
  redirect(port: number): void;
  /** Resolves once a client has sent this text. Everything that clients send from then on is withheld. */
  holdAt(text: string): Promise<void>;
  /** Ends all connections, as a network does that breaks. */
  cut(): void;
  close(): Promise<void>;
}

export async function openTcpProxy(targetPort: number): Promise<TcpProxy> {
  let target = targetPort;
  let hold: { readonly text: string; readonly reached: () => void } | null = null;
  let isHolding = false;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // The other end learns of it by the end of its connection.
    socket.on("error", () => {});
  };
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const socket of [client, upstream]) keep(socket);
    client.on("data", (data) => {
      if (hold !== null && data.includes(hold.text)) {
        isHolding = true;
        hold.reached();
        hold = null;
      }
      if (!isHolding) upstream.write(data);
    });
    upstream.pipe(client);
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port");
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address.port,
    redirect(port) {
      target = port;
    },
    async holdAt(text) {
      const { promise, resolve } = Promise.withResolvers<void>();
      hold = { text, reached: resolve };
      await promise;
    },
    cut,
    async close() {
      server.close();
      cut();
      await once(server, "close");
    },
  };
}
