import { pino } from "pino";
import { readConfig } from "../../packages/server/src/config/config.ts";
import { openServer } from "../../packages/server/src/server.ts";
import { quiet, type Settings } from "../support/clew-process.ts";
import { randomBytes } from "./machine/builtins.ts";
import { Machine } from "./machine/machine.ts";
import type { Scheduler } from "./machine/scheduler.ts";
import type { Endpoint, Network, SentRequest } from "./network.ts";

/** The settings of every instance, besides its own. Its threads never start, so it indexes no texts. */
const common: Settings = {
  ...quiet,
  CLEW_ROLE: "serve,sync",
  LOG_LEVEL: "info",
};

interface InstanceOptions {
  readonly name: string;
  readonly port: number;
  readonly scheduler: Scheduler;
  readonly network: Network;
  /** The settings that it needs besides the common ones. */
  readonly settings: Settings;
  readonly onLog: (line: string) => void;
}

/** An instance of Clew, which can be killed and started again on the same data. */
export class Instance implements Endpoint {
  readonly name: string;
  readonly url: URL;
  /** Milliseconds by which its machine's clock is off. */
  clockOffset = 0;
  readonly #options: InstanceOptions;
  #machine: Machine | null = null;
  #fetch: typeof globalThis.fetch | null = null;
  #starts = 0;

  constructor(options: InstanceOptions) {
    this.name = options.name;
    this.url = new URL(`http://localhost:${options.port}/`);
    this.#options = options;
    options.network.listen(options.port, this);
  }

  /** Null until it listens. */
  get machine(): Machine | null {
    return this.#fetch === null ? null : this.#machine;
  }

  /** Starts it. Resolves once it listens, and never if it is killed before that. */
  async start(): Promise<void> {
    const { scheduler, network, settings, onLog } = this.#options;
    this.#starts += 1;
    const machine = new Machine(`${this.name}.${this.#starts}`, scheduler, this.clockOffset);
    this.#machine = machine;
    const config = readConfig({ ...common, ...settings, PORT: this.url.port });
    const log = pino({ level: config.logLevel, base: null, timestamp: false }, { write: onLog });
    scheduler.note(`${machine.name} starts`);
    const server = await machine.enter(() =>
      openServer(config, {
        clock: machine.clock,
        // A server of databases has one clock for all instances.
        databaseClock: () => Math.floor(scheduler.now),
        monotonic: machine.monotonic,
        random: randomBytes,
        fetch: network.fetch,
        build: { version: "0.1.0", commit: "5f0e1d2c3b4a59687786a5b4c3d2e1f00f1e2d3c" },
        log,
        listens: false,
      }),
    );
    scheduler.note(`${machine.name} listens`);
    this.#fetch = server.fetch;
  }

  /** Ends it without a farewell. */
  kill(): void {
    if (this.#machine === null || !this.#machine.isAlive) return;
    this.#options.scheduler.note(`${this.#machine.name} is killed`);
    this.#fetch = null;
    this.#machine.kill();
  }

  /** Sets its clock off. */
  setClock(milliseconds: number): void {
    this.clockOffset = milliseconds;
    if (this.#machine !== null) this.#machine.clockOffset = milliseconds;
  }

  readonly answer = async ({ method, url, headers, body }: SentRequest): Promise<Response> => {
    if (this.#fetch === null) throw new Error(`${this.name} does not listen`);
    return this.#fetch(url, { method, headers, ...(body.length > 0 && { body }) });
  };
}
