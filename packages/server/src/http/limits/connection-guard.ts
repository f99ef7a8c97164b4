import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../../model/api-error.ts";
import { addressKey } from "./rate-limits.ts";
import { takenBytesOf } from "./taken-bytes.ts";

/** Files that the database, calls to the provider and Node itself need to have open. */
const reservedFiles = 96;

/** Limits the memory of connections. */
const maxConnections = 10_000;

const mebibyte = 1024 * 1024;

let fileLimit: number | undefined;

/** The number of files that this process may have open. */
export function openFileLimit(): number {
  fileLimit ??= readOpenFileLimit();
  return fileLimit;
}

function readOpenFileLimit(): number {
  // The network part of the report would look up the host name of every connection.
  const report = Object.assign(process.report, { excludeNetwork: true });
  // The type of a report is `object`; the limits in it are those of `ulimit`, or absent on Windows.
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const limit = Number(userLimits?.open_files?.soft);
  return Number.isFinite(limit) ? limit : Number.POSITIVE_INFINITY;
}

/**
 * Limits of what clients may occupy (LIM-3) under a limit of open files: a quarter of the files, at least 96, is reserved
 * for everything else. One address may have a quarter of the connections.
 */
export function connectionLimits(openFiles: number) {
  const reserved = Math.max(reservedFiles, openFiles / 4);
  const free = Number.isFinite(openFiles) ? Math.floor(openFiles - reserved) : maxConnections;
  const connections = Math.max(16, Math.min(maxConnections, free));
  return {
    /** Connections at a time, of all addresses and of one. */
    connections,
    connectionsPerAddress: connections / 4,
    /** Milliseconds within which a client must read some of its waiting bytes. */
    stallTimeout: 20_000,
    /** Bytes of responses that may wait in memory, for all addresses and for one. */
    waitingBytes: 256 * mebibyte,
    waitingBytesPerAddress: 64 * mebibyte,
  };
}

export type ConnectionLimits = Readonly<ReturnType<typeof connectionLimits>>;

interface Options {
  readonly limits: ConnectionLimits;
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number;
  /** Whether an address is that of a proxy, which has the connections of many clients. */
  readonly isProxy: (address: string | undefined) => boolean;
  /** Called with the number of connections that were closed since the last call. */
  readonly onCut: (connections: number) => void;
}

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** The open connections of its address; null for a proxy, which has those of many clients. */
  readonly peers: Set<Connection> | null;
  /** The pending responses, in the order of their requests. Only the first request is being handled. */
  readonly responses: Map<ServerResponse, IncomingMessage>;
  /** The last time that it opened, began a request, read bytes or got a complete response. */
  lastActiveAt: number;
  /** Bytes that it had read at the last sweep. */
  takenBytes: number;
  /** The time since which the client has read none of its waiting bytes; null if it is not stalled. */
  stalledSince: number | null;
}

/** The milliseconds of inactivity after which a connection may be closed for a new one. */
const minInactiveMs = 1000;

/** The size in bytes up to which responses are always written, so that errors and health checks get through. */
const alwaysWrittenBytes = 16 * 1024;

/** Requests that a client may send on one connection before it has their responses. */
const maxPipelinedRequests = 4;

/**
 * Prevents clients from occupying more than their share. Takes over the server's request listeners, so that those of a
 * connection are handled one after the other: a request after a response that closes the connection is parsed, but not
 * handled. Keeps slow clients that read some bytes, and those that wait for Clew. If there are too many connections, the one
 * that was inactive longest is closed for a new one, or the new one is if all others are active.
 */
export class ConnectionGuard {
  readonly #server: Server;
  readonly #handlers: readonly RequestListener[];
  readonly #options: Options;
  readonly #open = new Map<Socket, Connection>();
  readonly #byAddress = new Map<string, Set<Connection>>();
  /** Connections that were closed since the last sweep. */
  #cut = 0;

