import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Shown } from "./shown.ts";
import type { Told } from "./watching-process.ts";

/** Pages and databases by their ids. */
export type ShownById = ReadonlyMap<string, Shown>;

/** The user and group of a process. */
type User = Readonly<Record<"uid" | "gid", number>>;

/** The state of a process once it has looked at everything. */
interface Settled {
  readonly shown: ShownById;
  readonly byId: ShownById;
  readonly unread: readonly string[];
  readonly hasUnread: boolean;
}

/** A process that watches a folder, and what is known from its reports. */
export class Watching {
  readonly replica = new Map<string, Shown>();
  readonly #directory: string;
  readonly #memoryFile: string;
  readonly #user: User | null;
  #process: ChildProcess | null = null;
  #settled: PromiseWithResolvers<Settled> | null = null;

  constructor(directory: string, memoryFile: string, user: User | null = null) {
    this.#directory = directory;
    this.#memoryFile = memoryFile;
    this.#user = user;
  }

  /** Resolves when it has reported the whole folder. */
  async start(): Promise<void> {
    const program = fileURLToPath(new URL("./watching-process.ts", import.meta.url));
    const started = fork(program, [this.#directory, this.#memoryFile], { ...this.#user });
    this.#process = started;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    started.once("exit", (code) => {
      const error = new Error(`the process ended with ${code}`);
      reject(error);
      this.#settled?.reject(error);
    });
    started.on("message", (told: Told) => {
      if (told.type === "whole") this.replica.clear();
      if (told.type === "settled")
        this.#settled?.resolve({ ...told, shown: new Map(told.shown), byId: new Map(told.byId) });
      else this.#change(told.shown);
      resolve();
    });
    await promise;
  }

  #change(shown: readonly (readonly [string, Shown | null])[]): void {
    for (const [id, page] of shown) {
      if (page === null) this.replica.delete(id);
      else this.replica.set(id, page);
    }
  }

  /** Waits until the process has looked at everything. Asks which of these ids may be in a part that it cannot read. */
  settle(ids: readonly string[] = []): Promise<Settled> {
    this.#settled = Promise.withResolvers<Settled>();
    this.#process?.send(ids);
    return this.#settled.promise;
  }

  async kill(): Promise<void> {
    const running = this.#process;
    this.#process = null;
    this.#settled = null;
    if (running === null || running.exitCode !== null || !running.kill("SIGKILL")) return;
    await once(running, "exit");
  }
}
