import type { SyncOutcome } from "@clew/contract";
import type { Provider } from "@clew/provider";
import type { Graphs } from "../../graphs/graphs.ts";
import type { AllowList } from "../../model/allow-list.ts";
import type { Log } from "../../model/log.ts";
import type { Clock } from "../../model/runtime.ts";
import type { RunKind } from "../../model/sync-report.ts";
import type { TakeTurn } from "../../model/turns.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import type { Database } from "../../store/port.ts";
import type { SyncContext, SyncPlan } from "../context.ts";
import { type Claim, fenced } from "../jobs/lease.ts";
import { createNodeLoader } from "../node-loader.ts";
import { createProgress, createPublisher } from "../progress.ts";
import { CircuitBreaker } from "../provider-calls.ts";
import { createReport } from "../report.ts";
import { SyncState } from "../state.ts";
import { limited, type StorageLimits } from "../storage-limits.ts";
import { WorkQueue } from "../work-queue.ts";
import { createNodeWriter } from "./write-nodes.ts";

/** A sync that has ended; `withdrawn` if the provider no longer accepts the grant, whose owner has to sign in again. */
export interface EndedSync {
  readonly kind: RunKind;
  readonly outcome: SyncOutcome | "withdrawn";
}

export interface SyncServices {
  readonly database: Database;
  /** The source of the connection. */
  readonly provider: Provider;
  readonly secrets: Secrets;
  /** Who may use Clew: other people's workspaces are not read (SIGN-10). */
  readonly allowed: AllowList;
  readonly graphs: Pick<Graphs, "publish">;
  /** How much may be stored; no limits when left out. */
  readonly storage?: StorageLimits | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds from a first sync to a full one, for what the provider's search did not list yet; null for none. */
  readonly secondLookAfter: number | null;
  /** Whether edits are looked for between whole listings (SYNC-11), and read again soon if they may hide others. */
  readonly looks: boolean;
  /** Called when a sync has ended and its outcome is stored. */
  readonly onEnded?: ((sync: EndedSync) => void) | undefined;
  /** Bounds the writes under way, of all syncs together. */
  readonly takeTurn: TakeTurn;
  /** Called with the estimated bytes that the sync holds. */
  readonly onHeld: (bytes: number) => void;
}

/** Opens what the steps of a run work with. `services.database` is a `writableDatabase`. */
export function openContext(
  connectionId: number,
  plan: SyncPlan,
  services: SyncServices,
  signal: AbortSignal,
): SyncContext {
  const { provider, graphs, clock, log } = services;
  const { kind, tags, tokens } = plan;
  const state = new SyncState();
  const database = inTurns(services, state);
  const progress = createProgress(database, connectionId, clock);
  const withoutWriter: Omit<SyncContext, "writer"> = {
    connectionId,
    plan,
    database,
    reader: provider.reader(tokens.accessToken, { signal, tags, onWait: progress.wait }),
    breaker: new CircuitBreaker(),
    state,
    loader: createNodeLoader({ connectionId, database, state }),
    queue: new WorkQueue(state, kind),
    report: createReport(connectionId),
    progress,
    publisher: createPublisher(graphs, connectionId, clock),
    log: log.child({ connectionId }),
    clock,
    signal,
  };
  return { ...withoutWriter, writer: createNodeWriter(withoutWriter) };
}

/** The database, as long as this worker has the job and the connection keeps to its storage limits. */
export function writableDatabase(claim: Claim, { database, storage }: SyncServices): Database {
  const writable = fenced(database, claim);
  return storage === undefined ? writable : limited(writable, claim.connectionId, storage);
}

/** The database, with writes that take turns with those of other syncs and report the memory that the run holds. */
function inTurns({ database, takeTurn, onHeld }: SyncServices, state: SyncState): Database {
  return {
    ...database,
    transaction: async (work) => {
      const result = await takeTurn(state, () => database.transaction(work));
      onHeld(state.heldBytes());
      return result;
    },
  };
}
