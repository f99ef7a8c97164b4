import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { ProviderError } from "@clew/provider";
import { pageObject, someId } from "../testing/api-objects.ts";
import { listedNodes } from "../testing/listed-nodes.ts";
import { timelessProvider } from "../testing/provider.ts";
import { sendError, sendJson, startProvider } from "../testing/provider-server.ts";

/** Answers the first requests as given, and further ones with a page. */
function inTurn(...behaviours: Parameters<typeof startProvider>[1][]): Parameters<typeof startProvider>[1] {
  return (request, response) => {
    const behave = behaviours.shift();
    if (behave === undefined) sendJson(response, pageObject(1));
    else behave(request, response);
  };
}

const failing =
  (status: number, code: string, headers?: Record<string, string>): Parameters<typeof startProvider>[1] =>
  (_, response) =>
    sendError(response, status, code, headers);

test("SYNC-4: 429 is retried when the provider says, and the wait is reported", async (t) => {
  const { url, requests } = await startProvider(
    t,
    inTurn(failing(429, "rate_limited", { "retry-after": "90" })),
  );
  const { provider, waits, clock } = timelessProvider(url);
  const start = clock();
  const reportedWaits: number[] = [];
  const page = await provider.reader("t", { onWait: (until) => reportedWaits.push(until) }).page(someId(1));
  assert.equal(page.title, "Page 1");
  assert.equal(requests.length, 2);
  assert.deepEqual(waits, [90_000]);
  assert.deepEqual(reportedWaits, [start + 90_000]);
});

test("SYNC-4: a refusal holds back all requests of the same grant", async (t) => {
  const { url } = await startProvider(t, inTurn(failing(429, "rate_limited", { "retry-after": "30" })));
  const { provider, clock } = timelessProvider(url);
  const start = clock();
  await provider.reader("t").page(someId(1));
  await provider.reader("t").page(someId(1));
  assert.equal(clock() - start, 30_000);
});

test("SYNC-4: Retry-After may be a date by the provider's clock", async (t) => {
  const [date = "", later = ""] = [0, 7].map((second) =>
    new Date(Date.UTC(2031, 5, 1, 0, 0, second)).toUTCString(),
  );
  const { url } = await startProvider(
    t,
    inTurn(failing(529, "service_overload", { date, "retry-after": later })),
  );
  const { provider, waits } = timelessProvider(url);
  await provider.reader("t").page(someId(1));
  assert.deepEqual(waits, [7000]);
});

for (const [what, behave] of Object.entries({
  "429 without Retry-After": failing(429, "rate_limited"),
  529: failing(529, "service_overload"),
  500: failing(500, "internal_server_error"),
  503: failing(503, "service_unavailable"),
  409: failing(409, "conflict_error"),
  "an HTML 502": (_, response) => void response.writeHead(502).end("<html>Bad gateway</html>"),
  "a connection that is cut": (_, response) => void response.destroy(),
  "an answer that is cut": (_, response) => {
    response.writeHead(200, { "content-length": "500" });
    response.write("{", () => response.destroy());
  },
  "an answer whose JSON is cut": (_, response) => void response.writeHead(200).end('{"object":"page","id":'),
  "an HTML 200": (_, response) => void response.writeHead(200).end("<html>Sign in to the network</html>"),
} satisfies Record<string, Parameters<typeof startProvider>[1]>)) {
  test(`SYNC-4: ${what} is retried after a backoff`, async (t) => {
    const { url, requests } = await startProvider(t, inTurn(behave, behave));
    const { provider, waits } = timelessProvider(url, { random: () => Uint8Array.of(255, 255, 255, 255) });
    const page = await provider.reader("t").page(someId(1));
    assert.equal(page.title, "Page 1");
    assert.equal(requests.length, 3);
    assert.deepEqual(waits, [500, 1000]);
  });
}

test("SYNC-4: searches and queries, which are POSTs, are retried too", async (t) => {
  const { url, requests } = await startProvider(t, ({ path }, response) => {
    if (requests.filter((request) => request.path === path).length === 1)
      sendError(response, 503, "service_unavailable");
    else sendJson(response, { object: "list", results: [pageObject(1)], has_more: false, next_cursor: null });
  });
  const reader = timelessProvider(url).provider.reader("t");
  const ids: string[] = [];
  for await (const node of listedNodes(reader.search())) ids.push(node.id);
  for await (const node of listedNodes(reader.rows(someId(2), null))) ids.push(node.id);
  assert.deepEqual(ids, [someId(1), someId(1)]);
});

test("SYNC-4: attempts and the waits between them are bounded", async (t) => {
  const { url, requests } = await startProvider(t, failing(500, "internal_server_error"));
  const { provider, waits } = timelessProvider(url, { random: () => Uint8Array.of(255, 255, 255, 255) });
  await assert.rejects(provider.reader("t").page(someId(1)), { code: "unavailable" });
  assert.equal(requests.length, 8);
  assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 16_000, 30_000]);
});

