import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { writeWorkspace } from "@clew/stand-in/testing";
import { serveWorkspace } from "../../packages/server/src/sync/testing/syncing.ts";
import type { IndexingFigures } from "./indexing-process.ts";

/**
 * Measures what the text index adds to a first sync, and for how long text searches block the main thread:
 * `PAGES=2000 npm run bench indexing`. The provider runs in this process and each sync in another.
 */
const pages = Number(process.env.PAGES ?? 2_000);
const rounds = Number(process.env.ROUNDS ?? 3);
const seed = Number(process.env.SEED ?? 1);

const folder = await mkdtemp(join(tmpdir(), "clew-bench-"));
try {
  const directory = join(folder, "pages");
  await writeWorkspace(directory, { seed, pages });
  const standIn = await serveWorkspace(directory, { followFolder: false });
  console.log(`${pages} pages, ${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}\n`);
  console.log(
    "| round | texts | sync, seconds | its main thread, CPU s | whole process, CPU s | longest task | load |",
  );
  console.log("|---|---|---:|---:|---:|---:|---:|");
  for (let round = 1; round <= rounds; round += 1) {
    for (const kind of ["not indexed", "indexed"]) {
      const path = join(folder, `${round}-${kind}`, "clew.sqlite");
      const child = fork(join(import.meta.dirname, "indexing-process.ts"), [path, standIn.url, kind], {
        execArgv: ["--expose-gc"],
      });
      const [figures] = (await once(child, "message")) as [IndexingFigures];
      await once(child, "exit");
      const { syncMs, mainMs, processMs, longestTurn } = figures;
      const seconds = [syncMs, mainMs, processMs].map((ms) => (ms / 1000).toFixed(2)).join(" | ");
      const longest =
        longestTurn === null
          ? ""
          : `${longestTurn.longest.toFixed(1)} ms, ${longestTurn.withoutCollection.toFixed(1)} without collection`;
      console.log(`| ${round} | ${kind} | ${seconds} | ${longest} | ${loadavg()[0]?.toFixed(1)} |`);
    }
  }
  await standIn.close();
} finally {
  await rm(folder, { recursive: true });
}
