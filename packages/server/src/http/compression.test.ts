import assert from "node:assert/strict";
import { once } from "node:events";
import { request as send } from "node:http";
import { Readable } from "node:stream";
import { type TestContext, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { pino } from "pino";
import { eventStreamHeaders } from "./response-headers.ts";
import { createServer } from "./server.ts";

const words = (bytes: number) => "Jupiter has moons. ".repeat(bytes / 19 + 1).slice(0, bytes);
const expand = { br: brotliDecompressSync, gzip: gunzipSync } as const;

/** A server of answers of any size; `/plain` is a route that does not say that its answers are compressed. */
function serveSizes() {
  const origin = "https://clew.example";
  const app = createServer({ log: pino({ level: "silent" }), publicOrigin: origin, dashboardOrigin: origin });
  const config = { access: { kind: "open" }, isCompressed: true } as const;
  app.get<{ Params: { size: number } }>("/text/:size", { config }, async ({ params }, reply) =>
    reply.header("etag", '"moons"').send(words(Number(params.size))),
  );
  app.get("/known", { config }, async (_request, reply) => reply.header("etag", '"moons"').code(304).send());
  app.get("/refused", { config }, async (_request, reply) => reply.code(409).send(words(5_000)));
  app.get("/stream", { config }, async () => Readable.from([words(5_000), words(5_000)]));
  app.get("/events", { config }, async (_request, reply) =>
    reply.headers(eventStreamHeaders).send(words(5_000)),
  );
  app.get("/plain", { config: { access: { kind: "open" } } }, async (_request, reply) =>
    reply.header("etag", '"moons"').send(words(5_000)),
  );
  return { app, config };
}

async function ask(t: TestContext, url: string, accepted?: string, method: "GET" | "HEAD" = "GET") {
  const { app } = serveSizes();
  t.after(() => app.close());
  const headers = accepted === undefined ? {} : { "accept-encoding": accepted };
  return app.inject({ method, url, headers });
}

test("ERR-6: an answer of more than 1 kB is compressed as the client accepts", async (t) => {
  const cases = [
    ["br", "br"],
    ["gzip", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["br;q=0, gzip", "gzip"],
    ["deflate", undefined],
    ["identity", undefined],
    [undefined, undefined],
  ] as const;
  // The last is compressed in another thread.
  for (const size of [1_025, 20_000, 500_000]) {
    for (const [accepted, encoding] of cases) {
      const answer = await ask(t, `/text/${size}`, accepted);
      assert.equal(answer.headers["content-encoding"], encoding);
      assert.equal(answer.headers["content-length"], String(answer.rawPayload.length));
      const body = encoding === undefined ? answer.rawPayload : expand[encoding](answer.rawPayload);
      assert.equal(body.toString(), words(size));
      assert.ok(encoding === undefined || answer.rawPayload.length < size / 4);
      // The answers in all encodings share a tag, so that a client that changes its mind still gets 304.
      assert.equal(answer.headers.etag, 'W/"moons"');
      assert.equal(answer.headers.vary, "Authorization, Accept, Origin, Accept-Encoding");
    }
  }
  const small = await ask(t, "/text/1024", "br");
  assert.deepEqual([small.headers["content-encoding"], small.payload], [undefined, words(1_024)]);
  assert.match(String(small.headers.vary), /Accept-Encoding$/);
});

test("ERR-6: HEAD and 304 have the headers of the compressed answer, and no body", async (t) => {
  const [get, head] = [await ask(t, "/text/5000", "br"), await ask(t, "/text/5000", "br", "HEAD")];
  for (const name of ["content-encoding", "content-length", "etag", "vary"])
    assert.equal(head.headers[name], get.headers[name], name);
  assert.equal(head.payload, "");
  const known = await ask(t, "/known", "br");
  assert.deepEqual(
    [known.statusCode, known.payload, known.headers.etag, known.headers["content-encoding"]],
    [304, "", 'W/"moons"', undefined],
  );
  assert.match(String(known.headers.vary), /Accept-Encoding$/);
});

test("ERR-6: refusals, event streams and routes that do not say so are never compressed", async (t) => {
  for (const url of ["/refused", "/events", "/plain"]) {
    const answer = await ask(t, url, "br, gzip");
    assert.deepEqual([answer.headers["content-encoding"], answer.payload], [undefined, words(5_000)], url);
  }
  const plain = await ask(t, "/plain", "br");
  assert.deepEqual([plain.headers.etag, plain.headers.vary], ['"moons"', "Authorization, Accept, Origin"]);
});

test("ERR-6: a stream is compressed as it is read", async (t) => {
  for (const encoding of ["br", "gzip"] as const) {
    const answer = await ask(t, "/stream", encoding);
    assert.equal(answer.headers["content-encoding"], encoding);
    assert.equal(expand[encoding](answer.rawPayload).toString(), words(5_000) + words(5_000));
  }
});

test("GRAPH-26: a compressed stream that fails is broken off, and one that nobody reads ends its source", async (t) => {
  const { app, config } = serveSizes();
  t.after(() => app.close());
  // Random, so that it does not fit into buffers.
  const noise = Array.from({ length: 200_000 }, (_, index) => ((index * 2654435761) >>> 7).toString(36));
  async function* failing(parts: number) {
    for (let part = 0; part < parts; part += 1) {
      yield noise.join("");
      await setTimeout(1);
    }
    throw new Error("the graph is gone");
  }
  let isClosed = false;
  async function* endless() {
    for (;;) yield noise.join("");
  }
  app.get("/failing", { config }, async () => Readable.from(failing(3)));
  app.get("/failing-at-once", { config }, async () => Readable.from(failing(0)));
  app.get("/endless", { config }, async () =>
    Readable.from(endless()).once("close", () => (isClosed = true)),
  );
  const url = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  const open = async (path: string) => {
    const request = send(new URL(path, url), {
      headers: { "accept-encoding": "gzip", host: "clew.example" },
    });
    request.on("error", () => {});
    const [response] = await once(request.end(), "response");
    return response;
  };
  const broken = await open("/failing");
  assert.equal(broken.headers["content-encoding"], "gzip");
  await assert.rejects(broken.toArray(), { code: "ECONNRESET" });
  assert.equal(broken.complete, false);
  const refused = await open("/failing-at-once");
  assert.deepEqual([refused.statusCode, refused.headers["content-encoding"]], [500, undefined]);
  assert.match(refused.headers.vary, /Origin, Accept-Encoding$/);
  assert.equal(JSON.parse((await refused.setEncoding("utf8").toArray()).join("")).status, 500);
  const left = await open("/endless");
  await once(left, "data");
  left.destroy();
  while (!isClosed) await new Promise(setImmediate);
});