test("SYNC-4: backoff is random, so that callers do not retry in step", async (t) => {
  const { url } = await startProvider(t, inTurn(failing(500, "internal_server_error")));
  const { provider, waits } = timelessProvider(url, { random: () => Uint8Array.of(128, 0, 0, 0) });
  await provider.reader("t").page(someId(1));
  assert.deepEqual(waits, [250]);
});

test("SYNC-13: a Retry-After out of range does not slow the grant down for ever", async (t) => {
  const { url } = await startProvider(
    t,
    inTurn(failing(429, "rate_limited", { "retry-after": "9".repeat(400) })),
  );
  let now = Date.UTC(2026, 0, 1);
  const waits: number[] = [];
  const sleep = async (milliseconds: number) => {
    waits.push(milliseconds);
    now += milliseconds;
  };
  const { provider } = timelessProvider(url, { clock: () => now, sleep, requestsPerMinute: 10 });
  const reader = provider.reader("t");
  await assert.rejects(reader.page(someId(1)), { code: "rate_limited" });
  now += 20 * 60_000;
  for (let count = 0; count < 10; count += 1) await reader.page(someId(1));
  assert.deepEqual(waits, []);
});

test("SYNC-13: a provider's clock beyond the years 1 to 9999 is not believed", async (t) => {
  const date = "Fri, 31 Dec 275759 23:59:59 GMT";
  const { url } = await startProvider(t, (_, response) => {
    response.setHeader("date", date);
    sendJson(response, pageObject(1));
  });
  const { provider, clock } = timelessProvider(url);
  const reader = provider.reader("t");
  await reader.page(someId(1));
  assert.equal(reader.time(), clock());
});

test("SYNC-4: a wait of hours fails the request instead", async (t) => {
  const { url } = await startProvider(t, failing(429, "rate_limited", { "retry-after": "7200" }));
  const { provider, waits } = timelessProvider(url);
  await assert.rejects(provider.reader("t").page(someId(1)), {
    code: "rate_limited",
    retryAfter: 7_200_000,
  });
  assert.deepEqual(waits, []);
});

for (const [status, code, expected] of [
  [400, "validation_error", "invalid"],
  [401, "unauthorized", "unauthorized"],
  [403, "restricted_resource", "refused"],
  [404, "object_not_found", "not_found"],
] as const) {
  test(`SYNC-5: ${status} is final, and its error does not quote the answer`, async (t) => {
    const { url, requests } = await startProvider(t, failing(status, code));
    const { provider } = timelessProvider(url);
    await assert.rejects(provider.reader("a-token").page(someId(1)), (error) => {
      assert.ok(error instanceof ProviderError);
      assert.equal(error.code, expected);
      assert.match(error.message, new RegExp(`${status} .*r-1`));
      assert.doesNotMatch(inspect(error, { depth: 9 }), /secret message|a-token/i);
      return true;
    });
    // A 401 is confirmed by another call.
    assert.deepEqual(
      requests.map(({ path }) => path),
      [`/v1/pages/${someId(1)}`, ...(status === 401 ? ["/v1/users/me"] : [])],
    );
  });
}

test("SYNC-4: the budget of a minute is not exceeded, and waits are reported", async (t) => {
  const { url } = await startProvider(t, inTurn());
  const { provider, clock } = timelessProvider(url, { requestsPerMinute: 10 });
  const start = clock();
  const reportedWaits: number[] = [];
  const reader = provider.reader("t", { onWait: (until) => reportedWaits.push(until - start) });
  await Promise.all(Array.from({ length: 25 }, () => reader.page(someId(1))));
  assert.equal(clock() - start, 120_000);
  assert.ok(reportedWaits.includes(60_000) && reportedWaits.includes(120_000));
});

test("SYNC-4: each grant has its own budget", async (t) => {
  const { url } = await startProvider(t, inTurn());
  const { provider, waits } = timelessProvider(url, { requestsPerMinute: 1 });
  await provider.reader("one").page(someId(1));
  await provider.reader("another").page(someId(1));
  assert.deepEqual(waits, []);
  await provider.reader("one").page(someId(1));
  assert.deepEqual(waits, [60_000]);
});

test("SYNC-4: requests carry the token, the API version and the SDK's user agent", async (t) => {
  const { url, requests } = await startProvider(t, inTurn());
  await timelessProvider(url).provider.reader("a-token").page(someId(1));
  assert.equal(requests[0]?.headers.authorization, "Bearer a-token");
  assert.equal(requests[0]?.headers["notion-version"], "2026-03-11");
});

test("SYNC-4: an aborted reader stops while it waits, with the signal's reason", async (t) => {
  const controller = new AbortController();
  const reason = new Error("no more");
  const { url } = await startProvider(t, (request, response) => {
    failing(429, "rate_limited", { "retry-after": "60" })(request, response);
    controller.abort(reason);
  });
  await assert.rejects(
    timelessProvider(url).provider.reader("t", { signal: controller.signal }).page(someId(1)),
    reason,
  );
});

