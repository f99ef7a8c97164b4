import { Worker } from "node:worker_threads";
import {
  type Change,
  type Clock,
  ProviderError,
  type ProviderErrorCode,
  type Watching,
} from "@clew/provider";
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
  readonly id: number;
  /** The folder, by the number that its owner gave it. */
  readonly folder: number;
  readonly settings: FolderSettings;
  readonly now: number;
  readonly name: keyof FolderCalls;
  readonly input: unknown;
}

/** A message of the thread: the result of a call, a change in a folder that is watched, or a line for the log. */
export type Sent =
  | { readonly type: "result"; readonly id: number; readonly value: unknown }
  | {
      readonly type: "failure";
      readonly id: number;
      readonly code: ProviderErrorCode;
      readonly message: string;
      readonly reason: string | null;
    }
  | ({ readonly type: "change"; readonly folder: number } & Change)
  | {
      readonly type: "log";
      readonly folder: number;
      readonly level: keyof FolderLog;
      readonly details: object;
      readonly message: string;
    };

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

interface WaitingCall {
  resolve(value: unknown): void;
  reject(error: ProviderError): void;
}

/** Parsed texts are soon forgotten. By default a thread would keep up to 192 MB for such objects. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 };

/** The pause before a thread that ended is started again, if it was watching folders. */
const restartMs = 1_000;

/**
 * The one thread in which a process reads its folders, so that no file holds up anything else. It starts with the first
 * call. If it ends by an error, the calls that wait for it fail, and the next one starts it again. It keeps the process
 * alive only while calls wait for it.
 */
export class FolderThread {
  readonly #waiting = new Map<number, WaitingCall>();
  readonly #folders: KnownFolder[] = [];
  #worker: Worker | null = null;
  #calls = 0;

  /** Adds a folder. Nothing is read before a call. */
  folder(
    settings: FolderSettings,
    { clock, log }: { readonly clock: Clock; readonly log: FolderLog },
  ): ThreadFolder {
    const folder = this.#folders.length;
    const call: ThreadFolder["call"] = (name, input) => {
      this.#calls += 1;
      return this.#send({ id: this.#calls, folder, settings, now: clock(), name, input });
    };
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
            if (listeners.size === 0) await call("stopWatching", null).catch(() => {});
          },
        };
      },
    };
  }

  /** Ends the thread. A call starts it again. */
  async close(): Promise<void> {
    for (const { listeners } of this.#folders) listeners.clear();
    await this.#worker?.terminate();
  }

  // The thread calls the method of the call's name.
  #send<Value>(call: SentCall): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(call.id, { resolve, reject });
    const worker = this.#started();
    worker.ref();
    worker.postMessage(call);
    return promise as Promise<Value>;
  }

  #started(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { resourceLimits });
    this.#worker = worker;
    let cause: unknown;
    worker.on("message", (sent: Sent) => this.#receive(worker, sent));
    worker.on("error", (error) => {
      cause = error;
    });
    worker.once("exit", () => {
      if (this.#worker === worker) this.#worker = null;
      this.#ended(cause);
    });
    return worker;
  }

  #receive(worker: Worker, sent: Sent): void {
    switch (sent.type) {
      case "log":
        this.#folders[sent.folder]?.log[sent.level](sent.details, sent.message);
        return;
      case "change": {
        const { workspaceId, changed } = sent;
        for (const listener of this.#folders[sent.folder]?.listeners ?? [])
          listener({ workspaceId, changed });
        return;
      }
      default: {
        const call = this.#waiting.get(sent.id);
        this.#waiting.delete(sent.id);
        if (this.#waiting.size === 0) worker.unref();
        if (sent.type === "failure") call?.reject(new ProviderError(sent.code, sent.message, sent));
        else call?.resolve(sent.value);
      }
    }
  }

  #ended(cause: unknown): void {
    const message = "the thread that reads folders has ended";
    if (cause !== undefined)
      for (const log of new Set(this.#folders.map(({ log }) => log))) log.error({ err: cause }, message);
    for (const { reject } of this.#waiting.values())
      reject(new ProviderError("unavailable", message, { cause }));
    this.#waiting.clear();
    if (this.#folders.some(({ listeners }) => listeners.size > 0))
      setTimeout(() => this.#watchAgain(), restartMs).unref();
  }

  #watchAgain(): void {
    for (const { listeners, call } of this.#folders)
      if (listeners.size > 0) void call("watch", null).catch(() => {});
  }
}
