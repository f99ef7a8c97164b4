import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import Fastify from "fastify";
import { responseClosed } from "./response-closed.ts";

test("LIM-3: a response is closed once its client has gone, not once the request was read", async (t) => {
  const app = Fastify();
  t.after(() => app.close());
  const reading = Promise.withResolvers<AbortSignal>();
  app.post("/", async (_request, reply) => {
    const closed = responseClosed(reply);
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
    reading.resolve(closed);
    await new Promise((resolve) => closed.addEventListener("abort", resolve));
    return null;
  });
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });
  const client = new AbortController();
  const headers = { "content-type": "application/json" };
  const posted = fetch(origin, { method: "POST", headers, body: "{}", signal: client.signal });
  const closed = await reading.promise;
  assert.equal(closed.aborted, false);
  const aborted = new Promise((resolve) => closed.addEventListener("abort", resolve));
  client.abort();
  await assert.rejects(posted);
  await aborted;
});
