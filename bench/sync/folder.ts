import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { testProvider } from "../../packages/folder/src/testing/under-test.ts";
import { newLocation } from "../../packages/server/src/store/testing/location.ts";
import { openSyncing, type Syncing } from "../../packages/server/src/sync/testing/syncing.ts";
import { writeWorkspace } from "../../packages/stand-in/src/testing/index.ts";

/*
 * Compares first syncs of a folder: read directly, and by way of the demo workspace in the form of another provider's API.
 * Both have a thread beside the one that syncs.
 */

const pages = Number(process.env.PAGES ?? 20_000);
const seed = Number(process.env.SEED ?? 1);
const rounds = Number(process.env.ROUNDS ?? 1);

const directory = await mkdtemp(join(tmpdir(), "clew-bench-"));
const files = await writeWorkspace(directory, { seed, pages });
console.log(`${files} files`);

async function measure(name: string, open: (location: Location) => Promise<Syncing>, connect: Connect) {
  const { location, remove } = await newLocation();
  const syncing = await open(location);
  const { id } = await connect(syncing);
  const [began, all, own] = [performance.now(), process.cpuUsage(), process.threadCpuUsage()];
  const { report } = await syncing.run(id);
  const seconds = (performance.now() - began) / 1000;
  const used = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1e6;
  const cpu = [used(process.cpuUsage(all)), used(process.threadCpuUsage(own))];
  console.log(
    `${name}: ${report.outcome}, ${seconds.toFixed(1)} s; processor ${cpu.map((one) => one.toFixed(1)).join(" s, of it the sync ")} s`,
  );
  await syncing.close();
  await remove();
}

type Location = Awaited<ReturnType<typeof newLocation>>["location"];
type Connect = (syncing: Syncing) => Promise<{ readonly id: number }>;

async function direct() {
  const { provider, thread } = testProvider(directory);
  await measure(
    "directly",
    (location) => openSyncing({ location, provider }),
    (syncing) => syncing.connectWithToken("a person", "folder notes"),
  );
  await thread.close();
}

async function served() {
  const worker = new Worker(new URL("./provider-worker.ts", import.meta.url), { workerData: directory });
  const [apiUrl] = (await once(worker, "message")) as [string];
  await measure(
    "by way of the demo workspace",
    (location) => openSyncing({ location, apiUrl }),
    (syncing) => syncing.connect(),
  );
  await worker.terminate();
}

for (let round = 0; round < rounds; round += 1) {
  await direct();
  await served();
}
await rm(directory, { recursive: true });
