import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestStandIn } from "@clew/stand-in/testing";
import type { Random } from "@clew/stand-in/testing/random";
import {
  createRandomWorkspace,
  type Happening,
  roots,
} from "../../packages/server/src/sync/testing/random-workspace.ts";
import { storedGraph } from "../../packages/server/src/sync/testing/stored-graph.ts";
import { openSyncing, type Syncing, serveWorkspace } from "../../packages/server/src/sync/testing/syncing.ts";
import type { Disturbance } from "./disturbance.ts";

/** All that is stored of a graph. */
export type Graph = Awaited<ReturnType<typeof storedGraph>>;

/** A workspace that changes, a provider with faults, and a Clew that syncs it through that provider. */
export interface World {
  readonly syncing: Syncing;
  readonly connectionId: number;
  clock(): number;
  /** Lets time pass. */
  pass(milliseconds: number): void;
  /** The ids of all pages and databases that are not in the trash. */
  ids(): string[];
  /** So many things happen to the workspace. */
  change(random: Random, count: number): Promise<void>;
  /** Puts these faults in place of those of before. */
  disturb(disturbance: Disturbance): void;
  /** How often each rule happened that was set last. */
  counts(): readonly number[];
  /** Signs in again. */
  reconnect(): Promise<void>;
  /** What Clew has stored. */
  stored(): Promise<Graph>;
  /** What an undisturbed first sync into a fresh database stores of the workspace as it is now. */
  undisturbed(): Promise<Graph>;
  close(): Promise<void>;
}

/** What happens to a workspace while it is made, and later on. */
const beginnings = ["page", "page", "page", "page", "page", "page", "database", "edit", "edit"] as const;
const happenings = [
  ...(["page", "database", "edit", "edit", "edit", "rename", "move", "trash", "restore", "delete"] as const),
];

/** Entries of a list that the provider gives at a time, so that even a small workspace has long ones. */
const listedAtATime = 7;

/** The most blocks of a page that the provider gives in one answer: all but the large page are far smaller. */
const blockLimit = 60;

/** A page that comes in many parts, edited at a time. */
function largePage(editedAt: number): string {
  const updated = new Date(editedAt).toISOString();
  const blocks = Array.from({ length: 2 * blockLimit }, (_, number) => `Paragraph ${number} of ${updated}.`);
  return ["---", "title: Large", `updated: ${updated}`, "---", blocks.join("\n\n"), ""].join("\n");
}

/** Waiting takes no time but on the clock. `size` is how many things happen until the workspace is as it is at first. */
export async function createWorld(random: Random, size: number): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), "clew-faults-"));
  const directory = join(folder, "pages");
  let now = Date.parse("2026-03-01T12:00:00Z");
  const clock = () => now;
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  const sleep = async (milliseconds: number, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    pass(milliseconds);
  };

  const model = createRandomWorkspace(now);
  const happen = (draw: Random, kinds: readonly Happening["what"][]) => {
    const number = () => Math.floor(draw() * 1000);
    const what = kinds[number() % kinds.length] ?? "edit";
    model.happen({ what, one: number(), other: number() }, now);
  };
  const write = async () => {
    await rm(directory, { recursive: true, force: true });
    const files = { ...model.files(), "n0/large.md": largePage(now) };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), text);
    }
  };
  model.happen({ what: "database", one: 0, other: 0 }, now);
  for (let count = 0; count < size; count += 1) happen(random, beginnings);
  await write();
  pass(3_600_000);

  const serve = (limit: number): Promise<TestStandIn> =>
    serveWorkspace(directory, { clock, sleep, followFolder: false, markdownBlockLimit: limit });
  const standIn = await serve(blockLimit);
  /** The same workspace, served by a provider without a fault, whose answers hold any page. */
  const sound = await serve(20_000);

  let expiresAfter: number | null = null;
  const disturbedFetch: typeof fetch = async (input, init) => {
    if (expiresAfter !== null) expiresAfter -= 1;
    if (expiresAfter === -1) await standIn.expireAccessTokens();
    const { body } = init ?? {};
    const shorter =
      typeof body === "string" ? body.replace('"page_size":100', `"page_size":${listedAtATime}`) : body;
    return fetch(input, { ...init, ...(shorter === undefined ? {} : { body: shorter }) });
  };
  const key = randomBytes(32);
  const share = { pages: roots };
  const syncing = await openSyncing({
    path: join(folder, "clew.sqlite"),
    apiUrl: standIn.url,
    key,
    clock,
    sleep,
    fetch: disturbedFetch,
  });
  const { id: connectionId } = await syncing.connect(share);
  let fresh = 0;

  return {
    syncing,
    connectionId,
    clock,
    pass,
    ids: () =>
      standIn
        .workspace()
        .entries.filter(({ inTrash }) => !inTrash)
        .map(({ id }) => id),
    async change(draw, count) {
      for (let done = 0; done < count; done += 1) happen(draw, happenings);
      await write();
      await Promise.all([standIn.reload(), sound.reload()]);
    },
    disturb(disturbance) {
      standIn.faults.set(disturbance.rules, fresh);
      const { clockOff } = disturbance;
      const fault = { kind: "clock_off", milliseconds: clockOff } as const;
      sound.faults.set(clockOff === 0 ? [] : [{ on: "*", fault }]);
      expiresAfter = disturbance.expiresAfter;
    },
    counts: () => standIn.faults.counts(),
    reconnect: async () => void (await syncing.connect(share)),
    stored: () => storedGraph(syncing.database, connectionId),
    async undisturbed() {
      fresh += 1;
      const path = join(folder, `fresh-${fresh}.sqlite`);
      const other = await openSyncing({ path, apiUrl: sound.url, key, clock, sleep });
      try {
        const { id } = await other.connect(share);
        const { report } = await other.run(id);
        if (report.outcome !== "complete") throw new Error(`Without a fault: ${JSON.stringify(report)}`);
        return await storedGraph(other.database, id);
      } finally {
        await other.close();
      }
    },
    async close() {
      await syncing.close();
      await Promise.all([standIn.close(), sound.close()]);
      await rm(folder, { recursive: true });
    },
  };
}
