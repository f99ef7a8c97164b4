import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClewProcess } from "../support/clew-process.ts";
import { settingsFor, startNotion } from "../support/notion.ts";
import { signIn, waitForSync } from "../support/session.ts";
import { writeSmallWorkspace } from "../support/small-workspace.ts";
import { openStage } from "../support/stage.ts";
import { openTcpProxy } from "../support/tcp-proxy.ts";
import { startLoad } from "./load.ts";
import { type Server, serverPrograms, startPrimary, startReplica } from "./servers.ts";

/**
 * A primary with a synchronous replica, which is promoted under load: `npm run campaign failover`. Two Clews reach the database
 * by an address that then leads to the replica. The exit code is 1 if an acknowledged write is lost, if anyone gets in while
 * there is no database, or if writes take longer than 15 s to succeed again after the promotion. ROUNDS repeats it.
 */
const rounds = Number(process.env.ROUNDS ?? 3);
const workers = 6;

/** Milliseconds from the promotion until every worker has written again. */
const resumeTimeoutMs = 15_000;

if (serverPrograms === null) throw new Error("PostgreSQL is not installed: install the package postgresql");
console.log(`${serverPrograms}, Node ${process.version}, ${workers} workers on two instances`);
/** The latest lines of a log that report an error. */
const errorLines = (log: string) =>
  log
    .split("\n")
    .filter((line) => /"level":[56]0/.test(line))
    .slice(-5)
    .join("\n");

const stage = await openStage();
const started: Server[] = [];
const clews: ClewProcess[] = [];
try {
  let primary = await startPrimary();
  started.push(primary);
  const notion = await startNotion(stage, await writeSmallWorkspace(stage));
  const proxy = await openTcpProxy(primary.port);
  stage.defer(() => proxy.close());
  const shared = {
    DATABASE_URL: `postgres://clew@127.0.0.1:${proxy.port}/postgres`,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    ...settingsFor(notion),
  };
  const first = await stage.start(shared);
  const second = await stage.start({ ...shared, PUBLIC_URL: first.url.href });
  clews.push(first, second);
  const urlOf = ({ port }: ClewProcess) => new URL(`http://localhost:${port}/`);
  const urls = [urlOf(first), urlOf(second)] as const;
  const session = await signIn(first.url);
  await waitForSync(first.url, session);
  for (let round = 1; round <= rounds; round += 1) {
    const replica = await startReplica(primary);
    started.push(replica);
    const load = await startLoad(urls, session, workers);
    await sleep(3_000);
    const before = load.writes();

    await primary.kill();
    load.isDatabaseAway = true;
    await sleep(2_000);
    load.isDatabaseAway = false;
    proxy.redirect(replica.port);
    const [promotion] = await replica.query("select pg_promote() as done");
    assert.equal(promotion?.done, true);
    const promoted = performance.now();
    while (load.lastWrites.some((at) => at < promoted)) {
      assert.ok(performance.now() - promoted < resumeTimeoutMs, "writes did not succeed again within 15 s");
      await Promise.race([sleep(10), load.running]);
    }
    const resumed = performance.now() - promoted;
    await sleep(1_000);
    await load.stop();
    await load.verify();
    const { succeeded, unavailable } = load.counts;
    console.log(
      `round ${round}: ${before} writes acknowledged before, ${load.writes() - before} after; all workers wrote again ` +
        `${Math.round(resumed)} ms after the promotion; ${succeeded} answers, ${unavailable} of 503; nothing is lost`,
    );
    primary = replica;
  }
} catch (error) {
  for (const clew of clews) console.log(errorLines(clew.output()));
  throw error;
} finally {
  await stage.close();
  for (const server of started) await server.kill();
}
