import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { integer, pick } from "@clew/stand-in/testing/random";
import { openDatabase } from "../../packages/server/src/store/database.ts";
import { scratchRoot } from "../../packages/server/src/store/testing/location.ts";
import { roots } from "../../packages/server/src/sync/testing/random-workspace.ts";
import type { Turn } from "../history/ask.ts";
import { History } from "../history/history.ts";
import { Person } from "../history/person.ts";
import { drawClock, drawNetwork, drawProviderFaults } from "./disturbances.ts";
import { Instance } from "./instance.ts";
import { Machine } from "./machine/machine.ts";
import { settled } from "./machine/real-work.ts";
import { Scheduler } from "./machine/scheduler.ts";
import { Network, noFaults } from "./network.ts";
import { Provider, people, providerPort, providerSettings } from "./provider.ts";
import { Reader } from "./reader.ts";
import { SyncWatch } from "./sync-watch.ts";

/** The numbers of a simulation that broke no property. */
export interface Course {
  /** Identifies all events with their times. */
  readonly digest: string;
  readonly events: number;
  /** Virtual seconds that passed. */
  readonly seconds: number;
  readonly kills: number;
  readonly disturbances: number;
  /** Calls whose answers the models judged. */
  readonly judged: number;
  /** Requested syncs, by their outcome. */
  readonly syncs: Readonly<Record<string, number>>;
}

/** A property does not hold in the simulation of a seed. */
export class Violation extends Error {
  /** Identifies the events up to it. */
  readonly digest: string;
  /** The last events. */
  readonly lines: readonly string[];

