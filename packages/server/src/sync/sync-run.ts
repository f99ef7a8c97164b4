import type { NodeId } from "@clew/graph";
import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../model/runtime.ts";
import type { FoundBy } from "../model/sync-report.ts";
import type { ListedNode, WorkspaceReader } from "../provider/port.ts";
import type { Database } from "../store/port.ts";
import type { Progress, Publisher } from "./progress.ts";
import { type CircuitBreaker, singleFailure } from "./provider-calls.ts";
import type { ReportCollector } from "./report.ts";
import type { SyncState } from "./state.ts";
import type { SyncPlan } from "./steps/plan.ts";
import type { WorkQueue } from "./work-queue.ts";

/** Nodes, blocks or texts to a transaction: small ones let others write in between, and little is kept in memory. */
export const batchSize = 100;

/** What every step of a run works with. */
export interface SyncContext {
  readonly connectionId: number;
  readonly plan: SyncPlan;
  readonly database: Database;
  readonly reader: WorkspaceReader;
  readonly breaker: CircuitBreaker;
  readonly state: SyncState;
  readonly queue: WorkQueue;
  readonly report: ReportCollector;
  readonly progress: Progress;
  readonly publisher: Publisher;
  readonly log: FastifyBaseLogger;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A node as a listing or a look-up showed it. */
export interface ObservedNode {
  readonly node: ListedNode;
  readonly by: FoundBy;
  /** Whether a database was retrieved itself, and not one of its data sources. */
  readonly isWhole?: boolean;
}

/** Takes in what the provider shows, and writes it in batches. */
export interface NodeWriter {
  /** Takes in a node. One in the trash counts as gone. */
  add(observed: ObservedNode): Promise<void>;
  /** Takes in the container of a block; null where that leads nowhere. */
  addBlock(id: string, containerId: string | null): Promise<void>;
  /** Resolves when all that was added is written. */
  flush(): Promise<void>;
  /** The nodes that were written since the last call. */
  takeWritten(): ReadonlySet<NodeId>;
}

/** One run of a sync: all of it, or the part of it that one process makes before another one resumes it. */
export interface SyncRun extends SyncContext {
  readonly writer: NodeWriter;
}

/**
 * Notes that something could not be looked up, for the log, the report and, with an id, so that the next sync asks
 * again. `what` begins with "failed to". Throws if more than this one call failed.
 */
export function recordUnanswered(id: NodeId | null, what: string, thrown: unknown, run: SyncContext): void {
  const error = singleFailure(thrown);
  if (id !== null) run.state.unsettled(id);
  run.report.unanswered(`${what}: ${error.message}`);
  run.log.warn({ err: error, nodeId: id }, what);
  run.breaker.failed(error);
}
