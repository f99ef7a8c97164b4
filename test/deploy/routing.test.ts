import assert from "node:assert/strict";
import { get, type IncomingMessage } from "node:http";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../support/clew-process.ts";
import { type Send, senderTo } from "../support/raw-request.ts";
import { stageOf } from "../support/stage.ts";
import { type Echo, type EchoInstance, startEcho } from "./echo-instance.ts";
import { type ProxyProgram, proxyPrograms, startProxy } from "./proxies.ts";

/* The committed configurations of proxies, with servers that answer with what they received in the place of three instances. */

const tokens = Array.from(
  { length: 600 },
  (_, index) => `Bearer svc_${index.toString(36).padStart(32, "0")}`,
);

/** Longer than a request may take to arrive, since some servers count the answer as a part of it. */
const silenceMs = 17_000;

async function openProxy(t: TestContext, program: ProxyProgram) {
  const stage = await stageOf(t);
  const instances = await Promise.all(["one", "two", "three"].map(startEcho));
  for (const instance of instances) stage.defer(instance.down);
  const addresses = instances.map(({ address }) => address);
  const proxy = await startProxy(stage, program, { port: await freePort(), instances: addresses });
  return { proxy, instances, send: senderTo(proxy.url) };
}

/** Finds the instance that answers each of these tokens. */
async function routesOf(send: Send, wanted: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const routes = new Map<string, string>();
  for (const token of wanted) {
    const answer = await send({ method: "GET", path: "/", headers: { authorization: token } });
    assert.equal(answer.status, 200, answer.text);
    routes.set(token, (answer.body as Echo).instance);
  }
  return routes;
}

/** The share of tokens that each instance has. */
function sharesOf(routes: ReadonlyMap<string, string>): readonly number[] {
  const byInstance = Map.groupBy(routes.values(), (instance) => instance);
  return [...byInstance.values()].map(({ length }) => length / routes.size);
}

/** Waits until a condition holds for the tokens' routes. */
async function untilRoutes(
  send: Send,
  wanted: readonly string[],
  holds: (routes: ReadonlyMap<string, string>) => boolean,
): Promise<void> {
  while (!holds(await routesOf(send, wanted))) await sleep(250);
}

const countOf = (instances: readonly EchoInstance[], path: string) =>
  instances.flatMap(({ received }) => received).filter((echo) => echo.path === path).length;

