import assert from "node:assert/strict";
import type { Stage } from "../support/stage.ts";
import { openTcpProxy } from "../support/tcp-proxy.ts";
import { Ground } from "./ground.ts";

/** Milliseconds in which a sync must have given up a provider that never answers. */
const givenUpWithin = 15 * 60_000;

/**
 * The provider accepts connections and never answers: its process was stopped, or a firewall drops what it sends. Reads go on, a
 * sync fails in the end and says why, and the next one completes once the provider answers again.
 */
export async function runSilentProvider(stage: Stage): Promise<string> {
  let proxy: Awaited<ReturnType<typeof openTcpProxy>> | undefined;
  const ground = await Ground.open(stage, async (notion) => {
    proxy = await openTcpProxy(Number(new URL(notion.url).port));
    return { NOTION_API_URL: `http://127.0.0.1:${proxy.port}` };
  });
  assert.ok(proxy);
  stage.defer(() => proxy?.close() ?? Promise.resolve());
  const before = await ground.reads();
  await ground.edit();
  proxy.drop();
  const begun = performance.now();
  assert.equal((await ground.requestSync()).status, 202);
  assert.deepEqual(await ground.reads(), before, "reads go on");
  const { sync } = await ground.settled(givenUpWithin);
  const minutes = (performance.now() - begun) / 60_000;
  assert.deepEqual(await ground.reads(), before, "reads go on after the failed sync");
  assert.equal(sync.outcome, "failed", JSON.stringify(sync));
  assert.match(ground.clew.output(), /no whole answer within/, "the log says why");
  proxy.restore();
  proxy.cut();
  await ground.signIn();
  assert.equal((await ground.requestSync()).status, 202);
  const later = await ground.settled(60_000);
  assert.equal(later.sync.outcome, "complete", JSON.stringify(later.sync));
  await ground.assertSameAsNew();
  return `a sync gave up after ${minutes.toFixed(1)} minutes, and the next one completed`;
}
