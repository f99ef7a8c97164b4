import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../../model/api-error.ts";
import { addressKey } from "./address-key.ts";

/** What clients may hold (LIM-3). */
export interface ConnectionLimits {
  /** Connections at a time. */
  readonly connections: number;
  /** Connections of one address at a time. */
  readonly connectionsPerAddress: number;
  /** Milliseconds within which a client takes some of the bytes that are left for it to take. */
  readonly stallTimeout: number;
  /** Bytes of answers that wait in memory to be taken. */
  readonly waitingBytes: number;
  /** Bytes of answers that wait to be taken by one address. */
  readonly waitingBytesPerAddress: number;
}

interface Options {
  readonly limits: ConnectionLimits;
  /** A clock that only goes forward, in milliseconds. */
  readonly monotonic: () => number;
  /** Whether an address is a proxy's, which has the connections of many clients. */
  readonly isProxy: (address: string | undefined) => boolean;
  /** Is told how many connections were cut off since it was told last. */
  readonly onCut: (connections: number) => void;
}

/** Watches the connections of a server. */
export interface ConnectionGuard {
  /** How many connections are open. */
  readonly open: number;
  /** Whether there is room for so many more bytes that a connection's client must take. */
  hasRoom(socket: Socket, bytes: number): boolean;
  /** Looks at every connection once, and cuts off those that are to be cut off. */
  sweep(): void;
}

interface Connection {
  readonly socket: Socket;
  readonly address: AddressConnections;
  /** The answers that are owed, in the order of their requests. */
  readonly answers: Map<ServerResponse, IncomingMessage>;
  /** When it began, began a request, took bytes or had an answer whole, whichever was last. */
  movedAt: number;
  /** Bytes that it had taken when it was looked at last. */
  taken: number;
  /** Since when it has bytes left to take and takes none. */
  stalledSince: number | null;
}

/** The connections of one address, the one that has been quiet longest first. */
interface AddressConnections {
  readonly key: string;
  readonly isProxy: boolean;
  readonly open: Set<Connection>;
}

/** A connection that did nothing for so many milliseconds gives way to a new one. */
const quietAfter = 1000;

/** Answers of so few bytes are written whatever waits: what is wrong must be told, and health must be seen. */
const alwaysWritten = 16 * 1024;

/** Requests that a client may send on one connection before it has their answers. */
const maximumPipelined = 32;

/**
 * Keeps clients from holding more than their share. A client that is slow but takes something is left alone, and so is
 * one for which nothing is left to take: it waits for Clew. Where there are too many connections, the one that has been
 * quiet longest makes room for a new one, or the new one is dropped.
 */
