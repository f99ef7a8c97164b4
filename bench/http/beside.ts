import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@clew/client";
import { scopeNames } from "@clew/contract";
import { writeWorkspace } from "@clew/stand-in/testing";
import { main, spawnClew } from "../../test/support/clew-process.ts";
import { writeFiles } from "../../test/support/markdown-folder.ts";
import { clientOf, createToken, type SignIn, signIn, waitForSync } from "../../test/support/session.ts";
import { openStage } from "../../test/support/stage.ts";

/**
 * Measures how long requests take beside syncs: `SYNCS=5 PAGES=2000 npm run bench beside`, or with the folder of another checkout,
 * whose server is then measured. Each person has the same workspace, the demo workspace, which answers as quickly as it can. In
 * turns, nothing syncs and all of them sync without a pause, while one reader asks at a steady rate.
 */
const syncs = Number(process.env.SYNCS ?? 5);
const pages = Number(process.env.PAGES ?? 2_000);
const rounds = Number(process.env.ROUNDS ?? 3);
const seconds = Number(process.env.SECONDS ?? 10);
const perSecond = Number(process.env.RATE ?? 20);
const seed = Number(process.env.SEED ?? 1);
/** Whether each sync reads all texts again, instead of what has changed, which is nothing. */
const isFull = process.env.FULL === "1";
const checkout = process.argv[2];
const program = checkout === undefined ? main : join(checkout, "packages/server/src/main.ts");

const kinds = ["search", "page", "write"] as const;

/** Milliseconds from sending a request until its answer was read. */
type Times = Record<(typeof kinds)[number], number[]>;

const noTimes = (): Times => ({ search: [], page: [], write: [] });

const stage = await openStage();
try {
  const clew = await start(join(stage.folder, "pages"));
  const sessions = await Promise.all(people().map((person) => signIn(clew, { person })));
  for (const session of sessions) await waitForSync(clew, session);
  const readers = await Promise.all(sessions.map((session) => openReader(clew, session)));
  console.log(
    `${syncs} people with ${pages} pages each, ${perSecond} requests/s, ${cpus().length} × ${cpus()[0]?.model}`,
  );
  let sent = 0;
  /** Sends requests at the steady rate, of one person after the other. */
  const read = async (times: Times) => {
    const requests: Promise<void>[] = [];
    const end = performance.now() + seconds * 1_000;
    for (let due = performance.now(); due < end; due += 1_000 / perSecond) {
      await sleep(Math.max(0, due - performance.now()));
      sent += 1;
      const reads = sent % 2 === 0 ? "search" : "page";
      const kind = sent % 10 === 0 ? "write" : reads;
      const request = readers[sent % readers.length]?.[kind](sent);
      const began = performance.now();
      requests.push(Promise.resolve(request).then(() => void times[kind].push(performance.now() - began)));
    }
    await Promise.all(requests);
  };
  await read(noTimes());
  const [idle, beside] = [noTimes(), noTimes()];
  const loads: number[] = [];
  let ended = 0;
  for (let round = 0; round < rounds; round += 1) {
    await read(idle);
    const stopping = new AbortController();
    const syncing = sessions.map((session) => syncAgain(clew, session, stopping.signal));
    await read(beside);
    loads.push(loadavg()[0] ?? Number.NaN);
    stopping.abort();
    for (const number of await Promise.all(syncing)) ended += number;
  }
  console.log(`${ended} syncs have ended; load ${loads.map((load) => load.toFixed(1)).join(", ")}\n`);
  console.log("| ms | p50 idle | beside syncs | ratio | p99 idle | beside syncs | ratio |");
  console.log("|---|---:|---:|---:|---:|---:|---:|");
  for (const kind of kinds) {
    const cells = [0.5, 0.99].flatMap((share) => {
      const [alone, busy] = [quantile(idle[kind], share), quantile(beside[kind], share)];
      return [alone.toFixed(1), busy.toFixed(1), (busy / alone).toFixed(1)];
    });
    console.log(`| ${kind} | ${cells.join(" | ")} |`);
  }
} finally {
  await stage.close();
}

function people(): string[] {
  return Array.from({ length: syncs }, (_, number) => `Person ${number + 1}`);
}

/** Starts a Clew with the demo workspace and without limits; returns its address. */
async function start(folder: string): Promise<URL> {
  await writeWorkspace(folder, { seed, pages });
  const entries = people().map((name, number) => `- { name: ${name}, email: ${number}@demo.example }\n`);
  await writeFiles(folder, { "_people.yml": entries.join("") });
  const noLimits = { RATE_LIMIT_TOKEN: "0", RATE_LIMIT_SESSION: "0", RATE_LIMIT_SIGN_IN: "0" };
  const data = { DATA_DIR: join(stage.folder, "data"), WORKSPACE_DIR: folder };
  const clew = await spawnClew({ ...noLimits, ...data, SYNC_INTERVAL: "0", LOG_LEVEL: "warn" }, { program });
  stage.defer(() => clew.kill());
  await clew.ready();
  return clew.url;
}

/** The requests of a person: a search of titles, the text of a page, and a token that is created and revoked. */
async function openReader(
  clew: URL,
  session: SignIn,
): Promise<Record<(typeof kinds)[number], (number: number) => Promise<unknown>>> {
  const own = clientOf(clew, session);
  const { token, workspace_ids } = await createToken(clew, session, "bench");
  const client = createClient({ url: clew, token, retries: 0 });
  const ids = (await client.searchPages({ q: "a", limit: 100 })).items.map(({ node }) => node.id);
  const words = ["a", "plan", "the", "no", "re", "st", "in", "review"];
  return {
    search: (number) => client.searchPages({ q: words[number % words.length] ?? "", limit: 20 }),
    page: (number) => client.getPageContent({ id: ids[number % ids.length] ?? "" }),
    async write() {
      const { id } = await own.createServiceToken({ name: "bench", scopes: scopeNames, workspace_ids });
      await own.revokeServiceToken({ id });
    },
  };
}

/** Syncs a person's workspace again and again until the signal is aborted; returns how often. */
async function syncAgain(clew: URL, session: SignIn, signal: AbortSignal): Promise<number> {
  const client = clientOf(clew, session);
  const [workspace] = (await client.listWorkspaces()).items;
  let ended = 0;
  for (; !signal.aborted; ended += 1) {
    await client.startSync({ id: workspace?.id ?? "", ...(isFull && { full: true }) });
    await waitForSync(clew, session);
  }
  return ended;
}

function quantile(times: readonly number[], share: number): number {
  return times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) * share)] ?? Number.NaN;
}
