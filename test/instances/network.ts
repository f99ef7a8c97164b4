import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The network between one instance and the database. */
export interface Network {
  /** The database's URL by way of this network. */
  readonly url: string;
  /** From now on nothing arrives, until `restore`. What was sent meanwhile arrives then, as TCP sends it again. */
  drop(): void;
  restore(): void;
  close(): Promise<void>;
}

export async function openNetwork(databaseUrl: string): Promise<Network> {
  const database = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isDropped = false;
  const server = createServer((near) => {
    const far = connect({ host: database.hostname, port: Number(database.port) });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on("data", (data) => void to.write(data));
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      if (isDropped) from.pause();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const near = new URL(databaseUrl);
  near.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: near.href,
    drop() {
      isDropped = true;
      for (const socket of sockets) socket.pause();
    },
    restore() {
      isDropped = false;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