test("SYNC-4: an aborted reader ends a request in flight", async (t) => {
  const controller = new AbortController();
  const reason = new Error("no more");
  const { url } = await startProvider(t, () => controller.abort(reason));
  await assert.rejects(
    timelessProvider(url).provider.reader("t", { signal: controller.signal }).page(someId(1)),
    reason,
  );
});

test("SYNC-5: answers that are not JSON are malformed, and the error does not quote them", async (t) => {
  const { url, requests } = await startProvider(
    t,
    (_, response) => void response.writeHead(200).end("<html>secret"),
  );
  await assert.rejects(timelessProvider(url).provider.reader("t").page(someId(1)), (error) => {
    assert.ok(error instanceof ProviderError);
    assert.equal(error.code, "malformed");
    assert.doesNotMatch(inspect(error, { depth: 9 }), /secret/);
    return true;
  });
  assert.equal(requests.length, 8);
});

for (const [rule, what, text, reason] of [
  ["SYNC-5", "an endless answer", " ", "larger than 10485760 bytes"],
  ["SYNC-13", "an answer with ever more lists in one another", "[", "nested deeper than 100000 levels"],
] as const)
  test(`${rule}: ${what} is refused while it arrives, and not retried`, async (t) => {
    let sent = 0;
    const { url, requests } = await startProvider(t, (_, response) => {
      const piece = Buffer.alloc(1024 * 1024, text);
      const send = () => {
        if (response.destroyed) return;
        sent += piece.length;
        response.write(piece, send);
      };
      send();
    });
    await assert.rejects(timelessProvider(url).provider.reader("t").page(someId(1)), {
      code: "malformed",
      message: `The provider's answer is ${reason}`,
    });
    assert.equal(requests.length, 1);
    assert.ok(sent < 64 * 1024 * 1024);
  });

test("SYNC-13: brackets within texts do not nest, wherever the answer is divided", async () => {
  const text = '\\"[{'.repeat(60_000);
  const title = [{ type: "text", text: { content: "" }, plain_text: text }];
  const properties = { title: { id: "title", type: "title", title } };
  const body = JSON.stringify(pageObject(1, { properties }));
  for (const at of [body.indexOf("[{"), body.indexOf("[{") + 1, body.indexOf('\\"') + 1]) {
    const parts = [body.slice(0, at), body.slice(at)];
    const answer = async () =>
      new Response(ReadableStream.from(parts.map((part) => new TextEncoder().encode(part))));
    const { provider } = timelessProvider(new URL("http://localhost"), { fetch: answer });
    assert.match((await provider.reader("t").page(someId(1))).title, /^\\"\[\{/);
  }
});

test("SYNC-4: a refusal reduces the grant's budget for a while", async (t) => {
  const { url } = await startProvider(t, inTurn(failing(429, "rate_limited", { "retry-after": "90" })));
  const { provider, waits } = timelessProvider(url, { requestsPerMinute: 20 });
  const reader = provider.reader("t");
  await reader.page(someId(1));
  for (let count = 0; count < 9; count += 1) await reader.page(someId(1));
  assert.deepEqual(waits, [90_000]);
  await reader.page(someId(1));
  assert.deepEqual(waits, [90_000, 60_000]);
});

test("SYNC-9: a call takes a turn while in flight, not while it waits for the rate limit", async (t) => {
  const { url } = await startProvider(
    t,
    inTurn(failing(429, "rate_limited", { "retry-after": "90" }), failing(503, "service_unavailable")),
  );
  let underWay = 0;
  let taken = 0;
  let now = 0;
  const { provider } = timelessProvider(url, {
    clock: () => now,
    sleep: async (milliseconds) => {
      assert.equal(underWay, 0);
      now += milliseconds;
    },
    inTurn: async (_whose, work) => {
      underWay += 1;
      taken += 1;
      return work().finally(() => {
        underWay -= 1;
      });
    },
  });
  await provider.reader("t").page(someId(1));
  assert.equal(taken, 3);
  assert.ok(now >= 90_000);
});

test("SYNC-7: the reader's time is that of the provider's latest answer, errors included", async (t) => {
  const dates = ["Sun, 01 Jun 2031 00:00:07 GMT", "Sun, 01 Jun 2031 00:01:00 GMT", "no date", undefined];
  const { url } = await startProvider(t, (_, response) => {
    const date = dates.shift();
    if (date === undefined) response.sendDate = false;
    else response.setHeader("date", date);
    if (date?.includes("01:00")) sendError(response, 503, "service_unavailable", { "retry-after": "2" });
    else sendJson(response, pageObject(1));
  });
  const { provider, clock } = timelessProvider(url);
  const reader = provider.reader("t");
  assert.equal(reader.time(), clock());
  await reader.page(someId(1));
  assert.equal(reader.time(), Date.UTC(2031, 5, 1, 0, 0, 7));
  // A 503, and two seconds later an answer without a date.
  await reader.page(someId(1));
  assert.equal(reader.time(), Date.UTC(2031, 5, 1, 0, 1, 2));
  await reader.page(someId(1));
  assert.equal(reader.time(), Date.UTC(2031, 5, 1, 0, 1, 2));
});
