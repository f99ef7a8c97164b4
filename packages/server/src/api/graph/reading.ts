import type { FastifyRequest } from "fastify";
import type { Cursors } from "../../cursor/cursors.ts";
import { type Awaitable, whenThere } from "../../model/awaitable.ts";
import type { Connection } from "../../model/connection.ts";
import type { Graphs } from "../../publication/graphs.ts";
import { currentGraphs, type ReadableGraph, readableConnections } from "../../publication/readable.ts";
import type { Database } from "../../store/database.ts";
import type { Answers, Asked } from "./answers.ts";
import { type Door, readerOf } from "./door.ts";

/** What the operations behind a door read with. */
export interface Reading {
  readonly door: Door;
  readonly database: Database;
  readonly graphs: Graphs;
  readonly cursors: Cursors;
  readonly answers: Answers;
  /** Graphs whose grants were withdrawn before then are refused, in milliseconds since the Unix epoch (SYNC-8). */
  readonly oldestWithdrawal: () => number;
  /** Milliseconds on a clock that nobody sets: what a walk may take is measured on it. */
  readonly monotonic: () => number;
}

/** The connections that the caller may read, as of now. */
export function connectionsFor(
  { door, database, oldestWithdrawal }: Reading,
  request: FastifyRequest,
): Awaitable<readonly Connection[]> {
  return readableConnections(database, readerOf(door, request), oldestWithdrawal());
}

/** The newest graphs that the caller may read, as of now. */
export function graphsFor(reading: Reading, request: FastifyRequest): Awaitable<readonly ReadableGraph[]> {
  return whenThere(connectionsFor(reading, request), (connections) =>
    currentGraphs(reading.graphs, connections),
  );
}

/** What the answer to a request follows from that is read from these graphs. */
export function askedOf(
  { door }: Reading,
  request: FastifyRequest,
  sources: readonly ReadableGraph[],
): Asked {
  return { userId: readerOf(door, request).userId, url: request.url, sources };
}
