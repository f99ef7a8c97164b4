import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../model/runtime.ts";
import type { SyncKind } from "../model/sync-report.ts";
import type { WorkspaceReader } from "../provider/port.ts";
import type { Database } from "../store/port.ts";
import type { CircuitBreaker } from "./circuit-breaker.ts";
import type { Progress } from "./progress.ts";
import type { Publisher } from "./publisher.ts";
import type { ReportCollector } from "./report.ts";
import type { SyncState } from "./state.ts";

/** One sync of one connection, or the part of it that this process makes. */
export interface SyncRun {
  readonly connectionId: number;
  readonly kind: SyncKind;
  /** The run's number, which the store gives to every node that the run sees. */
  readonly number: number;
  /** When the sync first began, which restarts do not change, in milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly database: Database;
  readonly reader: WorkspaceReader;
  readonly state: SyncState;
  readonly report: ReportCollector;
  readonly breaker: CircuitBreaker;
  readonly progress: Progress;
  readonly publisher: Publisher;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
}

/** Calls to the provider that a run has under way at a time. */
export const callsAtOnce = 4;
