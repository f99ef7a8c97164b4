import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TestStandIn } from "@clew/stand-in/testing";
import type { Random } from "@clew/stand-in/testing/random";
import { dataRoot } from "../../packages/server/src/store/testing/location.ts";
import {
  createRandomWorkspace,
  type Happening,
  roots,
} from "../../packages/server/src/sync/testing/random-workspace.ts";
import { storedGraph } from "../../packages/server/src/sync/testing/stored-graph.ts";
import { openSyncing, type Syncing, serveWorkspace } from "../../packages/server/src/sync/testing/syncing.ts";
import type { Disturbance } from "./disturbance.ts";

/** Everything that is stored of a graph. */
export type Graph = Awaited<ReturnType<typeof storedGraph>>;

/** A workspace that changes, a provider with faults, and a Clew that syncs it through that provider. */
export interface World {
  readonly syncing: Syncing;
  readonly connectionId: number;
  clock(): number;
  /** Advances the clock. */
  pass(milliseconds: number): void;
  /** The ids of all pages and databases that are not in the trash. */
  ids(): string[];
  /** Makes this many changes to the workspace. */
  change(random: Random, count: number): Promise<void>;
  /** Replaces the current faults. */
  disturb(disturbance: Disturbance): void;
  /** The number of faults that each current rule caused. */
  counts(): readonly number[];
  /** Signs in again. */
  reconnect(): Promise<void>;
  /** The graph that Clew has stored. */
  stored(): Promise<Graph>;
  /** The graph that an undisturbed first sync of the current workspace stores in a fresh database. */
  undisturbed(): Promise<Graph>;
  close(): Promise<void>;
}

/** The kinds of changes while the workspace is created, and later; repetition makes a kind more likely. */
const initialChanges = ["page", "page", "page", "page", "page", "page", "database", "edit", "edit"] as const;
const laterChanges = [
  ...(["page", "database", "edit", "edit", "edit", "rename", "move", "trash", "restore", "delete"] as const),
];

/** The provider's page size; small, so that even small workspaces have lists of several pages. */
const listPageSize = 7;

/** The largest number of blocks in one response. Only the large page has more. */
const blockLimit = 60;

/** A page of many parts, with the given edit time. */
function largePage(editedAt: number): string {
  const updated = new Date(editedAt).toISOString();
  const blocks = Array.from({ length: 2 * blockLimit }, (_, number) => `Paragraph ${number} of ${updated}.`);
  return ["---", "title: Large", `updated: ${updated}`, "---", blocks.join("\n\n"), ""].join("\n");
}

/** Waiting only advances the virtual clock. `size` is the number of changes that create the workspace. */
export async function createWorld(random: Random, size: number): Promise<World> {
  const folder = await mkdtemp(join(dataRoot, "clew-faults-"));
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
  for (let count = 0; count < size; count += 1) happen(random, initialChanges);
  await write();
  pass(3_600_000);

  const serve = (limit: number): Promise<TestStandIn> =>
    serveWorkspace(directory, { clock, sleep, followFolder: false, markdownBlockLimit: limit });
  const standIn = await serve(blockLimit);
  /** The same workspace, served by a provider without faults or block limit. */
  const sound = await serve(20_000);

  let expiresAfter: number | null = null;
  const disturbedFetch: typeof fetch = async (input, init) => {
    if (expiresAfter !== null) expiresAfter -= 1;
    if (expiresAfter === -1) await standIn.expireAccessTokens();
    const { body } = init ?? {};
    const shorter =
      typeof body === "string" ? body.replace('"page_size":100', `"page_size":${listPageSize}`) : body;
    return fetch(input, { ...init, ...(shorter === undefined ? {} : { body: shorter }) });
  };
  const key = randomBytes(32);
  const share = { pages: roots };
  const syncing = await openSyncing({
    location: { kind: "sqlite", path: join(folder, "clew.sqlite") },
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
      for (let done = 0; done < count; done += 1) happen(draw, laterChanges);
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
      const other = await openSyncing({
        location: { kind: "sqlite", path },
        apiUrl: sound.url,
        key,
        clock,
        sleep,
      });
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