  constructor(seed: number, scheduler: Scheduler, cause: unknown) {
    super(`seed ${seed}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = "Violation";
    this.digest = scheduler.digest();
    this.lines = scheduler.lines();
  }
}

/** The ports of the instances, one after the other. */
const firstPort = 9_001;

/** Calls of all clients together. */
const callsOfAll = 50;

/** The longest pauses, in milliseconds: between two calls of a client, between two disturbances, and of an instance that was killed. */
const betweenCallsMs = 2_500;
const betweenDisturbancesMs = 4_000;
const downMs = 20_000;

/** The longest that a kill waits for an answer to a write, in milliseconds. */
const doomedMs = 10_000;

/** The most by which the clock of an instance is off, in milliseconds. */
const clockOffMs = 5_000;

/** The pages at the top that the second person shares. The first person shares all. */
const sharedByBen = [roots[1], roots[2]];

/** Attempts at a complete sync after all faults have ended. */
const recoveries = 10;

/**
 * Runs the simulation of a seed. Throws a `Violation` if a property does not hold. `onLine` receives the events and the logs of the
 * instances.
 */
export async function runSeed(seed: number, onLine: ((line: string) => void) | null = null): Promise<Course> {
  const folder = await mkdtemp(join(scratchRoot, "clew-simulation-"));
  const scheduler = new Scheduler(seed, { settled });
  scheduler.onEvent = onLine;
  const simulation = new Simulation(scheduler, folder, await migratedFile(), onLine);
  const stopWatching = watchRejections((error) => simulation.fail(error));
  try {
    return await scheduler.run(() => simulation.run());
  } catch (cause) {
    throw new Violation(seed, scheduler, cause);
  } finally {
    simulation.end();
    stopWatching();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Two instances on one database, the provider, and the people, with everything that goes wrong between them. */
class Simulation {
  readonly #scheduler: Scheduler;
  readonly #folder: string;
  readonly #database: Uint8Array;
  readonly #network: Network;
  readonly #clients: Machine;
  readonly #history: History;
  readonly #instances: readonly Instance[];
  readonly #failures: string[] = [];
  /** It is killed as soon as it has answered that something was written. */
  #doomed: Instance | null = null;
  /** From the decision to kill them until they listen again. */
  readonly #falling = new Set<Instance>();
  readonly #syncs = new Map<string, number>();
  #calls = 0;
  #kills = 0;
  #disturbances = 0;

  constructor(
    scheduler: Scheduler,
    folder: string,
    database: Uint8Array,
    onLog: ((line: string) => void) | null,
  ) {
    this.#scheduler = scheduler;
    this.#folder = folder;
    this.#database = database;
    this.#network = new Network(scheduler);
    this.#clients = new Machine("the clients", scheduler);
    this.#history = new History(this.#clients.monotonic);
    this.#instances = ["instance 1", "instance 2"].map(
      (name, index) =>
        new Instance({
          ...{ name, port: firstPort + index, scheduler, network: this.#network },
          settings: { ...providerSettings, ...settingsOf(folder, name) },
          onLog: (line) => onLog?.(`    ${name}: ${line.trim()}`),
        }),
    );
    const watch = new SyncWatch(this.#history);
    this.#network.onRequest = (sender, request) => watch.note(sender, request);
    this.#network.onAnswer = ({ method, url }, { status, body }) => {
      if (url.port === String(providerPort)) return;
      if (status === 500) this.#failures.push(`${method} ${url.pathname} answered 500: ${Buffer.from(body)}`);
      // A sync that was requested lasts; what a session or a token may do is written at once.
      const isWritten = method !== "GET" && status < 300 && !url.pathname.endsWith("/sync/");
      if (isWritten && this.#doomed?.url.port === url.port) this.#doomed.kill();
    };
  }

  /** Ends all processes. */
  end(): void {
    for (const instance of this.#instances) instance.kill();
    this.#clients.kill();
  }

  /** Notes that something failed outside of every answer. */
  fail(error: unknown): void {
    this.#failures.push(`unhandled rejection: ${error instanceof Error ? error.stack : error}`);
  }

  run(): Promise<Course> {
    globalThis.fetch = this.#network.fetch;
    return this.#clients.enter(async () => {
      const provider = await Provider.open(this.#scheduler, this.#network, join(this.#folder, "pages"));
      await this.#fill();
      for (const instance of this.#instances) await instance.start();
      const ann = new Person(this.#turn("Ann's first client"), people[0]);
      await ann.arrive(this.#turn("Ann's first client"));
      const ben = this.#reader(people[1], sharedByBen, provider);
      provider.onEdit((edit) => ben.noteEdit(edit));
      await ben.arrive(() => this.#turn("Ben"));

      await this.#disturb(provider, ann, ben);
      for (const instance of this.#instances) await ann.tryAll(this.#turnAt(instance));
      await this.#recover(provider, ben);
      const contradictions = this.#history.contradictions();
      assert.ok(contradictions.length === 0, contradictions.slice(0, 3).join("\n\n"));
      return {
        digest: this.#scheduler.digest(),
        events: this.#scheduler.events,
        seconds: Math.round(this.#scheduler.passed / 1000),
        kills: this.#kills,
        disturbances: this.#disturbances,
        judged: this.#history.size().operations,
        syncs: Object.fromEntries(this.#syncs),
      };
    });
  }

  /** Lets people work, and pages change, while everything is disturbed. */
  async #disturb(provider: Provider, ann: Person, ben: Reader): Promise<void> {
    const random = this.#scheduler.random;
    const client = async (name: string, act: (next: () => Turn) => Promise<unknown>) => {
      while (this.#calls < callsOfAll) {
        this.#calls += 1;
        await act(() => this.#turn(name));
        assert.deepEqual(this.#failures, []);
        await sleep(integer(random, 0, betweenCallsMs));
      }
    };
    await Promise.all([
      client("Ann's first client", (next) => ann.act(next(), random)),
      client("Ann's second client", (next) => ann.act(next(), random)),
      client("Ben's reading client", (next) =>
        this.#scheduler.happens(0.2) ? ben.trespass(next()) : ben.read(next()),
      ),
      client("Ben's syncing client", async (next) => {
        this.#count(await ben.sync(next));
        await ben.read(next());
      }),
      client("the writer", () => (this.#scheduler.happens(0.5) ? provider.editShared() : provider.change())),
      this.#disturber(provider),
    ]);
  }

  async #disturber(provider: Provider): Promise<void> {
    const scheduler = this.#scheduler;
    const starting: Promise<void>[] = [];
    while (this.#calls < callsOfAll) {
      await sleep(integer(scheduler.random, 0, betweenDisturbancesMs));
      this.#disturbances += 1;
      const drawn = scheduler.random();
      if (drawn < 0.25) starting.push(this.#kill(pick(scheduler.random, this.#instances)));
      else if (drawn < 0.4) this.#network.faults = drawNetwork(scheduler);
      else if (drawn < 0.88)
        provider.setFaults(drawProviderFaults(scheduler, provider.allIds(), provider.ids().shared));
      else if (drawn < 0.92)
        pick(scheduler.random, this.#instances).setClock(drawClock(scheduler, clockOffMs));
      else if (drawn < 0.96) await provider.withdraw(people[1]);
      else await provider.expire(people[1]);
    }
    this.#network.faults = noFaults;
    provider.setFaults([]);
    await Promise.all(starting);
  }

  /** Kills an instance, now or right after its next answer to a write, and starts it again a while later. */
  async #kill(instance: Instance): Promise<void> {
    if (this.#falling.has(instance)) return;
    this.#falling.add(instance);
    this.#kills += 1;
    if (this.#scheduler.happens(0.7)) {
      this.#doomed = instance;
      await sleep(integer(this.#scheduler.random, 0, doomedMs));
      this.#doomed = null;
    }
    instance.kill();
    await sleep(integer(this.#scheduler.random, 0, downMs));
    await instance.start();
    this.#falling.delete(instance);
  }

  /**
   * Without faults, syncs are complete, and all instances show a person what another one imports anew who shares the same pages. The seed draws
   * the person.
   */
  async #recover(provider: Provider, ben: Reader): Promise<void> {
    const isBen = this.#scheduler.happens(0.5);
    const pages = isBen ? sharedByBen : null;
    const reader = isBen ? ben : this.#reader(people[0], null, provider);
    const next = () => this.#turn("the last client");
    await this.#syncAll(reader, next);
    await ben.trespass(next());
    const newcomer = this.#reader(people[2], pages, provider);
    await this.#syncAll(newcomer, next);
    const [imported = []] = await this.#graphsOf(newcomer);
    for (const graph of await this.#graphsOf(reader)) assertSame(graph, imported);
    assert.deepEqual(this.#failures, []);
  }

  /** Returns the lines that a person reads at each instance. */
  #graphsOf(reader: Reader): Promise<readonly (readonly string[])[]> {
    return Promise.all(this.#instances.map((instance) => reader.graph(this.#turnAt(instance))));
  }

  /** Syncs everything of a person completely. */
  async #syncAll(reader: Reader, next: () => Turn): Promise<void> {
    await reader.arrive(next);
    for (let attempt = 0; attempt < recoveries; attempt += 1) {
      const outcome = await reader.sync(next, { full: true });
      this.#count(outcome);
      if (outcome === "complete") return;
      await sleep(5_000);
    }
    assert.fail("no sync is complete, although the faults have ended");
  }

  #count(outcome: string | null): void {
    if (outcome !== null) this.#syncs.set(outcome, (this.#syncs.get(outcome) ?? 0) + 1);
  }

  #reader(name: string, pages: readonly string[] | null, provider: Provider): Reader {
    const sharer = { name, ...(pages && { pages }) };
    return new Reader(this.#history, sharer, provider.ids());
  }

  /** The next call of a client, mostly at an instance that listens. */
  #turn(client: string): Turn {
    const { random } = this.#scheduler;
    const listening = this.#instances.filter(({ machine }) => machine !== null);
    const any = listening.length === 0 || this.#scheduler.happens(0.05);
    return { ...this.#turnAt(pick(random, any ? this.#instances : listening)), client };
  }

  #turnAt({ name, url }: Instance): Turn {
    return { history: this.#history, client: "the last client", instance: { name, url } };
  }

  /** Puts an empty database into the folder. */
  async #fill(): Promise<void> {
    const file = databaseIn(this.#folder);
    await writeFile(file, this.#database, { mode: 0o600 });
    // In place of the file of eight megabytes that holds room on the disk.
    await writeFile(`${file}.reserve`, "");
  }
}

/** Reports unhandled rejections, except those of killed machines. Returns a function that stops this. */
function watchRejections(onError: (error: unknown) => void): () => void {
  const listener = (error: unknown) => {
    const isOfKilled = error instanceof TypeError && error.message === "The database connection is not open";
    if (!isOfKilled) onError(error);
  };
  process.on("unhandledRejection", listener);
  return () => void process.off("unhandledRejection", listener);
}

/** Compares what a person reads at an instance with what another one has imported anew. */
function assertSame(shown: readonly string[], imported: readonly string[]): void {
  const [those, these] = [new Set(shown), new Set(imported)];
  const more = shown.filter((line) => !these.has(line)).map((line) => `+ ${line}`);
  const less = imported.filter((line) => !those.has(line)).map((line) => `- ${line}`);
  const lines = [...more, ...less];
  assert.ok(lines.length === 0, `an instance does not show what a new import has:\n${lines.join("\n")}`);
}

const databaseIn = (folder: string) => join(folder, "clew.db");

/** The settings of an instance whose database is in a folder. */
function settingsOf(folder: string, name: string) {
  return {
    PUBLIC_URL: `http://localhost:${firstPort}`,
    DATABASE_URL: `sqlite:${databaseIn(folder)}`,
    DATA_DIR: join(folder, name),
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  };
}

let migrated: Promise<Uint8Array> | null = null;

/** The content of an empty database, which takes longer to make than to copy. */
function migratedFile(): Promise<Uint8Array> {
  migrated ??= makeMigratedFile();
  return migrated;
}

async function makeMigratedFile(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(scratchRoot, "clew-simulation-"));
  const path = databaseIn(folder);
  const database = await openDatabase({ location: { kind: "sqlite", path } });
  await database.close();
  const content = await readFile(path);
  await rm(folder, { recursive: true });
  return content;
}