export function guardConnections(
  server: Server,
  { limits, monotonic, isProxy, onCut }: Options,
): ConnectionGuard {
  const open = new Map<Socket, Connection>();
  const byQuiet = new Set<Connection>();
  const addresses = new Map<string, AddressConnections>();
  let cut = 0;

  function addressOf(socket: Socket): AddressConnections {
    const key = addressKey(socket.remoteAddress ?? "");
    const known = addresses.get(key) ?? { key, isProxy: isProxy(socket.remoteAddress), open: new Set() };
    addresses.set(key, known);
    return known;
  }

  function move(connection: Connection): void {
    connection.movedAt = monotonic();
    for (const order of [byQuiet, connection.address.open]) {
      order.delete(connection);
      order.add(connection);
    }
  }

  function forget(connection: Connection): void {
    const { socket, address } = connection;
    if (!open.delete(socket)) return;
    byQuiet.delete(connection);
    address.open.delete(connection);
    if (address.open.size === 0) addresses.delete(address.key);
  }

  function cutOff(connection: Connection): void {
    cut += 1;
    forget(connection);
    connection.socket.destroy();
  }

  /** Cuts off the connection that has been quiet longest; the newcomer where all others are busy. */
  function makeRoom(order: ReadonlySet<Connection>, newcomer: Connection): void {
    const now = monotonic();
    for (const connection of order) {
      if (now - connection.movedAt < quietAfter) break;
      if (waitsForServer(connection)) continue;
      cutOff(connection);
      return;
    }
    cutOff(newcomer);
  }

  server.on("connection", (socket: Socket) => {
    const address = addressOf(socket);
    const answers = new Map<ServerResponse, IncomingMessage>();
    const connection = { socket, address, answers, movedAt: 0, taken: 0, stalledSince: null };
    open.set(socket, connection);
    move(connection);
    socket.once("close", () => forget(connection));
    if (!address.isProxy && address.open.size > limits.connectionsPerAddress)
      makeRoom(address.open, connection);
    if (open.size > limits.connections) makeRoom(byQuiet, connection);
  });

  // Before the handler, which may answer at once.
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(request.socket);
    if (connection === undefined) return;
    move(connection);
    connection.answers.set(response, request);
    response.once("close", () => {
      connection.answers.delete(response);
      if (open.has(request.socket)) move(connection);
    });
    if (connection.answers.size > maximumPipelined) cutOff(connection);
  });

  /** Looks at one connection, and says how many bytes are left for it to take. */
  function look(connection: Connection): number {
    const left = bytesLeft(connection);
    const taken = bytesTaken(connection.socket);
    if (taken !== connection.taken) move(connection);
    if (left === 0 || taken !== connection.taken) connection.stalledSince = null;
    else connection.stalledSince ??= monotonic();
    connection.taken = taken;
    return left;
  }

  return {
    get open() {
      return open.size;
    },

    hasRoom(socket, bytes) {
      const address = open.get(socket)?.address;
      if (address === undefined || address.isProxy || bytes <= alwaysWritten) return true;
      let left = 0;
      for (const connection of address.open) left += bytesLeft(connection);
      return left === 0 || left + bytes <= limits.waitingBytesPerAddress;
    },

    sweep() {
      const now = monotonic();
      let waiting = 0;
      for (const connection of [...byQuiet]) {
        const left = look(connection);
        const { stalledSince } = connection;
        if (stalledSince !== null && now - stalledSince >= limits.stallTimeout) cutOff(connection);
        else waiting += left;
      }
      // Where memory runs short, nobody has twenty seconds.
      for (const connection of [...byQuiet]) {
        if (waiting <= limits.waitingBytes) break;
        if (connection.stalledSince === null) continue;
        waiting -= bytesLeft(connection);
        cutOff(connection);
      }
      if (cut > 0) onCut(cut);
      cut = 0;
    },
  };
}

/** How often every connection is looked at, in milliseconds. */
const sweepInterval = 1000;

/**
 * Guards the connections of an app for as long as it is open, and refuses answers for which there is no room (503).
 * Streams are written as they are taken, and need none.
 */
export function registerConnectionGuard(app: FastifyInstance, options: Options): void {
  const guard = guardConnections(app.server, options);
  const timer = setInterval(guard.sweep, sweepInterval).unref();
  app.addHook("onClose", async () => clearInterval(timer));
  app.addHook("onSend", (request, _reply, payload, done) => {
    const isWhole = typeof payload === "string" || Buffer.isBuffer(payload);
    if (!isWhole || guard.hasRoom(request.raw.socket, Buffer.byteLength(payload))) return done();
    done(
      new ApiError("unavailable", "Too many answers wait to be read by this address. Read them first.", {
        headers: { "retry-after": "1" },
      }),
    );
  });
}

/** Whether the client has sent a whole request and taken all that there is of its answer. */
function waitsForServer({ socket, answers }: Connection): boolean {
  return socket.writableLength === 0 && [...answers.values()].some(({ complete }) => complete);
}

/** Bytes of answers that wait for a client to take them, those behind the first answer included. */
function bytesLeft({ socket, answers }: Connection): number {
  let bytes = socket.writableLength;
  for (const answer of answers.keys()) if (answer.socket === null) bytes += answer.writableLength;
  return bytes;
}

/** What Node knows of a connection and shows nowhere else: its own socket timeout counts with the same figures. */
interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/** Bytes that the operating system has taken from a connection: it takes more once the client takes some. */
function bytesTaken(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { readonly _handle?: Handle | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}
