import { appendFile, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Client, createClient } from "@clew/client";
import { integer, seededRandom } from "@clew/stand-in/testing/random";
import { spawnClew } from "../../test/support/clew-process.ts";
import { createToken, signIn, waitForSync } from "../../test/support/session.ts";
import { cpuSeconds, memoryOf } from "../process-usage.ts";
import { writeLargeFolder } from "./large-folder.ts";
import { measureLatencies } from "./latencies.ts";

// A large folder behind a running Clew: the time to its first graph, how soon agents see an edit, and what the process takes
// while nothing happens. `npm run bench folder-service`; Linux alone says what a process takes.

const files = Number(process.env.FILES ?? 100_000);
const edits = Number(process.env.EDITS ?? 100);
const idleSeconds = Number(process.env.IDLE_SECONDS ?? 125);
const random = seededRandom(Number(process.env.SEED ?? 1));

const root = await mkdtemp(path.join(tmpdir(), "bench-folder-service-"));
const directory = path.join(root, "notes");
const fileAt = await writeLargeFolder(directory, files, random);
const started = performance.now();
const clew = await spawnClew({
  FOLDERS: `notes=${directory}`,
  DATA_DIR: path.join(root, "data"),
  RATE_LIMIT_TOKEN: "0",
});
try {
  await clew.ready();
  say("Clew answers");
  const session = await signIn(clew.url);
  await waitForTitles(createClient({ url: clew.url, token: session.access }));
  await waitForSync(clew.url, await signIn(clew.url));
  say("the first sync is complete");
  const { token } = await createToken(clew.url, await signIn(clew.url), "reader");
  await measureEdits(createClient({ url: clew.url, token }));
  // Until all that the last edit led to has ended.
  await setTimeout(15_000);
  const before = cpuSeconds(clew.pid);
  await setTimeout(idleSeconds * 1_000);
  const idle = (cpuSeconds(clew.pid) - before) / idleSeconds;
  console.log(`idle: ${(100 * idle).toFixed(2)} % of a processor`);
} finally {
  await clew.kill();
  await rm(root, { recursive: true, force: true });
}

/** Waits until all files are nodes of the graph that is answered from. */
async function waitForTitles(client: Client): Promise<void> {
  for (;;) {
    const { items } = await client.listWorkspaces();
    if (items.some(({ nodes }) => nodes >= files)) return say("the graph has every file");
    await setTimeout(250);
  }
}

/** Measures edits of texts, new files and renamed files, one after the other. */
async function measureEdits(client: Client): Promise<void> {
  const place = (name: string) => path.join(directory, `${name}.md`);
  const names: string[] = [];
  await measure("edits of texts", client, (word) =>
    appendFile(fileAt(integer(random, 0, files - 1)), ` ${word} `),
  );
  await measure("new files", client, async (word) => {
    names.push(word);
    await writeFile(place(word), "A new note.\n");
  });
  await measure("renamed files", client, (word) => rename(place(names.pop() ?? ""), place(word)));
}

/** Makes edits, each with a word of its own, and measures how long it takes until the changes feed and the text or title have it. */
async function measure(what: string, client: Client, make: (word: string) => Promise<void>): Promise<void> {
  const before = cpuSeconds(clew.pid);
  let { next_cursor: cursor } = await client.listChanges({ cursor: "now" });
  const { median, p99 } = await measureLatencies(edits, random, async (count) => {
    const word = `${what.split(" ")[0]}${count}`;
    await make(word);
    for (let isSeen = false; !isSeen; ) {
      const changes = await client.listChanges({ cursor, wait: 20 });
      cursor = changes.next_cursor;
      for (const { node_id: id, node } of changes.items)
        isSeen ||=
          node?.title.includes(word) ||
          (await client.getPageContent({ id })).markdown?.includes(word) ||
          false;
    }
  });
  const each = (cpuSeconds(clew.pid) - before) / edits;
  console.log(`${edits} ${what}: seen after ${median} ms (median), ${p99} ms (99 %)`);
  console.log(`each of the ${what}: ${each.toFixed(2)} s of processor time, with all questions about it`);
}

function say(what: string): void {
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const megabytes = Math.round(memoryOf(clew.pid).peak / 1e6);
  console.log(
    `${what}: ${seconds} s after the start, ${cpuSeconds(clew.pid).toFixed(1)} s of processor time, ${megabytes} MB at most`,
  );
}
