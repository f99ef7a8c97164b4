import type { NodeId } from "@clew/graph";
import type { ListedNode, NamedObject, WorkspaceReader } from "@clew/provider";
import type { GrantTokens } from "../connections/grant.ts";
import type { Log } from "../model/log.ts";
import type { Clock } from "../model/runtime.ts";
import type { FoundBy, RunKind } from "../model/sync-report.ts";
import type { Database } from "../store/port.ts";
import type { NodeLoader } from "./node-loader.ts";
import type { Progress, Publisher } from "./progress.ts";
import { type CircuitBreaker, singleFailure } from "./provider-calls.ts";
import type { ReportCollector } from "./report.ts";
import type { StateReader, SyncState } from "./state.ts";
import type { WorkQueue } from "./work-queue.ts";

/** The facts that a run needs before it calls the provider. */
export interface SyncPlan {
  readonly kind: RunKind;
  /** Of a reading of edits: those until then are known, by the provider's clock; null if it reads only what was named. */
  readonly editsSince: number | null;
  /** Pages and databases that are read by name, whatever the lists say of them. */
  readonly named: readonly NamedObject[];
  /** When the sync began, its interrupted runs included, in milliseconds since the Unix epoch. */
  readonly startedAt: number;
  /** A node that was edited before this time and is as it was then holds nothing new, by the provider's clock. */
  readonly quietBefore: number;
  /** Whether tags are nodes (SRC-4). */
  readonly tags: boolean;
  readonly tokens: GrantTokens;
}

/** Nodes, blocks or texts to a transaction: small ones let others write in between, and little is kept in memory. */
export const batchSize = 100;

/**
 * All that the steps of a run work with. A step names the parts that it uses, with `Pick` or one of the interfaces below,
 * which also tell steps that only read the store or the state from those that write.
 */
export interface SyncContext {
  readonly connectionId: number;
  readonly plan: SyncPlan;
  readonly database: Database;
  readonly reader: WorkspaceReader;
  readonly breaker: CircuitBreaker;
  readonly state: SyncState;
  readonly loader: NodeLoader;
  readonly queue: WorkQueue;
  readonly writer: NodeWriter;
  readonly report: ReportCollector;
  readonly progress: Progress;
  readonly publisher: Publisher;
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The connection's rows in the store, to read. */
export interface StoreToRead {
  readonly connectionId: number;
  readonly database: Pick<Database, "read">;
}

/** The connection's rows in the store, to read and write. */
export type StoreToWrite = Pick<SyncContext, "connectionId" | "database">;

/** The state, to read. */
export interface StateToRead {
  readonly state: StateReader;
}

/** A reader of texts that the store has. The provider is not asked. */
export interface TextsToRead {
  readonly reader: Pick<WorkspaceReader, "texts">;
}

/** Takes note of a single call that failed. */
export type Faults = Pick<SyncContext, "report" | "log" | "breaker"> & {
  readonly state: Pick<SyncState, "markUnsettled">;
};

/** A node as a listing or a look-up showed it. */
export interface ObservedNode {
  readonly node: ListedNode;
  readonly by: FoundBy;
  /** Whether a database was retrieved itself, and not one of its collections. */
  readonly isWhole?: boolean;
}

/** Takes in what the provider shows, and writes it in batches. */
export interface NodeWriter {
  /** Takes in a node. One in the trash counts as gone. */
  add(observed: ObservedNode): Promise<void>;
  /** Takes in the container of a block; null if that leads nowhere. */
  addBlock(id: string, containerId: string | null): Promise<void>;
  /** Resolves when all that was added is written. */
  flush(): Promise<void>;
  /** The nodes that were written since the last call. */
  takeWritten(): ReadonlySet<NodeId>;
}

/**
 * Notes that something could not be looked up, for the log, the report and, with an id, so that the next sync asks
 * again. `what` begins with "failed to". Throws if more than this one call failed.
 */
export function recordUnanswered(id: NodeId | null, what: string, thrown: unknown, faults: Faults): void {
  const error = singleFailure(thrown);
  if (id !== null) faults.state.markUnsettled(id);
  faults.report.unanswered(`${what}: ${error.message}`);
  faults.log.warn({ err: error, nodeId: id }, what);
  faults.breaker.failed(error);
}
