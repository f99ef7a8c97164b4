import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../model/clock.ts";
import type { WorkspaceReader } from "../provider/port.ts";
import type { Database } from "../store/database.ts";
import type { Catalog } from "./catalog.ts";
import type { Outage } from "./outage.ts";
import type { Progress } from "./progress.ts";
import type { Publisher } from "./publisher.ts";

/** One sync of one connection, from its beginning to its end. */
export interface Run {
  readonly connectionId: number;
  /** The run's number, which the store gives to every node that the run sees. */
  readonly number: number;
  /** Pages edited at or after this time may have changed since their text was read, though the time says no. */
  readonly rereadFrom: number;
  readonly database: Database;
  readonly reader: WorkspaceReader;
  readonly catalog: Catalog;
  readonly outage: Outage;
  readonly progress: Progress;
  readonly publisher: Publisher;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
}

/** Calls to the provider that a run has under way at a time. */
export const callsAtOnce = 4;
