import { Thread } from "@clew/threads";
import { callbackUrl, codeUrl } from "../auth/sign-in/redirect.ts";
import type { Config } from "../config/config.ts";
import { type SyncRequest, type Syncs, storedSyncs } from "../connections/request-sync.ts";
import type { Graphs } from "../graphs/graphs.ts";
import type { DatabaseLocation } from "../model/database-location.ts";
import type { ServedFolder } from "../model/folders.ts";
import type { Log } from "../model/log.ts";
import { parsePostgresUrl, shareConnections } from "../model/postgres-address.ts";
import type { Clock, Sleep } from "../model/runtime.ts";
import type { DemoClient, DemoRequest, OpenDemo, SourceSettings } from "../providers/connect-provider.ts";
import type { ProviderCall } from "../providers/timed-fetch.ts";
import type { Database } from "../store/port.ts";
import { type Background, repeat } from "../sync/jobs/repeat.ts";
import type { LookOutcome } from "../sync/looks/looks.ts";
import type { EndedSync } from "../sync/steps/open-context.ts";
import type { ReadLists } from "../sync/waiting-edits.ts";
import { errorsOf } from "../threads/errors.ts";
import type { RunnableSyncs } from "./sync-role.ts";

/** The settings that the sync thread needs, as they can be sent to it. */
export interface SyncThreadData
  extends Pick<
    Config,
    | "databaseLocation"
    | "dataDir"
    | "encryptionKey"
    | "allowed"
    | "syncInterval"
    | "connectionQuota"
    | "withdrawnDays"
    | "databaseCopyDays"
    | "logLevel"
  > {
  readonly sources: SourceSettings;
  /** Of the API of the connected provider. */
  readonly apiUrl: string;
  /** The client of the demo workspace, which the main thread has; null without it. */
  readonly demo: DemoClient | null;
  /** Whether calls to the provider and waits for the database are measured. */
  readonly measures: boolean;
  /** Connections to PostgreSQL that the thread may open; null for a file. */
  readonly maxConnections: number | null;
}

/** The sources of the settings, as they can be sent to a thread. */
export function sourceSettings(
  { provider: { token, app }, foldersAskForCode, dataDir, publicUrl }: Config,
  folders: readonly ServedFolder[],
): SourceSettings {
  const urls = { codeUrl: codeUrl(publicUrl), callbackUrl: callbackUrl(publicUrl) };
  return { token, app, folders, foldersAskForCode, dataDir, ...urls };
}

/** How a process with a sync thread divides its connections to PostgreSQL; null for a file. */
export function connectionShares(location: DatabaseLocation): ReturnType<typeof shareConnections> | null {
  return location.kind === "sqlite" ? null : shareConnections(parsePostgresUrl(location.url));
}

/** The data of a sync thread, from the settings. */
export function syncThreadData(
  config: Config,
  {
    demo,
    folders,
    measures,
  }: {
    readonly demo: OpenDemo | null;
    readonly folders: readonly ServedFolder[];
    readonly measures: boolean;
  },
): SyncThreadData {
  const { databaseLocation, dataDir, encryptionKey, allowed, logLevel } = config;
  const { syncInterval, connectionQuota, withdrawnDays, databaseCopyDays } = config;
  return {
    databaseLocation,
    dataDir,
    encryptionKey,
    allowed,
    syncInterval,
    connectionQuota,
    withdrawnDays,
    databaseCopyDays,
    logLevel,
    sources: sourceSettings(config, folders),
    apiUrl: config.provider.apiUrl.href,
    demo: demo?.client ?? null,
    measures,
    maxConnections: connectionShares(databaseLocation)?.syncing ?? null,
  };
}

/** A call of the sync thread. */
export type SyncCall =
  | { readonly task: "poll" }
  | { readonly task: "abandon"; readonly connectionId: number }
  | { readonly task: "stop" };

/** A message that the sync thread sends by itself. */
export type SyncNews =
  | { readonly kind: "log"; readonly line: string }
  | { readonly kind: "ended"; readonly sync: EndedSync }
  | { readonly kind: "looked"; readonly outcome: LookOutcome }
  | { readonly kind: "provider-call"; readonly call: ProviderCall }
  | { readonly kind: "pool-wait"; readonly ms: number }
  | { readonly kind: "removed"; readonly connectionId: number };

/** A question of the sync thread to the main thread. */
export type SyncQuestion =
  | { readonly kind: "publish"; readonly connectionId: number }
  | { readonly kind: "reading-left"; readonly connectionId: number }
  | { readonly kind: "call-demo"; readonly request: DemoRequest };

