import type { FastifyRequest } from "fastify";
import type { Cursors } from "../../cursor/cursors.ts";
import type { Connection } from "../../model/connection.ts";
import type { Graphs } from "../../publication/graphs.ts";
import { currentGraphs, type ReadableGraph, readableConnections } from "../../publication/readable.ts";
import type { Database } from "../../store/database.ts";
import { type Door, readerOf } from "./door.ts";

/** What the operations behind a door read with. */
export interface Reading {
  readonly door: Door;
  readonly database: Database;
  readonly graphs: Graphs;
  readonly cursors: Cursors;
  /** Milliseconds on a clock that nobody sets: what a walk may take is measured on it. */
  readonly monotonic: () => number;
}

/** The connections that the caller may read, as of now. */
export function connectionsFor(
  { door, database }: Reading,
  request: FastifyRequest,
): Promise<readonly Connection[]> {
  return readableConnections(database, readerOf(door, request));
}

/** The newest graphs that the caller may read, as of now. */
export async function graphsFor(reading: Reading, request: FastifyRequest): Promise<ReadableGraph[]> {
  return currentGraphs(reading.graphs, await connectionsFor(reading, request));
}
