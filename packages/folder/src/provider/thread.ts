import { setTimeout as sleep } from "node:timers/promises";
import { type Change, type Clock, ProviderError, type Watching } from "@clew/provider";
import { Thread, ThreadError, WorkMark } from "@clew/threads";
import { providerErrors } from "./errors.ts";
import type { FolderReading } from "./read-folder.ts";

/** A folder, as it is named to the thread. */
export interface FolderSettings {
  readonly path: string;
  readonly workspaceId: string;
  /** Stores what is remembered of the folder; null keeps it in memory. */
  readonly memoryFile: string | null;
}

/** The log that names what was ignored in a folder, and failures. */
export interface FolderLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** The calls that the thread answers for a folder. Their inputs and results can be sent between threads. */
export type FolderCalls = Pick<
  FolderReading,
  "list" | "more" | "end" | "node" | "databaseOf" | "text" | "report" | "watch" | "stopWatching"
>;

/** A call, as it is sent to the thread. The thread's clock continues from that of the latest call. */
export interface SentCall {
  /** The folder, by the number that its owner gave it. */
  readonly folder: number;
  readonly settings: FolderSettings;
  readonly now: number;
  readonly name: keyof FolderCalls;
  readonly input: unknown;
}

/** News of the thread: a change in a folder that is watched, or a line for the log. */
export type FolderNews =
  | ({ readonly type: "change"; readonly folder: number } & Change)
  | {
      readonly type: "log";
      readonly folder: number;
      readonly level: keyof FolderLog;
      readonly details: object;
      readonly message: string;
    };

/** The data that a thread is started with. */
export interface FolderThreadData {
  /** The memory in which it marks the file that it reads. */
  readonly mark: SharedArrayBuffer;
  /** The files for which earlier threads were ended. */
  readonly slowFiles: readonly string[];
}

/** A folder that the thread reads. */
export interface ThreadFolder {
  /** Throws `ProviderError`. */
  call<Name extends keyof FolderCalls>(
    name: Name,
    input: Parameters<FolderCalls[Name]>[0],
  ): Promise<Awaited<ReturnType<FolderCalls[Name]>>>;
  /** Reports changes until it is stopped. Before the first one it reports that all may have changed. */
  watch(onChange: (change: Change) => void): Watching;
}

/** A folder, as the owner of the thread knows it. */
interface KnownFolder {
  readonly log: FolderLog;
  readonly listeners: Set<(change: Change) => void>;
  /** Calls the thread for this folder. */
  readonly call: ThreadFolder["call"];
}

/** Parsed texts are soon forgotten. By default a thread would keep up to 192 MB for such objects. */
const maxYoungMb = 16;

/** Processor time that one file may take in this thread, where its text is not parsed: its reading there takes milliseconds. */
const maxFileMs = 2_000;

/** The pause before a thread that ended is started again, if it was watching folders. */
const restartMs = 1_000;

/** A watch of a thread that does not answer any more is stopped by this time. */
const maxStopMs = 1_000;

/**
 * The one thread in which a process reads its folders, so that no file holds up anything else. It starts with the first
 * call. If it ends by an error, the calls that wait for it fail, and the next one starts it again. It keeps the process
 * alive only while calls wait for it.
 */
export class FolderThread {
  readonly #folders: KnownFolder[] = [];
  readonly #slowFiles: string[] = [];
  readonly #thread: Thread<SentCall, unknown>;

  /** `module` is the thread's module; in place of Clew's own for tests. */
  constructor({ module = new URL("./worker.ts", import.meta.url) }: { readonly module?: URL } = {}) {
    const mark = new WorkMark();
    const slowFiles = this.#slowFiles;
    this.#thread = new Thread({
      module,
      // Read when a thread starts, so that it has the files of those before it.
      get workerData(): FolderThreadData {
        return { mark: mark.shared, slowFiles: [...slowFiles] };
      },
      maxYoungMb,
      errors: providerErrors,
      work: { mark, limitMs: maxFileMs, onSlow: (name) => slowFiles.push(name) },
      // Only worker.ts sends news.
      onNews: (news) => this.#receive(news as FolderNews),
      onEnded: (error) => this.#ended(error),
    });
  }

  /** Adds a folder. Nothing is read before a call. */
  folder(
    settings: FolderSettings,
    { clock, log }: { readonly clock: Clock; readonly log: FolderLog },
  ): ThreadFolder {
    const folder = this.#folders.length;
    const call: ThreadFolder["call"] = (name, input) =>
      this.#call({ folder, settings, now: clock(), name, input });
    const listeners: KnownFolder["listeners"] = new Set();
    this.#folders.push({ log, listeners, call });
    return {
      call,
      watch(onChange) {
        // One watch each, though several may be of the same function.
        const listener = (change: Change) => onChange(change);
        listeners.add(listener);
        void call("watch", null).catch(() => {});
        return {
          async stop() {
            listeners.delete(listener);
            if (listeners.size > 0) return;
            const stopped = call("stopWatching", null).catch(() => {});
            await Promise.race([stopped, sleep(maxStopMs, undefined, { ref: false })]);
          },
        };
      },
    };
  }

  /** Ends the thread. A call starts it again. */
  async close(): Promise<void> {
    for (const { listeners } of this.#folders) listeners.clear();
    await this.#thread.terminate();
  }

  // The thread calls the method of the call's name.
  async #call<Value>(call: SentCall): Promise<Value> {
    for (;;) {
      try {
        return (await this.#thread.call(call)) as Value;
      } catch (cause) {
        if (!(cause instanceof ThreadError)) throw cause;
        // The next thread leaves out the file for which this one was ended.
        if (cause.failure !== "slow") throw new ProviderError("unavailable", threadEnded, { cause });
      }
    }
  }

  #receive(news: FolderNews): void {
    const folder = this.#folders[news.folder];
    if (news.type === "log") folder?.log[news.level](news.details, news.message);
    else for (const listener of folder?.listeners ?? []) listener(news);
  }

  #ended(err: ThreadError): void {
    for (const log of new Set(this.#folders.map(({ log }) => log))) log.error({ err }, threadEnded);
    if (this.#folders.some(({ listeners }) => listeners.size > 0))
      setTimeout(() => this.#watchAgain(), restartMs).unref();
  }

  #watchAgain(): void {
    for (const { listeners, call } of this.#folders)
      if (listeners.size > 0) void call("watch", null).catch(() => {});
  }
}

const threadEnded = "the thread that reads folders has ended";
