import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Forwards connections on a port of loopback to a server, so that a test can hold, drop, end or redirect them. */
export interface TcpProxy {
  readonly port: number;
  /** Forwards new connections to another port of the same host. */
  redirect(port: number): void;
  /** Resolves once a client has sent this text. Everything that clients send from then on is withheld. */
  holdAt(text: string): Promise<void>;
  /** From now on nothing arrives, until `restore`. Bytes sent until then arrive afterwards, as TCP sends them again. */
  drop(): void;
  restore(): void;
  /** Ends all connections, as a network does that breaks. */
  cut(): void;
  /**
   * Breaks the next `times` connections on which a client sends something: resets them before the server sees it, or ends
   * them within the response.
   */
  breakNext(times: number, when: "before" | "within"): void;
  close(): Promise<void>;
}

export async function openTcpProxy(targetPort: number, host = "127.0.0.1"): Promise<TcpProxy> {
  let target = targetPort;
  let hold: { readonly text: string; readonly reached: () => void } | null = null;
  let isHolding = false;
  let isDropped = false;
  let toBreak: { times: number; readonly when: "before" | "within" } = { times: 0, when: "before" };
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("close", () => sockets.delete(socket));
    // The other end learns of it by the end of its connection.
    socket.on("error", () => {});
  };
  const server = createServer((client) => {
    const upstream = connect(target, host);
    for (const socket of [client, upstream]) keep(socket);
    let isBroken = false;
    client.on("data", (data) => {
      if (!isBroken && toBreak.times > 0) {
        isBroken = true;
        toBreak.times -= 1;
        if (toBreak.when === "before") return void client.resetAndDestroy();
      }
      if (hold !== null && data.includes(hold.text)) {
        isHolding = true;
        hold.reached();
        hold = null;
      }
      if (!isHolding) upstream.write(data);
    });
    upstream.on("data", (data) => {
      if (isBroken) client.end(data.subarray(0, -1));
      else client.write(data);
    });
    if (isDropped) for (const socket of [client, upstream]) socket.pause();
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
    drop() {
      isDropped = true;
      for (const socket of sockets) socket.pause();
    },
    restore() {
      isDropped = false;
      for (const socket of sockets) socket.resume();
    },
    cut,
    breakNext(times, when) {
      toBreak = { times, when };
    },
    async close() {
      server.close();
      cut();
      await once(server, "close");
    },
  };
}
