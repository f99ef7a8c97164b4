import type { Clock } from "../../model/runtime.ts";
import type { Database } from "../../store/port.ts";
import {
  allInstances,
  forgetInstances,
  type Instance,
  type LookReport,
  recordInstance,
} from "../../store/queries/instances.ts";

/** Milliseconds after which an instance that was not heard of no longer takes part: three beats. */
const aliveMs = 45_000;

/** Milliseconds for which what an instance said last is kept. */
const rememberedMs = 60 * 60_000;

/**
 * The instances that share the looks, as this one last read them. Each writes a row about itself every few seconds, and
 * reads those of the others. If two disagree for a moment on who there is, both look at a connection, which does no harm.
 */
export class Instances {
  readonly #id: string;
  readonly #database: Pick<Database, "read" | "record">;
  readonly #clock: Clock;
  #instances: readonly Instance[] = [];

  constructor({
    id,
    database,
    clock,
  }: {
    /** Differs from that of any other process. */
    readonly id: string;
    readonly database: Pick<Database, "read" | "record">;
    /** The clock of the database. */
    readonly clock: Clock;
  }) {
    this.#id = id;
    this.#database = database;
    this.#clock = clock;
  }

  /** The instances that take part, this one included. */
  peers(): readonly string[] {
    const alive = this.#clock() - aliveMs;
    const others = this.#instances.filter(({ id, seenAt }) => id !== this.#id && seenAt > alive);
    return [this.#id, ...others.map(({ id }) => id)].sort();
  }

  /** Tells the others that this instance takes part and what it has looked at, and reads the same of them. */
  async beat(report: LookReport): Promise<void> {
    await this.#record(report, this.#clock());
    this.#instances = await allInstances(this.#database.read);
  }

  /** Tells the others that this instance no longer takes part. What it has looked at stays known. */
  async leave(report: LookReport): Promise<void> {
    await this.#record(report, this.#clock() - aliveMs);
  }

  async #record(report: LookReport, seenAt: number): Promise<void> {
    const forgotten = this.#clock() - rememberedMs;
    const hasForgotten = this.#instances.some((other) => other.seenAt < forgotten);
    await this.#database.record(async (trx) => {
      await recordInstance(trx, { ...report, id: this.#id, seenAt });
      if (hasForgotten) await forgetInstances(trx, forgotten);
    });
  }
}
