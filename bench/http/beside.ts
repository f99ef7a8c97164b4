import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createClient } from "@clew/client";
import { writeWorkspace } from "@clew/stand-in/testing";
import { writeFiles } from "../../test/support/markdown-folder.ts";
import { clientOf, createToken, signIn, waitForSync } from "../../test/support/session.ts";
import { openStage } from "../../test/support/stage.ts";

/**
 * Measures how long requests take beside syncs: `SYNCS=5 PAGES=2000 npm run bench beside`. Each person has the same workspace, from
 * the demo workspace, which answers without a rate limit. In turns, nothing syncs and all of them sync without a pause, while one
 * reader asks at a steady rate.
 */
const syncs = Number(process.env.SYNCS ?? 5);
const pages = Number(process.env.PAGES ?? 2_000);
const rounds = Number(process.env.ROUNDS ?? 3);
const seconds = Number(process.env.SECONDS ?? 10);
const perSecond = Number(process.env.RATE ?? 20);
const seed = Number(process.env.SEED ?? 1);
/** Whether each sync reads everything again. */
const isFull = process.env.FULL === "1";

/** Milliseconds from when a request was due until its answer was read. */
type Times = Record<"search" | "page", number[]>;

const people = Array.from({ length: syncs }, (_, number) => `Person ${number + 1}`);

const stage = await openStage();
try {
  const folder = join(stage.folder, "pages");
  await writeWorkspace(folder, { seed, pages });
  await writeFiles(folder, {
    "_people.yml": people
      .map((name, number) => `- { name: ${name}, email: person-${number}@demo.example }\n`)
      .join(""),
  });
  const clew = await stage.start({ WORKSPACE_DIR: folder, LOG_LEVEL: "warn" });
  const sessions = await Promise.all(people.map((person) => signIn(clew.url, { person })));
  for (const session of sessions) await waitForSync(clew.url, session);
  const readers: { readonly client: Client; readonly ids: readonly string[] }[] = [];
  for (const session of sessions) {
    const { token } = await createToken(clew.url, session, "bench");
    const client = createClient({ url: clew.url, token, retries: 0 });
    const ids = (await client.searchPages({ q: "a", limit: 100 })).items.map(({ node }) => node.id);
    readers.push({ client, ids });
  }
  console.log(
    `${syncs} people with ${pages} pages each, ${perSecond} requests/s, ${cpus()[0]?.model}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`,
  );
  const words = ["a", "plan", "the", "no", "re", "st", "in", "review"];
  let asked = 0;
  const ask = async (times: Times) => {
    asked += 1;
    const { client, ids } = readers[asked % readers.length] ?? never();
    const began = performance.now();
    if (asked % 2 === 0) {
      await client.searchPages({ q: words[asked % words.length] ?? "a", limit: 20 });
      times.search.push(performance.now() - began);
    } else {
      await client.getPageContent({ id: ids[asked % ids.length] ?? "" });
      times.page.push(performance.now() - began);
    }
  };
  const read = async (times: Times) => {
    const requests: Promise<void>[] = [];
    const end = performance.now() + seconds * 1_000;
    for (let due = performance.now(); due < end; due += 1_000 / perSecond) {
      await sleep(Math.max(0, due - performance.now()));
      requests.push(ask(times));
    }
    await Promise.all(requests);
  };
  const idle: Times = { search: [], page: [] };
  const beside: Times = { search: [], page: [] };
  await read({ search: [], page: [] });
  let ended = 0;
  for (let round = 0; round < rounds; round += 1) {
    await read(idle);
    const stopping = new AbortController();
    const syncing = sessions.map(async (session) => {
      const client = clientOf(clew.url, session);
      const [workspace] = (await client.listWorkspaces()).items;
      while (!stopping.signal.aborted) {
        await client.startSync({ id: workspace?.id ?? "", ...(isFull && { full: true }) });
        await waitForSync(clew.url, session);
        ended += 1;
      }
    });
    await read(beside);
    stopping.abort();
    await Promise.all(syncing);
  }
  console.log(`${ended} syncs ended meanwhile, load ${loadavg()[0]?.toFixed(1)}`);
  for (const kind of ["search", "page"] as const)
    for (const share of [0.5, 0.99]) {
      const [alone, with5] = [quantile(idle[kind], share), quantile(beside[kind], share)];
      console.log(
        `${kind} p${share * 100}: ${alone.toFixed(1)} → ${with5.toFixed(1)} ms, × ${(with5 / alone).toFixed(1)}`,
      );
    }
} finally {
  await stage.close();
}

function quantile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? Number.NaN;
}

function never(): never {
  throw new Error("There is no reader.");
}
