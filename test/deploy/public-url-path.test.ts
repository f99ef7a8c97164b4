import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { arrive, statusWith } from "../oauth/app.ts";
import { connectStrictly } from "../oauth/strict-client.ts";
import { freePort } from "../support/clew-process.ts";
import { runCommand } from "../support/command-line.ts";
import { startRunning } from "../support/running-clew.ts";
import { writeSmallWorkspace } from "../support/small-workspace.ts";
import { openStage, type Stage, stageOf } from "../support/stage.ts";
import { type EchoInstance, startEcho } from "./echo-instance.ts";
import { proxyPrograms, type RunningProxy, startProxy, startSharedProxy } from "./proxies.ts";

/* A PUBLIC_URL with a path: a program that has the URL alone finds its way through each proxy, as deploy/ sets it up. */

const stage = await openStage();
const publicPort = await freePort();
const url = new URL(`http://localhost:${publicPort}/clew/`);
const isInstalled = proxyPrograms.some(({ executable }) => executable !== null);
let clew = "";
let other: EchoInstance;

before(async () => {
  if (!isInstalled) return;
  const port = await freePort();
  const env = { PORT: String(port), PUBLIC_URL: url.href, TRUST_PROXY: "127.0.0.1" };
  const running = await startRunning({ env, directory: await writeSmallWorkspace(stage) });
  stage.defer(() => running.stop());
  clew = `127.0.0.1:${port}`;
  other = await startEcho("other");
  stage.defer(other.down);
});
after(() => stage.close());

/** Has `clew doctor --public` and a strict client look at Clew through the proxy. */
async function findTheWay(): Promise<void> {
  const { code, output, errors } = await runCommand({ PUBLIC_URL: url.href }, "doctor", "--public");
  assert.equal(code, 0, output + errors);
  // The one thing that it cannot like here.
  const faults = output.match(/^(?:failed|warning).*$/gm) ?? [];
  assert.deepEqual(faults, [`warning  address: ${url.href.slice(0, -1)} is this machine alone`]);
  assert.match(output, /^ok +event streams: events arrive at once$/m);
  const { token, end } = await connectStrictly(await arrive(url), ["graph:read"]);
  assert.equal(await statusWith(url, token.access_token), 200);
  await end();
  assert.equal(await statusWith(url, token.access_token), 401);
}

for (const program of proxyPrograms) {
  const { name, executable, package: packageName } = program;
  const skip = executable === null && `${name} is not installed: on Debian, apt-get install ${packageName}`;
  const ways: Readonly<Record<string, (stage: Stage) => Promise<RunningProxy>>> = {
    "whose host is Clew's": (own) => startProxy(own, program, { port: publicPort, instances: [clew, clew] }),
    "that shares its host": (own) =>
      startSharedProxy(own, program, { port: publicPort, clew, other: other.address }),
  };

  for (const [way, start] of Object.entries(ways))
    test(`APP-1, OPS-10: below a path, programs find their way through ${name} ${way}`, {
      skip,
    }, async (t) => {
      await start(await stageOf(t));
      await findTheWay();
    });

  test(`APP-1: ${name} leaves the other paths of a shared host to the other service`, { skip }, async (t) => {
    await startSharedProxy(await stageOf(t), program, { port: publicPort, clew, other: other.address });
    const others = ["/", "/clewx", "/x/clew/", "/oauth/token", "/.well-known/oauth-authorization-server"];
    for (const path of others) {
      const response = await fetch(new URL(path, url));
      assert.equal(((await response.json()) as { instance: string }).instance, "other", path);
    }
    const own = await fetch(new URL("/clew", url), { redirect: "manual" });
    assert.match(own.headers.get("location") ?? "", /\/clew\/dashboard$/);
  });
}
