import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@clew/client";
import { freePort, startClew } from "../../test/support/clew-process.ts";
import { fillDatabase } from "../http/large.ts";

/**
 * Measures the first answers of a Clew that starts with a workspace: `PAGES=1000000 npm run bench restart`. The first start builds the
 * graph, the next ones read it from its file.
 */
const pages = Number(process.env.PAGES ?? 1_000_000);
const starts = Number(process.env.STARTS ?? 4);

const folder = await mkdtemp(join(tmpdir(), "clew-bench-"));
try {
  const { token } = await fillDatabase({ kind: "sqlite", path: join(folder, "clew.db") }, pages);
  const settings = {
    PORT: String(await freePort()),
    DATA_DIR: folder,
    SYNC_INTERVAL: "0",
    LOG_LEVEL: "warn",
    RATE_LIMIT_TOKEN: "0",
  };
  for (let number = 0; number < starts; number += 1) {
    const began = performance.now();
    const clew = await startClew(settings);
    const client = createClient({ url: clew.url, token });
    const listening = performance.now();
    // On a busy machine, the first build may take longer than an answer may.
    while (!(await client.searchPages({ q: "plan" }).catch(() => null)));
    const answered = performance.now();
    await client.searchPages({ q: "plan" });
    const again = performance.now();
    const ms = [listening - began, answered - listening, again - answered].map((each) => each.toFixed(0));
    console.log(
      `start ${number + 1}: listening after ${ms[0]} ms, first answer ${ms[1]} ms later, the next one after ${ms[2]} ms; ` +
        `load ${loadavg()[0]?.toFixed(1)}`,
    );
    // The graph is written in the background.
    if (number === 0) await new Promise((resolve) => setTimeout(resolve, 5_000));
    await clew.terminate();
  }
} finally {
  await rm(folder, { recursive: true });
}
