import { everybody } from "../../model/testing/allow-lists.ts";
import { Sources } from "../../providers/sources.ts";
import "../../store/testing/repeat-transactions.ts";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import type { ConsentChoice } from "@clew/stand-in/testing";
import { pino } from "pino";
import { openTokens } from "../../connections/grant.ts";
import type { AllowList } from "../../model/allow-list.ts";
import type { Connection } from "../../model/connection.ts";
import { readContent } from "../../store/queries/graph-reading.ts";
import { newLocation } from "../../store/testing/location.ts";
import { pendingAnswers } from "../../store/testing/pending.ts";
import { readGraph } from "../../store/testing/read-graph.ts";
import { repeat } from "../jobs/repeat.ts";
import { EditTimes } from "../looks/edit-times.ts";
import { type LookOutcome, Looks, type LooksOptions } from "../looks/looks.ts";
import { requestDueSyncs } from "../schedule.ts";
import type { EndedSync } from "../steps/open-context.ts";
import type { StorageLimits } from "../storage-limits.ts";
import { openSyncing, type Syncing, serveWorkspace } from "./syncing.ts";
import { createVirtualTime } from "./virtual-time.ts";
import { abortOf, type Call, type Intercept } from "./workspace.ts";

/** Milliseconds that the provider takes for an answer. */
const latencyMs = 250;

/** A look that an instance made, as a time of the virtual clock. */
interface MadeLook {
  readonly instance: number;
  readonly outcome: LookOutcome;
  readonly at: number;
}

/** An instance: what it takes to look, to sync and to list all once in a while. */
interface Instance {
  readonly looks: Looks;
  readonly sync: Syncing["sync"];
  stop(): Promise<void>;
}

export type Looking = Awaited<ReturnType<typeof openLooking>>;

/**
 * Looks and syncs in virtual time, over a real database and a folder of Markdown behind the stand-in, whose clock is the
 * virtual one. Nothing starts by itself.
 */