for (const program of proxyPrograms) {
  const { name, executable, package: packageName } = program;
  const skip = executable === null && `${name} is not installed: on Debian, apt-get install ${packageName}`;

  test(`OPS-8: ${name} sends the requests of a token to one instance`, { skip }, async (t) => {
    const { send } = await openProxy(t, program);
    const routes = await routesOf(send, tokens);
    assert.deepEqual(await routesOf(send, tokens), routes);
    const shares = sharesOf(routes);
    t.diagnostic(`shares: ${shares.map((share) => share.toFixed(2)).join(", ")}`);
    assert.equal(shares.length, 3);
    for (const share of shares) assert(share > 0.12 && share < 0.55, `an instance has ${share}`);
  });

  test(`OPS-8: ${name} moves only the tokens of an instance that is down`, { skip }, async (t) => {
    const { instances, send } = await openProxy(t, program);
    const before = await routesOf(send, tokens);
    const [gone] = instances;
    assert(gone);
    await gone.down();
    const during = await routesOf(send, tokens);
    const moved = tokens.filter((token) => during.get(token) !== before.get(token));
    const lost = tokens.filter((token) => before.get(token) === gone.name);
    t.diagnostic(`${((100 * moved.length) / tokens.length).toFixed(1)} % of the tokens moved`);
    assert.deepEqual(moved, lost);
    assert.equal(new Set(lost.map((token) => during.get(token))).size, 2, "both others take over");
    await gone.up();
    const wanted = lost.slice(0, 10);
    await untilRoutes(send, wanted, (routes) => [...routes.values()].every((each) => each === gone.name));
    assert.deepEqual(await routesOf(send, tokens), before);
  });

  test(`OPS-8: ${name} moves no token between instances when one is added`, { skip }, async (t) => {
    const stage = await stageOf(t);
    const instances = await Promise.all(["one", "two", "three"].map(startEcho));
    for (const instance of instances) stage.defer(instance.down);
    const addresses = instances.map(({ address }) => address);
    const [two, three] = await Promise.all(
      [addresses.slice(0, 2), addresses].map(async (some) =>
        senderTo((await startProxy(stage, program, { port: await freePort(), instances: some })).url),
      ),
    );
    assert(two && three);
    const before = await routesOf(two, tokens);
    const after = await routesOf(three, tokens);
    const moved = tokens.filter((token) => after.get(token) !== before.get(token));
    t.diagnostic(`${((100 * moved.length) / tokens.length).toFixed(1)} % of the tokens moved`);
    assert.deepEqual(new Set(moved.map((token) => after.get(token))), new Set(["three"]));
    assert(moved.length < 0.55 * tokens.length);
  });

  test(`OPS-2: ${name} sends nothing to an instance that is not ready`, {
    skip: skip || (!program.checksReadiness && `${name} does not ask instances whether they are ready`),
  }, async (t) => {
    const { instances, send } = await openProxy(t, program);
    const wanted = tokens.slice(0, 60);
    const before = await routesOf(send, wanted);
    const [unready] = instances;
    assert(unready);
    unready.setReady(false);
    await untilRoutes(send, wanted, (routes) => ![...routes.values()].includes(unready.name));
    unready.setReady(true);
    await untilRoutes(send, wanted, (routes) =>
      wanted.every((each) => routes.get(each) === before.get(each)),
    );
  });

  test(`LIM-1: ${name} sends requests without a token by address`, { skip }, async (t) => {
    const { proxy } = await openProxy(t, program);
    const instanceOf = async (address: string) => {
      const { body } = await senderTo(proxy.url, address)({ method: "GET", path: "/" });
      return (body as Echo).instance;
    };
    const addresses = Array.from({ length: 60 }, (_, index) => `127.0.${index}.9`);
    const routes = new Map<string, string>();
    for (const address of addresses) routes.set(address, await instanceOf(address));
    for (const address of addresses) assert.equal(await instanceOf(address), routes.get(address));
    assert.equal(sharesOf(routes).length, 3);
  });

  test(`LIM-1: ${name} replaces what clients say of their address`, { skip }, async (t) => {
    const { proxy } = await openProxy(t, program);
    const send = senderTo(proxy.url, "127.0.0.5");
    const claimed = {
      host: "localhost:80",
      forwarded: "for=203.0.113.9",
      "x-forwarded-for": "203.0.113.9",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "https",
    };
    const { host: _, ...forged } = claimed;
    const { headers } = (await send({ method: "GET", path: "/", headers: forged })).body as Echo;
    assert.equal(headers["x-forwarded-for"], "127.0.0.5");
    assert.equal(headers["x-forwarded-host"], proxy.url.host);
    assert.equal(headers["x-forwarded-proto"], "http");
    assert.equal(headers.forwarded, undefined);
    assert.equal(headers.host, proxy.url.host);
  });

  test(`OPS-9: ${name} repeats no request that may have had an effect`, { skip }, async (t) => {
    const { instances, send } = await openProxy(t, program);
    const headers = { authorization: tokens[0] ?? "" };
    const failed = await send({ method: "POST", path: "/hang-up", headers, body: "{}" }).catch(() => null);
    assert(failed === null || failed.status >= 500);
    assert.equal(countOf(instances, "/hang-up"), 1);
    await instances.find(({ received }) => received.length > 0)?.down();
    // It was never sent, so it is safe elsewhere.
    const moved = await send({ method: "POST", path: "/elsewhere", headers, body: "{}" });
    assert.equal(moved.status, 200);
    assert.equal(countOf(instances, "/elsewhere"), 1);
  });

  test(`OPS-9: ${name} sends a request that breaks its connection twice at most`, { skip }, async (t) => {
    const { instances, send } = await openProxy(t, program);
    const headers = { authorization: tokens[0] ?? "" };
    const failed = await send({ method: "GET", path: "/hang-up", headers }).catch(() => null);
    assert(failed === null || failed.status >= 500);
    const count = countOf(instances, "/hang-up");
    t.diagnostic(`it was received ${count} times`);
    assert(count <= 2);
  });

  test(`GRAPH-15: ${name} passes events on as they are sent`, { skip }, async (t) => {
    const { proxy, instances } = await openProxy(t, program);
    const { promise: answered, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    get(new URL("/events", proxy.url), resolve).on("error", reject);
    let received = "";
    for await (const piece of (await answered).setEncoding("utf8")) {
      received += piece;
      // The next event is sent only after this one has arrived.
      for (const instance of instances) instance.sendEvent();
    }
    assert.equal(received, "data: 1\n\ndata: 2\n\ndata: 3\n\n");
  });

  test(`LIM-3: ${name} refuses a body far above the limit itself`, { skip }, async (t) => {
    const { instances, send } = await openProxy(t, program);
    const body = "x".repeat(1024 * 1024);
    const refused = await send({ method: "POST", path: "/large", body }).catch(() => null);
    assert(refused === null || refused.status === 413, `status ${refused?.status}`);
    t.diagnostic(`instances saw ${countOf(instances, "/large")} such requests`);
  });

  test(`SIGN-8: ${name} logs no query and no token when all instances are down`, { skip }, async (t) => {
    const { proxy, instances, send } = await openProxy(t, program);
    for (const instance of instances) await instance.down();
    const paths = [
      "/api/integrations/auth/provider/callback?code=secret-code&state=secret-state",
      "/api/v1/text/?q=secret-text",
    ];
    for (const path of paths) {
      const answer = await send({ method: "GET", path, headers: { authorization: "Bearer secret-token" } });
      assert(answer.status >= 500);
    }
    // The second request.
    const output = await proxy.outputWith("/api/v1/text/");
    assert.doesNotMatch(output, /secret-/);
    assert.match(output, /callback/);
  });
}

const installed = proxyPrograms.filter(({ executable }) => executable !== null);

test("GRAPH-27: proxies wait as long as Clew does", {
  skip: installed.length === 0 && "no proxy is installed",
}, async (t) => {
  // All at once, because it takes long.
  const statuses = installed.map(async (program) => {
    const { send } = await openProxy(t, program);
    return [program.name, (await send({ method: "GET", path: `/silent/${silenceMs}` })).status];
  });
  assert.deepEqual(
    await Promise.all(statuses),
    installed.map(({ name }) => [name, 200]),
  );
});