  constructor(server: Server, options: Options) {
    this.#server = server;
    this.#options = options;
    // The type of a server's listeners does not depend on their event.
    this.#handlers = server.listeners("request") as RequestListener[];
    server.removeAllListeners("request");
    server.on("connection", (socket: Socket) => this.#admit(socket));
    server.on("request", (request, response) => this.#queue(request, response));
  }

  /** The number of open connections. */
  get open(): number {
    return this.#open.size;
  }

  /** Whether `bytes` more may be buffered for a connection. */
  hasRoom(socket: Socket, bytes: number): boolean {
    const peers = this.#open.get(socket)?.peers ?? null;
    if (bytes <= alwaysWrittenBytes || peers === null) return true;
    let waiting = 0;
    for (const connection of peers) waiting += waitingBytesOf(connection);
    return waiting === 0 || waiting + bytes <= this.#options.limits.waitingBytesPerAddress;
  }

  /** Checks every connection, and closes those that occupy too much. */
  sweep(): void {
    const { limits, monotonic, onCut } = this.#options;
    const now = monotonic();
    let waiting = 0;
    const stalled: Connection[] = [];
    for (const connection of [...this.#open.values()]) {
      const bytes = check(connection, now);
      const { stalledSince } = connection;
      if (stalledSince !== null && now - stalledSince >= limits.stallTimeout) {
        this.#cutOff(connection);
        continue;
      }
      waiting += bytes;
      if (stalledSince !== null) stalled.push(connection);
    }
    // If memory runs short, stalled clients do not get their full time.
    stalled.sort((a, b) => a.lastActiveAt - b.lastActiveAt);
    for (const connection of stalled) {
      if (waiting <= limits.waitingBytes) break;
      waiting -= waitingBytesOf(connection);
      this.#cutOff(connection);
    }
    if (this.#cut > 0) onCut(this.#cut);
    this.#cut = 0;
  }

  /** Takes a new connection, and closes one if there are now too many. */
  #admit(socket: Socket): void {
    const { limits, monotonic, isProxy } = this.#options;
    const address = addressKey(socket.remoteAddress ?? "");
    const peers = isProxy(socket.remoteAddress) ? null : (this.#byAddress.get(address) ?? new Set());
    const connection: Connection = {
      socket,
      address,
      peers,
      responses: new Map(),
      lastActiveAt: monotonic(),
      takenBytes: 0,
      stalledSince: null,
    };
    this.#open.set(socket, connection);
    if (peers !== null) this.#byAddress.set(address, peers.add(connection));
    socket.once("close", () => this.#forget(connection));
    if (peers !== null && peers.size > limits.connectionsPerAddress) this.#makeRoom(peers, connection);
    if (this.#open.size > limits.connections) this.#makeRoom(this.#open.values(), connection);
  }

  /** Closes the connection that was inactive longest, or the new one if there is none. */
  #makeRoom(connections: Iterable<Connection>, newest: Connection): void {
    let longest = newest;
    const latest = this.#options.monotonic() - minInactiveMs;
    for (const connection of connections) {
      const { lastActiveAt } = connection;
      const isLonger = lastActiveAt <= latest && lastActiveAt < longest.lastActiveAt;
      if (isLonger && !waitsForServer(connection)) longest = connection;
    }
    this.#cutOff(longest);
  }

  #cutOff(connection: Connection): void {
    this.#cut += 1;
    this.#forget(connection);
    connection.socket.destroy();
  }

  #forget(connection: Connection): void {
    const { socket, address, peers } = connection;
    if (!this.#open.delete(socket) || peers === null) return;
    peers.delete(connection);
    if (peers.size === 0) this.#byAddress.delete(address);
  }

  /** Handles a request once those before it on its connection have their responses. */
  #queue(request: IncomingMessage, response: ServerResponse): void {
    const { monotonic } = this.#options;
    const connection = this.#open.get(request.socket);
    // Node parses all requests of a chunk, also after the connection has been closed.
    if (connection === undefined || !request.socket.writable) return;
    const { responses } = connection;
    connection.lastActiveAt = monotonic();
    responses.set(response, request);
    response.once("close", () => {
      responses.delete(response);
      connection.lastActiveAt = monotonic();
      this.#handleNext(connection);
    });
    if (responses.size > maxPipelinedRequests) this.#cutOff(connection);
    else if (responses.size === 1) this.#handleNext(connection);
  }

  /** Handles the first pending request of a connection that can still be answered. */
  #handleNext({ socket, responses }: Connection): void {
    if (!this.#open.has(socket) || !socket.writable) return;
    const [next] = responses;
    if (next === undefined) return;
    const [response, request] = next;
    for (const handle of this.#handlers) handle.call(this.#server, request, response);
  }
}

const sweepIntervalMs = 1000;

/** Guards the connections of an app while it runs, and limits its responses. */
export function registerConnectionGuard(app: FastifyInstance, options: Options): ConnectionGuard {
  const guard = new ConnectionGuard(app.server, options);
  const timer = setInterval(() => guard.sweep(), sweepIntervalMs).unref();
  app.addHook("onClose", async () => clearInterval(timer));
  limitResponses(app, guard);
  return guard;
}

/**
 * Refuses responses that exceed the limits of a guard (503), which may be that of another app. Streams are written as they are
 * read, and are exempt.
 */
export function limitResponses(app: FastifyInstance, guard: ConnectionGuard): void {
  app.addHook("onSend", (request, _reply, payload, done) => {
    if (typeof payload !== "string" && !Buffer.isBuffer(payload)) return done();
    // Encoded once, here: otherwise Fastify would measure a text, and Node encode it, once more.
    const body = typeof payload === "string" && payload.length > 0 ? Buffer.from(payload) : payload;
    if (guard.hasRoom(request.raw.socket, body.length)) return done(null, body);
    done(
      new ApiError("unavailable", "Too many responses wait to be read by this address. Read them first.", {
        headers: { "retry-after": "1" },
      }),
    );
  });
}

/** Whether the client has sent a complete request and read its response so far. */
function waitsForServer({ socket, responses }: Connection): boolean {
  return socket.writableLength === 0 && [...responses.values()].some(({ complete }) => complete);
}

/** Bytes of responses that a client has not read, including those after the first response. */
function waitingBytesOf({ socket, responses }: Connection): number {
  let bytes = socket.writableLength;
  for (const response of responses.keys()) if (response.socket === null) bytes += response.writableLength;
  return bytes;
}

/** Records what a connection has read since the last sweep. Returns the bytes that still wait for it. */
function check(connection: Connection, now: number): number {
  const waiting = waitingBytesOf(connection);
  const taken = takenBytesOf(connection.socket);
  const isActive = taken !== connection.takenBytes;
  if (isActive) connection.lastActiveAt = now;
  if (waiting === 0 || isActive) connection.stalledSince = null;
  else connection.stalledSince ??= now;
  connection.takenBytes = taken;
  return waiting;
}