export async function openLooking(
  t: Pick<TestContext, "after">,
  files: Readonly<Record<string, string>>,
  options: {
    /** Milliseconds between whole listings; an hour when left out. */
    readonly intervalMs?: number;
    readonly allowed?: AllowList;
    /** Whether the provider sorts by edit, as the stand-in does. */
    readonly sortsByEdit?: boolean;
  } = {},
) {
  const { intervalMs = 3_600_000, allowed = everybody, sortsByEdit = true } = options;
  const folder = await mkdtemp(join(tmpdir(), "clew-looks-"));
  const directory = join(folder, "notes");
  const write = async (some: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(some)) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), text);
    }
  };
  await mkdir(directory);
  await write(files);

  let underWay = 0;
  const time = createVirtualTime(() => underWay > 0 || pendingAnswers() > 0);
  const { clock, sleep } = time;
  const standIn = await serveWorkspace(directory, { clock });
  const { location, remove } = await newLocation();
  const calls: (Call & { readonly at: number })[] = [];
  const trashCalls: typeof calls = [];
  const logged: string[] = [];
  const ended: EndedSync[] = [];
  let interceptor: Intercept = (_call, pass) => pass();
  const pass: typeof standIn.fetch = async (input, init) => {
    underWay += 1;
    try {
      return await standIn.fetch(input, init);
    } finally {
      underWay -= 1;
    }
  };
  const log = pino({ level: "info" }, { write: (line: string) => void logged.push(line) });
  const syncing = await openSyncing({
    location,
    apiUrl: standIn.url,
    clock,
    sleep,
    betweenPolls: sleep,
    looks: true,
    onEnded: (sync) => void ended.push(sync),
    log,
    publish: async () => {},
    fetch: async (input, init) => {
      const path = new URL(`${input}`).pathname;
      const authorization = new Headers(init?.headers).get("authorization") ?? "";
      const call = { method: init?.method ?? "GET", path, authorization };
      const isOfTrash = typeof init?.body === "string" && init.body.includes('"in_trash":true');
      (isOfTrash ? trashCalls : calls).push({ ...call, at: clock() });
      await sleep(latencyMs, init?.signal);
      const answer = await Promise.race([interceptor(call, () => pass(input, init)), abortOf(init?.signal)]);
      const headers = new Headers(answer.headers);
      headers.set("date", new Date(clock()).toUTCString());
      return new Response(await answer.arrayBuffer(), { status: answer.status, headers });
    },
  });
  const { database, secrets } = syncing;
  const provider = { ...syncing.provider, sortsByEdit };

  const made: MadeLook[] = [];
  const instances: Instance[] = [];
  const startInstance = ({
    storage,
    looks: hasLooks = sortsByEdit,
    lookWith = {},
  }: {
    readonly storage?: StorageLimits;
    readonly looks?: boolean;
    /** Options of its looks in place of the usual ones. */
    readonly lookWith?: Partial<LooksOptions>;
  } = {}): Instance => {
    const instance = instances.length;
    const sync = syncing.createService(allowed, provider);
    const looks = new Looks({
      database,
      sources: new Sources(provider),
      secrets,
      allowed,
      storage,
      clock,
      log,
      sync,
      edits: sync,
      // The same ids in each run, so that the same connections fall to an instance.
      random: (size) => new Uint8Array(size).fill(instance),
      sleep,
      onLooked: (outcome) => void made.push({ instance, outcome, at: clock() }),
      ...lookWith,
    });
    const schedule = repeat({
      intervalMs: 15_000,
      work: () => requestDueSyncs({ database, allowed, sync, clock, intervalMs }),
      onError: (error) => log.error({ err: error }, "failed to request due syncs"),
      sleep,
    });
    sync.start();
    if (hasLooks) looks.start();
    const stop = async () => {
      await Promise.all([looks.stop(), schedule.stop(), sync.stop()]);
    };
    const started = { looks, sync, stop };
    instances.push(started);
    return started;
  };
  t.after(async () => {
    await time.run(Promise.all(instances.map(({ stop }) => stop())).then(() => syncing.close()));
    await standIn.close();
    await remove();
    await rm(folder, { recursive: true, force: true });
  });

  const firstSyncOf = async (id: number): Promise<Connection> => {
    await time.run(syncing.sync.request(id, { by: "sign-in" }));
    for (;;) {
      await time.run(sleep(1_000));
      const connection = await syncing.connection(id);
      if (connection.lastSyncedAt !== null) return connection;
    }
  };

  const editTimes = new EditTimes({ database });
  const nodeTitled = async (id: number, title: string) =>
    (await readGraph(database.read, id)).nodes.find((node) => node.title === title) ?? null;

  return {
    time,
    clock,
    database,
    standIn,
    directory,
    write,
    calls,
    /** Those that list the trash. */
    trashCalls,
    logged,
    /** The syncs that have ended, and readings of edits, first to last. */
    ended,
    made,
    instances,
    startInstance,
    connection: syncing.connection,
    /** The time until which a connection's edits are in its graph, as any process would say now. */
    async editsAsOf(id: number): Promise<number | null> {
      await editTimes.refresh();
      return editTimes.editsAsOf(await syncing.connection(id));
    },
    intercept(by: Intercept): void {
      interceptor = by;
    },
    /** Lets time pass. */
    pass: (milliseconds: number) => time.run(sleep(milliseconds)),
    /**
     * Lets time pass until a look has read the trash. Such a look ends later than others, so that looks that follow a pause
     * after it may come just too early.
     */
    async passTrash(): Promise<void> {
      for (const before = trashCalls.length; trashCalls.length === before; ) await time.run(sleep(1_000));
      await time.run(sleep(1_000));
    },
    /** Lets time pass until the first sync of a new connection has ended. */
    async connect(choice?: ConsentChoice): Promise<Connection> {
      return firstSyncOf((await time.run(syncing.connect(choice))).id);
    },
    /** The same for another person with the grant of a connection. */
    async connectAlike(person: string, id: number): Promise<Connection> {
      const tokens = await openTokens(database.read, secrets, id);
      return this.connectWithToken(person, tokens?.accessToken ?? "");
    },
    /** The same for a person with this access token. */
    async connectWithToken(person: string, accessToken: string): Promise<Connection> {
      return firstSyncOf((await syncing.connectWithToken(person, accessToken)).id);
    },
    nodeTitled,
    /** The text of a page as it is stored; null if there is none. */
    async textOf(id: number, title: string): Promise<string | null> {
      const node = await nodeTitled(id, title);
      return node === null ? null : ((await readContent(database.read, id, node.id))?.markdown ?? null);
    },
  };
}