/** Megabytes of short-lived objects: a sync makes many, and the process would keep their memory. */
const maxYoungMb = 16;

/** Milliseconds after which the thread is started again if it has ended. */
const restartMs = 5_000;

interface SyncThreadOptions {
  readonly data: SyncThreadData;
  readonly database: Database;
  readonly clock: Clock;
  readonly graphs: Pick<Graphs, "publish" | "forget">;
  /** The lists that the main thread answers. */
  readonly lists: ReadLists;
  readonly answerDemo: OpenDemo["answer"] | null;
  readonly log: Log;
  readonly writeLogLine: (line: string) => void;
  readonly onEnded: ((sync: EndedSync) => void) | undefined;
  readonly onLooked: ((outcome: LookOutcome) => void) | undefined;
  readonly onProviderCall: ((call: ProviderCall) => void) | undefined;
  readonly onPoolWait: ((ms: number) => void) | undefined;
  /** Waits before the thread is started again. */
  readonly sleep?: Sleep;
  /** Milliseconds that the thread has to stop in order. Then it is ended, as if the process had been killed: another worker takes over. */
  readonly maxStopMs?: number;
}

/**
 * The role `sync` in a thread of this process, so that no sync delays an answer. It works as in a process of its own, with a
 * database handle, a provider client and secrets of its own. Graphs are published on the main thread, which serves them.
 */
export class SyncThread implements RunnableSyncs {
  readonly #options: SyncThreadOptions;
  readonly #stored: Syncs;
  readonly #thread: Thread<SyncCall, void>;
  #running: Background | null = null;

  constructor(options: SyncThreadOptions) {
    this.#options = options;
    this.#stored = storedSyncs(options);
    this.#thread = new Thread({
      module: new URL("./sync-worker.ts", import.meta.url),
      workerData: options.data,
      maxYoungMb,
      // Only the sync thread sends news, and asks.
      onNews: (news) => this.#receive(news as SyncNews),
      onQuestion: (question) => this.#answer(question as SyncQuestion),
      onEnded: (err) => options.log.error({ err }, "the thread of syncs has ended, and is started again"),
      errors: errorsOf(options.database),
    });
  }

  /** Starts the thread, and starts it again whenever it has ended by itself. */
  start(): void {
    const { sleep } = this.#options;
    const work = () => this.#thread.start();
    this.#running ??= repeat({ intervalMs: restartMs, work, onError: ignoreEnd, sleep });
  }

  async request(connectionId: number, request?: SyncRequest): Promise<void> {
    await this.#stored.request(connectionId, request);
    if (this.#thread.isUp) this.#thread.call({ task: "poll" }).catch(ignoreEnd);
  }

  async abandon(connectionId: number): Promise<void> {
    // The job is gone: a thread that starts later does not find it.
    if (this.#thread.isStarted) await this.#thread.call({ task: "abandon", connectionId }).catch(ignoreEnd);
  }

  async stop(): Promise<void> {
    const { maxStopMs = 5_000 } = this.#options;
    const stopped = this.#running?.stop();
    const late = setTimeout(() => void this.#thread.terminate(), maxStopMs);
    // One that still starts has no job.
    if (this.#thread.isUp) await this.#thread.call({ task: "stop" }).catch(ignoreEnd);
    clearTimeout(late);
    await this.#thread.terminate();
    await stopped;
  }

  #receive(news: SyncNews): void {
    const { writeLogLine, onEnded, onLooked, onProviderCall, onPoolWait, graphs } = this.#options;
    switch (news.kind) {
      case "log":
        writeLogLine(news.line);
        break;
      case "ended":
        onEnded?.(news.sync);
        break;
      case "looked":
        onLooked?.(news.outcome);
        break;
      case "provider-call":
        onProviderCall?.(news.call);
        break;
      case "pool-wait":
        onPoolWait?.(news.ms);
        break;
      case "removed":
        graphs.forget(news.connectionId);
    }
  }

  async #answer(question: SyncQuestion): Promise<unknown> {
    const { graphs, lists, answerDemo } = this.#options;
    switch (question.kind) {
      case "publish":
        return graphs.publish(question.connectionId);
      case "reading-left":
        return lists.readingLeft(question.connectionId);
      case "call-demo":
        return answerDemo?.(question.request);
    }
  }
}

/** A thread that has ended writes nothing, and its end is logged by itself. */
const ignoreEnd = () => {};
