import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import Fastify from "fastify";
import {
  ConnectionGuard,
  type ConnectionLimits,
  connectionLimits,
  openFileLimit,
  registerConnectionGuard,
} from "./connection-guard.ts";

const mebibyte = 1024 * 1024;

const usual: ConnectionLimits = {
  connections: 100,
  connectionsPerAddress: 100,
  stallTimeout: 20_000,
  waitingBytes: 1024 * mebibyte,
  waitingBytesPerAddress: 1024 * mebibyte,
};

/** More bytes than the operating system buffers of an unread response. */
const large = 16 * mebibyte;

/** A client that reads only on request. */
interface Client {
  readonly socket: Socket;
  /** Bytes that arrived. */
  readonly received: number;
  ask(path: string): void;
  /** Reads until `bytes` bytes have arrived in total. */
  take(bytes: number): Promise<void>;
  /** Resolves when the server has ended the connection. */
  readonly ended: Promise<void>;
  isEnded(): boolean;
}

async function connectTo(t: TestContext, port: number, localAddress = "127.0.0.1"): Promise<Client> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  t.after(() => socket.destroy());
  let received = 0;
  let done = false;
  const ended = new Promise<void>((resolve) => {
    socket.on("error", () => {});
    socket.on("close", () => {
      done = true;
      resolve();
    });
  });
  await Promise.race([once(socket, "connect"), ended]);
  return {
    socket,
    get received() {
      return received;
    },
    ask: (path) => void socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`),
    async take(bytes) {
      while (received < bytes && !done) {
        const chunk: Buffer | null = socket.read();
        received += chunk?.length ?? 0;
        if (chunk === null) await Promise.race([once(socket, "readable"), ended]);
      }
    },
    ended,
    isEnded: () => done,
  };
}

/** A server that answers `/<bytes>` with that number of bytes, and `/wait` when the test says so. */
async function serve(
  t: TestContext,
  options: { limits?: Partial<ConnectionLimits>; isProxy?: (address?: string) => boolean } = {},
) {
  let now = 0;
  let cut = 0;
  let seen = 0;
  const waiting: ServerResponse[] = [];
  const server = createServer(({ url = "" }, response) => {
    if (url === "/wait") waiting.push(response);
    else response.end(Buffer.alloc(Number(url.slice(1))));
  });
  const guard = new ConnectionGuard(server, {
    limits: { ...usual, ...options.limits },
    monotonic: () => now,
    isProxy: options.isProxy ?? (() => false),
    onCut: (connections) => {
      cut += connections;
    },
  });
  server.on("connection", () => {
    seen += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const { port } = address;
  return {
    guard,
    waiting,
    cut: () => cut,
    /** Connects, and waits until the server has seen it. */
    async connect(localAddress?: string): Promise<Client> {
      const before = seen;
      const client = await connectTo(t, port, localAddress);
      while (seen === before) await setImmediate();
      return client;
    },
    /** Advances the clock, and sweeps the connections. */
    pass(milliseconds: number) {
      now += milliseconds;
      guard.sweep();
    },
    /** Waits until this many requests wait for their responses at the server. */
    async waits(count: number) {
      while (waiting.length < count) await setImmediate();
    },
  };
}

test("LIM-3: a client that reads none of its pending bytes for 20 s is disconnected, not earlier", async (t) => {
  const { guard, cut, connect, pass } = await serve(t);
  const client = await connect();
  client.ask(`/${2 * large}`);
  await client.take(1);
  pass(0);
  pass(19_999);
  assert.equal(guard.open, 1);
  // Bytes in the operating system's buffers may still have moved until now.
  while (guard.open > 0) {
    pass(10_000);
    await setImmediate();
  }
  await client.take(2 * large);
  assert.ok(client.isEnded() && client.received < 2 * large);
  assert.equal(cut(), 1);
});

test("LIM-3: a client that reads its response slowly is kept", async (t) => {
  const { connect, pass, guard } = await serve(t);
  const client = await connect();
  client.ask(`/${6 * large}`);
  for (let part = 1; part <= 5; part += 1) {
    await client.take(part * large);
    pass(19_000);
    assert.equal(guard.open, 1);
  }
  await client.take(6 * large);
  assert.ok(client.received >= 6 * large);
});

test("LIM-3: an idle stream and a client that waits for its response are kept", async (t) => {
  const { connect, pass, guard, waiting, waits } = await serve(t);
  const [stream, waiter] = [await connect(), await connect()];
  stream.ask("/wait");
  waiter.ask("/wait");
  await waits(2);
  for (const response of waiting) response.write("x");
  await Promise.all([stream.take(1), waiter.take(1)]);
  for (let minute = 0; minute < 60; minute += 1) pass(60_000);
  assert.equal(guard.open, 2);
});

test("LIM-3: the longest idle connection of an address is closed for a new one", async (t) => {
  const { connect, pass, guard } = await serve(t, { limits: { connectionsPerAddress: 2 } });
  const [first, second] = [await connect(), await connect()];
  pass(1000);
  first.ask("/10");
  await first.take(1);
  const third = await connect();
  await second.ended;
  assert.deepEqual([first.isEnded(), third.isEnded(), guard.open], [false, false, 2]);
  // Other addresses have limits of their own.
  const elsewhere = await connect("127.0.0.2");
  elsewhere.ask("/10");
  await elsewhere.take(1);
  assert.equal(guard.open, 3);
});

test("LIM-3: without an idle connection the new one is dropped, also if all others wait for Clew", async (t) => {
  const { connect, pass, guard, waits } = await serve(t, { limits: { connectionsPerAddress: 2 } });
  const busy = [await connect(), await connect()];
  await (await connect()).ended;
  for (const client of busy) client.ask("/wait");
  await waits(2);
  pass(60_000);
  await (await connect()).ended;
  assert.deepEqual([guard.open, ...busy.map((client) => client.isEnded())], [2, false, false]);
});

test("LIM-3: a client that withholds the rest of its request is closed for a new one", async (t) => {
  const { connect, pass, waits } = await serve(t, { limits: { connectionsPerAddress: 1 } });
  const held = await connect();
  held.socket.write("POST /wait HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345");
  await waits(1);
  pass(1000);
  const next = await connect();
  await held.ended;
  next.ask("/10");
  await next.take(1);
});

test("LIM-3: the total of connections is limited, and a proxy is subject to that limit only", async (t) => {
  const { connect, pass, guard } = await serve(t, {
    limits: { connections: 4, connectionsPerAddress: 1 },
    isProxy: (address) => address === "127.0.0.1",
  });
  const clients = [await connect(), await connect(), await connect(), await connect("127.0.0.2")];
  assert.equal(guard.open, 4);
  pass(1000);
  await connect("127.0.0.3");
  await clients[0]?.ended;
  assert.equal(guard.open, 4);
});

test("LIM-3: if unread responses fill the memory, clients that read nothing lately are disconnected", async (t) => {
  const { connect, pass, guard } = await serve(t, { limits: { waitingBytes: 3 * large } });
  const clients = [await connect(), await connect(), await connect(), await connect()];
  for (const client of clients) {
    client.ask(`/${2 * large}`);
    await client.take(1);
  }
  while (guard.open > 1) {
    pass(0);
    await setImmediate();
  }
  pass(1000);
  assert.equal(guard.open, 1);
});

const pipelined = (path: string, count: number) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(count);

test("LIM-3: four pipelined requests are handled one after the other", async (t) => {
  const { connect, guard, waits, waiting } = await serve(t);
  const client = await connect();
  client.socket.write(pipelined("/wait", 4));
  for (let answered = 0; answered < 4; answered += 1) {
    await waits(answered + 1);
    assert.equal(waiting.length, answered + 1);
    waiting[answered]?.end("x");
  }
  await client.take(4);
  assert.equal(guard.open, 1);
});

test("LIM-3: a client that sends a fifth request before it has a response is disconnected, and no more are handled", async (t) => {
  const { connect, guard, waits, waiting, cut, pass } = await serve(t);
  const client = await connect();
  client.socket.write(pipelined("/wait", 1000));
  await client.ended;
  await waits(1);
  pass(0);
  assert.deepEqual([guard.open, waiting.length, cut()], [0, 1, 1]);
});

test("LIM-3: requests behind a response that closes the connection are not handled", async (t) => {
  const { connect, waits, waiting } = await serve(t);
  const client = await connect();
  client.socket.resume().write(pipelined("/wait", 4));
  await waits(1);
  waiting[0]?.setHeader("connection", "close").end("x");
  await client.ended;
  assert.equal(waiting.length, 1);
});

test("LIM-3: an address with too many pending bytes is refused large responses with an error", async (t) => {
  const app = Fastify();
  registerConnectionGuard(app, {
    limits: { ...usual, waitingBytesPerAddress: large },
    monotonic: () => 0,
    isProxy: () => false,
    onCut: () => {},
  });
  app.setErrorHandler((error, _request, reply) =>
    reply.code(503).send(error instanceof Error ? error.message : ""),
  );
  app.get("/:bytes", async (request) => Buffer.alloc(Number((request.params as { bytes: string }).bytes)));
  t.after(() => app.close());
  const port = Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
  const ask = async (bytes: number, localAddress?: string) => {
    const client = await connectTo(t, port, localAddress);
    client.ask(`/${bytes}`);
    await once(client.socket, "readable");
    return { client, status: String(client.socket.read(12)) };
  };
  const first = await ask(3 * large);
  assert.equal(first.status, "HTTP/1.1 200");
  assert.equal((await ask(100_000)).status, "HTTP/1.1 503");
  assert.equal((await ask(1000)).status, "HTTP/1.1 200");
  assert.equal((await ask(100_000, "127.0.0.2")).status, "HTTP/1.1 200");
  await first.client.take(3 * large);
  assert.equal((await ask(100_000)).status, "HTTP/1.1 200");
});

test("LIM-3: the limits leave open files for the process, and connections for other addresses", () => {
  assert.ok(openFileLimit() > 0);
  for (const [openFiles, connections] of [
    [64, 16],
    [256, 160],
    [1024, 768],
    [1_048_576, 10_000],
    [Number.POSITIVE_INFINITY, 10_000],
  ] as const) {
    const limits = connectionLimits(openFiles);
    assert.deepEqual([limits.connections, limits.connectionsPerAddress], [connections, connections / 4]);
  }
});
