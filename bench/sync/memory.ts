import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { writeWorkspace } from "@clew/stand-in/testing";
import { serveWorkspace } from "../../packages/server/src/sync/testing/syncing.ts";

/**
 * Measures the memory of a first sync of a large workspace: `PAGES=50000 npm run bench sync-memory`. The provider runs in
 * this process and the sync in another, so that only the sync's memory is measured.
 */
const pages = Number(process.env.PAGES ?? 50_000);
const seed = Number(process.env.SEED ?? 1);

const folder = await mkdtemp(join(tmpdir(), "clew-bench-"));
let child: ChildProcess | null = null;
try {
  const directory = join(folder, "pages");
  await writeWorkspace(directory, { seed, pages });
  const standIn = await serveWorkspace(directory, { followFolder: false });
  console.log(`${pages} pages, ${cpus()[0]?.model}, Node ${process.version}, seed ${seed}, no rate limit\n`);
  child = fork(join(import.meta.dirname, "memory-process.ts"), [join(folder, "clew.sqlite"), standIn.url], {
    execArgv: ["--expose-gc"],
  });
  const [code] = await once(child, "exit");
  process.exitCode = code === 0 ? 0 : 1;
  await standIn.close();
} finally {
  child?.kill();
  await rm(folder, { recursive: true });
}
